/**
 * Whether a kernel will be able to listen, for a command that is to fail before any service has opened anything. The address is bound and let
 * go again; listening itself can still fail, when another program takes it meanwhile.
 */
import { createServer } from "node:net";
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type { Config } from "../config/config.ts";
import { bindingRefusal } from "../server/binding.ts";
import { listenFailure } from "../server/listen-error.ts";

/** Fails as `serve` would. `tokens` is how many there are: without one or an identity provider, only loopback may be listened on. */
export const checkAddress = (
  config: Pick<Config, "host" | "port" | "identity">,
  tokens: number,
): Effect.Effect<void, FairleadError> => {
  const { host, port } = config;
  const refused = bindingRefusal(config, tokens);
  if (refused !== undefined) return Effect.fail(new FairleadError(refused));
  // A port that the system chooses is free.
  if (port === 0) return Effect.void;
  return Effect.catch(bindOnce({ host, port }), (cause) =>
    Effect.flatMap(listenFailure(cause, { host, port }), (error) => Effect.fail(error)),
  );
};

const bindOnce = (target: { readonly host: string; readonly port: number }): Effect.Effect<void, Error> =>
  Effect.callback((resume) => {
    const server = createServer();
    server.once("error", (error) => resume(Effect.fail(error)));
    server.listen(target, () => server.close(() => resume(Effect.void)));
  });
