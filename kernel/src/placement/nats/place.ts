/**
 * A service whose procedures that may run elsewhere run at whoever offers them over NATS, and the others here.
 *
 * Not here: the calls (`peers.ts`), and services in threads and workers of this machine (`../place.ts`).
 */
import type { Contract, Procedure } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { LoadedService } from "../../host/registry.ts";
import { startService } from "../../host/start-service.ts";
import type { Log } from "../../observe/log.ts";
import { type AnyHandler, tracked } from "../../service/handler.ts";
import type { Host } from "../../service/host.ts";
import type { ChildStatus } from "../../supervision/child-state.ts";
import { asActive, placedCall, readKey, toFailure, withPlaced } from "../place.ts";
import { errorFromWire, fromWire } from "../wire-side.ts";
import type { PeerCall, Peers } from "./peers.ts";

interface NatsPlace {
  readonly peers: Peers;
  /** How many places keys have; keyed procedures run here where there are none. */
  readonly places: number | undefined;
  readonly log: Log;
}

/** Whether a procedure goes over NATS: files and questions do not, and keys need places. */
export const isOffered = (procedure: Procedure, places: number | undefined): boolean => {
  const { placement, renamedTo } = procedure;
  if (renamedTo !== undefined || "upload" in procedure || "download" in procedure) return false;
  if (procedure.questions !== undefined) return false;
  return placement === "stateless" || (typeof placement === "object" && places !== undefined);
};

export const placeOverNats = (service: LoadedService, { peers, places, log }: NatsPlace): LoadedService => {
  const { contract } = service;
  const sent = Object.entries(contract.procedures).filter(([, procedure]) => isOffered(procedure, places));
  if (sent.length === 0) return service;
  const handlers = Object.fromEntries(
    sent.map(([name, { kind }]) => [name, (kind === "subscription" ? subscribe : call)(peers, contract)]),
  );
  const condition = () => {
    const why = peers.down();
    if (why === undefined) return { state: "ready" } as const;
    return { state: "degraded", why, fix: "look whether nats-server runs and is reached from here" } as const;
  };
  peers.join(contract);
  const start = (host: Host) =>
    Effect.map(startService(service, host, log), (here) =>
      withPlaced(here, { handlers, condition, children: () => nodesOffering(peers, contract.id) }),
    );
  return { ...service, start };
};

/** The workers of a service, as its children are shown: a lost one is in `Backoff`, since something may start it again. */
const nodesOffering = (peers: Peers, id: string): readonly ChildStatus[] =>
  peers
    .nodes()
    .filter(({ role, services }) => role === "worker" && services.some((service) => service.id === id))
    .map(({ name, host, pid, started, quietMs, state }) => {
      const now = Date.now();
      const lost = { code: "unavailable", message: `${name} at ${host} is not heard of`, retryable: true } as const;
      return {
        id: `${name} at ${host}`,
        restart: "permanent",
        restarts: 0,
        pid,
        state:
          state === "Ready"
            ? { tag: "Ready", since: started, life: 1 }
            : state === "Lost"
              ? { tag: "Backoff", since: now - quietMs, until: now, attempt: 1, error: lost }
              : { tag: "Draining", since: now - quietMs, life: 1 },
      };
    });

const call =
  (peers: Peers, contract: Contract): AnyHandler =>
  (input, seen) => {
    const { procedure, name, sent } = toPeer(input, seen);
    return peers.call(contract, sent).pipe(
      Effect.map((value) => fromWire(procedure.output, value)),
      Effect.mapError((error) => errorFromWire(procedure, toFailure(name, error))),
    );
  };

const subscribe =
  (peers: Peers, contract: Contract): AnyHandler =>
  (input, seen) => {
    const { procedure, name, sent } = toPeer(input, seen);
    return peers.subscribe(contract, sent).pipe(
      Stream.map(({ id, value }) => {
        const event = fromWire(procedure.output, value);
        return id === undefined ? event : tracked(id, event);
      }),
      Stream.mapError((error) => errorFromWire(procedure, toFailure(name, error))),
    );
  };

/** What was sent by the caller goes on as it came: its worker decodes it. A procedure's old name is not offered. */
const toPeer = (input: unknown, seen: Parameters<AnyHandler>[1]) => {
  const active = asActive(seen);
  const { name, procedure } = active.target.entry;
  const key = readKey(input, procedure);
  const { onBlocked: _, ...placed } = placedCall(input, active);
  const sent: PeerCall = {
    ...placed,
    procedure: procedure.renamedTo ?? placed.procedure,
    input: active.request.input,
    ...(key !== undefined && { key }),
  };
  return { procedure, name, sent };
};
