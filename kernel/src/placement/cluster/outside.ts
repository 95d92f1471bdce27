/** Where keyed procedures of a cluster cannot run: in a kernel that is opened for one call, which is not a node, and in a thread. They are refused there, since each key has one owner. */
import type { Contract, FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { failure } from "../../call/error.ts";
import type { LoadedService } from "../../host/registry.ts";
import { startService } from "../../host/start-service.ts";
import type { Log } from "../../observe/log.ts";
import type { Host } from "../../service/host.ts";
import { withPlaced } from "../place.ts";

const keyedIn = (contract: Contract): readonly string[] =>
  Object.entries(contract.procedures).flatMap(([name, { placement }]) => (typeof placement === "object" ? [name] : []));

/** The service of a kernel that is not a node: its keyed procedures are refused. */
export const refuseKeyed = (service: LoadedService, log: Log): LoadedService => {
  const { contract } = service;
  const keyed = keyedIn(contract);
  if (keyed.length === 0) return service;
  const refuse = (name: string) => () =>
    Effect.fail(isNoNode(`${contract.id}.${name} runs at the node of the cluster that owns its key`));
  const handlers = Object.fromEntries(keyed.map((name) => [name, refuse(name)]));
  const start = (host: Host) =>
    Effect.map(startService(service, host, log), (here) =>
      withPlaced(here, { handlers, condition: () => ({ state: "ready" }), children: () => [] }),
    );
  return { ...service, start };
};

export const isNoNode = (what: string): FairleadError =>
  failure("failed_precondition", `${what}, and this kernel is opened for one call and is not a node`, {
    hint: "start `fairlead up` in this project, then send it again",
  });

/** Why a service cannot be placed in a thread; `undefined` where it can. */
export const cannotLeaveLoop = ({ contract }: LoadedService): FairleadError | undefined =>
  keyedIn(contract).length === 0
    ? undefined
    : failure(
        "failed_precondition",
        `${contract.id} has keyed procedures, which in a cluster run on the kernel's event loop, and is placed in a thread`,
        {
          hint: `remove \`placement.${contract.id}\` from the configuration, or \`cluster\``,
        },
      );
