/**
 * This kernel as a node of a cluster: its lease, its listener for other nodes, and where sessions are kept. Loaded only where a cluster is configured, since PostgreSQL's client
 * is installed by who uses it.
 *
 * Not here: what each of them does (`placement/cluster/`, `store/sessions.ts`).
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { ClusterSettings, PostgresSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { LoadedService } from "../../host/registry.ts";
import type { Log } from "../../observe/log.ts";
import { readClock } from "../../placement/cluster/claim.ts";
import { LeaseTable } from "../../placement/cluster/lease-table.ts";
import { ClusterNode } from "../../placement/cluster/node.ts";
import { PeerClient } from "../../placement/cluster/peer-client.ts";
import { openPeerServer, type PeerService } from "../../placement/cluster/peer-server.ts";
import { placeInCluster } from "../../placement/cluster/place.ts";
import { findShard } from "../../placement/cluster/shards.ts";
import { makeSigner } from "../../placement/wire/signature.ts";
import type { Sessions } from "../../service/sessions.ts";
import { clusterSteps } from "../../store/cluster-tables.ts";
import { PostgresConnection, toClientConfig } from "../../store/connection.ts";
import { prepareSchema } from "../../store/schema.ts";
import { PostgresSessions } from "../../store/sessions.ts";
import { inTurns } from "../../store/turns.ts";

interface ClusterParts {
  readonly settings: ClusterSettings;
  readonly store: PostgresSettings;
  readonly env: Environment;
  readonly log: Log;
}

export interface Cluster {
  readonly place: (service: LoadedService) => LoadedService;
  readonly sessions: (service: string) => Sessions;
  /** Gives what this node owns to the others. Once. */
  readonly leave: Effect.Effect<void>;
}

/** Milliseconds for a question about leases: one that takes longer has come too late. */
const leaseAnswerMs = 2_000;
/** Connections for states of sessions, each of which commits one at a time. */
const sessionConnections = 4;

/** Throws for settings by which no node can be one of a cluster. */
export const checkCluster = ({ settings, env }: Pick<ClusterParts, "settings" | "env">): void =>
  void clusterSecret(settings, env);

export const openCluster = Effect.fnUntraced(function* (
  { settings, store, env, log }: ClusterParts,
  service: Omit<PeerService, "owned">,
): Effect.fn.Return<Cluster, FairleadError, Scope.Scope> {
  const signer = yield* attempt(() => makeSigner(clusterSecret(settings, env)));
  const config = yield* attempt(() => toClientConfig(store, env));
  const connect = (more: object = {}) =>
    Effect.acquireRelease(
      Effect.sync(
        () => new PostgresConnection({ ...config, ...more }, (ask) => prepareSchema(ask, store.schema, clusterSteps)),
      ),
      (connection) => Effect.promise(() => connection.close()),
    );
  const leases = yield* connect({ query_timeout: leaseAnswerMs, connectionTimeoutMillis: leaseAnswerMs });
  const writers = yield* Effect.all(Array.from({ length: sessionConnections }, () => connect()));
  const id = randomUUID();
  const listen = splitAddress(settings.listen ?? "");
  const server = yield* openPeerServer({ listen, node: id, signer, log });
  const address = settings.advertise ?? joinAddress(listen.host, server.port);
  const self = { id, name: settings.name ?? `${hostname()}-${process.pid}`, address };
  const ask = inTurns(writers);
  const proof = signer.sign("fairlead-cluster-proof-1", new Uint8Array());
  const terms = { proof, schema: store.schema, expiryMs: settings.expiryMs };
  const node = new ClusterNode({
    ...{ self, log, clock: readClock, expiryMs: settings.expiryMs },
    table: new LeaseTable(inTurns([leases]), { node: self, ...terms }),
  });
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new PeerClient(signer)),
    (open) => Effect.sync(() => open.close()),
  );
  server.begin({ ...service, owned: (shard) => node.own(shard).then((claim) => claim?.epoch) });
  yield* Effect.forkScoped(node.live);
  const sessions = (service: string): Sessions => {
    const find = (key: string) => node.holding(findShard(service, key));
    return new PostgresSessions({ ask, schema: store.schema, node: id, service, find });
  };
  return {
    place: (placed) => placeInCluster(placed, { node, client, log }),
    sessions,
    leave: yield* Effect.cached(node.leave),
  };
});

const attempt = <A>(work: () => A): Effect.Effect<A, FairleadError> =>
  Effect.try({ try: work, catch: (cause) => cause as FairleadError });

const splitAddress = (address: string): { readonly host: string; readonly port: number } => {
  const split = address.lastIndexOf(":");
  return { host: address.slice(0, split).replaceAll(/[[\]]/g, ""), port: Number(address.slice(split + 1)) };
};

const joinAddress = (host: string, port: number): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;

const clusterSecret = ({ secretFile }: ClusterSettings, env: Environment): string => {
  const given = env.FAIRLEAD_CLUSTER_SECRET ?? (secretFile === undefined ? undefined : readSecret(secretFile));
  if (given !== undefined && given.length >= 16) return given;
  throw new FairleadError({
    code: "failed_precondition",
    message: `calls between the nodes of a cluster are signed, and ${given === undefined ? "no secret is configured" : "the secret is too short"}`,
    hint: "give all nodes the same FAIRLEAD_CLUSTER_SECRET or `cluster.secretFile`, with what `openssl rand -hex 32` makes",
  });
};

const readSecret = (path: string): string => {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new FairleadError(
      {
        code: "failed_precondition",
        message: `cluster.secretFile cannot be read at ${path}`,
        hint: "name a file that this user can read",
      },
      { cause },
    );
  }
};
