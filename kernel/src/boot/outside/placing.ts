/**
 * Where the services of this kernel run, by its configuration: here, in a thread or in workers of this machine, at whoever offers them over NATS, or at the node of a cluster
 * that owns their key. What of it needs a client that is installed by who uses it is loaded only where it is configured.
 *
 * Not here: each placement (`placement/`).
 */
import { type Contract, FairleadError } from "@fairlead/contracts";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Scope from "effect/Scope";
import type { Dispatch } from "../../call/call.ts";
import type { Config } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { LoadedService } from "../../host/registry.ts";
import type { Log } from "../../observe/log.ts";
import type { NodeStatus } from "../../placement/fleet/roster.ts";
import type { Sessions } from "../../service/sessions.ts";
import type { Cluster } from "./in-cluster.ts";

interface OutsideParts {
  readonly config: Config;
  readonly env: Environment;
  readonly log: Log;
  /** False for a kernel that is opened for one call. */
  readonly stays: boolean;
  /** True for a kernel that takes calls over NATS. */
  readonly isWorker: boolean;
  /** Closes once all services are down, whose last calls go through it. */
  readonly scope: Scope.Scope;
  readonly dispatch: Dispatch;
  readonly contract: (service: string) => Contract | undefined;
}

type PlaceModule = typeof import("../../placement/place.ts");
type ProcessPlace = Parameters<PlaceModule["placeInThread"]>[1];

/** Where services run. */
export interface Outside {
  readonly place: (service: LoadedService, here: ProcessPlace) => Effect.Effect<LoadedService, FairleadError>;
  /** Processes of its fleet on NATS, itself among them. */
  readonly nodes: () => readonly NodeStatus[];
  /** Where sessions of a service are kept; left out where that is a file of its folder. */
  readonly sessions: ((service: string) => Promise<Sessions>) | undefined;
  /** Gives what this kernel owns of a cluster to others. */
  readonly leave: Effect.Effect<void>;
}

export const openOutside = Effect.fnUntraced(function* (parts: OutsideParts): Effect.fn.Return<Outside> {
  const { config, env, log, stays, isWorker, scope } = parts;
  const { placement, workers, nats, cluster } = config;
  const overNats = yield* Effect.cached(
    Effect.flatMap(Effect.promise(loadNats), ({ openPlacing }) =>
      Effect.orDie(openPlacing({ settings: nats ?? noNats, env, log }, scope)),
    ),
  );
  let nodes: Outside["nodes"] = () => [];
  const sendsOverNats = nats !== undefined && stays && !isWorker;
  const placeHere = (service: LoadedService, place: string, here: ProcessPlace) => {
    if (place === "local" && sendsOverNats)
      return Effect.map(overNats, (opened) => {
        nodes = opened.nodes;
        return opened.place(service);
      });
    if (place === "local" && (workers === undefined || !stays)) return Effect.succeed(service);
    return Effect.map(
      Effect.promise(() => import("../../placement/place.ts")),
      ({ placeInThread, placeInWorkers }) =>
        place === "local" ? placeInWorkers(service, { ...here, workers: workers ?? 1 }) : placeInThread(service, here),
    );
  };
  const findPlace = (service: LoadedService): string => {
    const { id } = service.contract;
    return (Object.hasOwn(placement, id) ? placement[id] : undefined) ?? service.placement ?? "local";
  };
  if (cluster === undefined)
    return {
      place: (service, here) => placeHere(service, findPlace(service), here),
      nodes: () => nodes(),
      sessions: undefined,
      leave: Effect.void,
    };
  const [join, forget] = yield* Effect.cachedInvalidateWithTTL(joinCluster(parts), Duration.infinity);
  // A start that comes later may find the port free.
  const inCluster = Effect.tapError(join, () => forget);
  let joined: Cluster | undefined;
  return {
    place: Effect.fnUntraced(function* (service, here) {
      const { refuseKeyed, cannotLeaveLoop } = yield* Effect.promise(
        () => import("../../placement/cluster/outside.ts"),
      );
      if (!stays) return refuseKeyed(service, log);
      const place = findPlace(service);
      const problem = place === "thread" ? cannotLeaveLoop(service) : undefined;
      if (problem !== undefined) return yield* Effect.fail(problem);
      joined = yield* inCluster;
      return joined.place(yield* placeHere(service, place, here));
    }),
    nodes: () => nodes(),
    sessions: (service) => openSessions(joined, service),
    leave: Effect.suspend(() => joined?.leave ?? Effect.void),
  };
});

const joinCluster = ({
  config,
  env,
  log,
  scope,
  dispatch,
  contract,
}: OutsideParts): Effect.Effect<Cluster, FairleadError> => {
  const { cluster: settings, store } = config;
  return Effect.flatMap(
    Effect.tryPromise({ try: loadCluster, catch: (cause) => cause as FairleadError }),
    ({ openCluster }) =>
      // The configuration was refused without a store.
      settings === undefined || store === undefined
        ? Effect.die(new Error("there is no cluster to join"))
        : Scope.provide(openCluster({ settings, store: store.postgres, env, log }, { dispatch, contract }), scope),
  );
};

/** Rejects where PostgreSQL's client is not installed. */
export const loadCluster = () =>
  import("./in-cluster.ts").catch(notInstalled("a cluster is configured, and PostgreSQL's client", "pg@8.23.1"));

/** Rejects where NATS's client is not installed. */
export const loadNats = () =>
  import("./over-nats.ts").catch(notInstalled("NATS is configured, and its client", "@nats-io/transport-node@3.4.0"));

const notInstalled =
  (what: string, name: string) =>
  (cause: unknown): never => {
    const hint = `\`npm install ${name}\` in this project`;
    throw new FairleadError({ code: "failed_precondition", message: `${what} cannot be loaded`, hint }, { cause });
  };

export const noNats = { prefix: "fairlead", trust: "secret" } as const;

/** Of a service in a cluster; rejects in a kernel that is no node. */
const openSessions = (cluster: Cluster | undefined, service: string): Promise<Sessions> =>
  cluster !== undefined
    ? Promise.resolve(cluster.sessions(service))
    : import("../../placement/cluster/outside.ts").then(({ isNoNode }) => {
        throw isNoNode("sessions of a cluster are kept by its nodes");
      });
