/** A look at the PostgreSQL and the NATS that a configuration names, for `fairlead doctor`: what of them is loaded is loaded only where it is named. */
import { FairleadError } from "@fairlead/contracts";
import type { Config } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { OutsideView } from "../../observe/outside-view.ts";

/** One look for each, by name. It rejects with a `FairleadError` where the thing cannot be used. */
export const examineOutside = (
  { store, nats }: Config,
  env: Environment,
): Readonly<Record<string, () => Promise<OutsideView>>> => ({
  ...(store !== undefined && {
    store: () =>
      installed(import("../../store/examine.ts"), "pg@8.23.1").then(({ examinePostgres }) =>
        examinePostgres(store.postgres, env),
      ),
  }),
  ...(nats !== undefined && {
    NATS: () =>
      installed(import("../../placement/nats/examine.ts"), "@nats-io/transport-node@3.4.0").then(({ examineNats }) =>
        examineNats(nats, env),
      ),
  }),
});

const installed = <T>(module: Promise<T>, name: string): Promise<T> =>
  module.catch((cause: unknown) => {
    const message = `its client ${name.slice(0, name.lastIndexOf("@"))} cannot be loaded`;
    const hint = `\`npm install ${name}\` in this project`;
    throw new FairleadError({ code: "failed_precondition", message, hint }, { cause });
  });
