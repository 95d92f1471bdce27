/**
 * A service whose keyed procedures run at the node that owns their key: here, where this one does, there where another does. What runs here is answered only while
 * it is certain that no other node owns the key.
 *
 * Not here: who owns what (`node.ts`), a call there (`exchange.ts`).
 */
import { type Contract, FairleadError, type Procedure } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { failure, mayHaveRun } from "../../call/error.ts";
import type { ActiveCall } from "../../dispatch/active-call.ts";
import type { LoadedService } from "../../host/registry.ts";
import { startService } from "../../host/start-service.ts";
import type { Log } from "../../observe/log.ts";
import { type AnyHandler, findHandler, tracked } from "../../service/handler.ts";
import type { Host } from "../../service/host.ts";
import type { Condition } from "../../service/started-service.ts";
import { asActive, placedCall, readKey, toFailure, withPlaced } from "../place.ts";
import type { LostPlace } from "../placement.ts";
import { withoutRate } from "../wire/caller.ts";
import { procedureDigest } from "../wire/digest.ts";
import { errorFromWire, fromWire } from "../wire-side.ts";
import type { ShardClaim } from "./claim.ts";
import { type MovedCall, openExchange } from "./exchange.ts";
import { GuardedEvents } from "./guarded-events.ts";
import type { NodeCall, NodeReply } from "./message.ts";
import type { ClusterNode, Owner } from "./node.ts";
import type { PeerClient } from "./peer-client.ts";
import { findShard } from "./shards.ts";

interface ClusterPlace {
  readonly node: ClusterNode;
  readonly client: PeerClient;
  readonly log: Log;
}

/** Milliseconds that a call waits for its key to have an owner. */
const patienceMs = 15_000;

const isKeyed = ({ placement, renamedTo }: Procedure): boolean =>
  renamedTo === undefined && typeof placement === "object";

export const placeInCluster = (service: LoadedService, place: ClusterPlace): LoadedService => {
  const { contract } = service;
  const keyed = Object.entries(contract.procedures).filter(([, procedure]) => isKeyed(procedure));
  if (keyed.length === 0) return service;
  const handlers = (own: object) =>
    Object.fromEntries(
      keyed.flatMap(([name, { kind }]) => {
        const local = findHandler(own, name);
        if (local === undefined) return [];
        const parts = { ...place, contract, local };
        return [[name, kind === "subscription" ? subscribe(parts) : call(parts)]];
      }),
    );
  const start = (host: Host) =>
    Effect.map(startService(service, host, place.log), (here) =>
      withPlaced(here, { handlers, condition: () => nodeCondition(place.node), children: () => [] }),
    );
  return { ...service, start };
};

const nodeCondition = ({ problem }: ClusterNode): Condition =>
  problem === undefined
    ? { state: "ready" }
    : {
        state: "degraded",
        why: `this node cannot renew what it owns: ${problem.message}`,
        fix: problem.hint ?? "look whether PostgreSQL runs and is reached from here",
      };

interface KeyedParts extends ClusterPlace {
  readonly contract: Contract;
  /** The service's own handler. */
  readonly local: AnyHandler;
}

/** A call on its way: what it is, and whose it is. */
interface RoutedCall {
  readonly input: unknown;
  readonly active: ActiveCall;
  readonly shard: number;
}

const toRouted = ({ contract }: KeyedParts, input: unknown, seen: Parameters<AnyHandler>[1]): RoutedCall => {
  const active = asActive(seen);
  return { input, active, shard: findShard(contract.id, readKey(input, active.target.entry.procedure) ?? "") };
};

const call =
  (parts: KeyedParts): AnyHandler =>
  (input, seen) => {
    const routed = toRouted(parts, input, seen);
    const claim = parts.node.claim(routed.shard);
    if (claim !== undefined) return callHere(parts, routed, claim);
    const { name, procedure } = routed.active.target.entry;
    return route(parts, routed, {
      here: (own) => settled(callHere(parts, routed, own)),
      there: (owner) => callThere(parts, routed, owner),
    }).pipe(Effect.mapError((error) => (isFailure(error) ? errorFromWire(procedure, toFailure(name, error)) : error)));
  };

/** What it fails with that is not the handler's own, which may be anything. */
const isFailure = (error: unknown): error is FairleadError | LostPlace =>
  error instanceof FairleadError ||
  (typeof error === "object" && error !== null && "_tag" in error && error._tag === "LostPlace");

/** The handler, and after it whether this node still owns the key: an answer that may be stale is none. */
const callHere = ({ local }: KeyedParts, { input, active }: RoutedCall, claim: ShardClaim): unknown => {
  claim.begin();
  let isLate = false;
  const stale = () => mayHaveRun(active.target.entry.name, "its node does not own its key any more");
  const certain = <T>(value: T): T => {
    if (claim.isCertain) return value;
    throw stale();
  };
  try {
    const result = local(input, active as never);
    if (Effect.isEffect(result)) {
      isLate = true;
      return (result as Effect.Effect<unknown, unknown>).pipe(
        Effect.catchCause((cause) => (claim.isCertain ? Effect.failCause(cause) : Effect.fail<unknown>(stale()))),
        Effect.flatMap((value) => (claim.isCertain ? Effect.succeed(value) : Effect.fail<unknown>(stale()))),
        // Last: once nothing runs by it, it may be another's.
        Effect.ensuring(Effect.sync(() => claim.end())),
      );
    }
    if (!(result instanceof Promise)) return certain(result);
    isLate = true;
    return result
      .then(certain, (cause: unknown) => {
        throw certain(cause);
      })
      .finally(() => claim.end());
  } finally {
    if (!isLate) claim.end();
  }
};

/** A handler's result, for who waits in an Effect. */
const settled = (result: unknown): Effect.Effect<unknown, unknown> => {
  if (Effect.isEffect(result)) return result as Effect.Effect<unknown, unknown>;
  return result instanceof Promise
    ? Effect.tryPromise({ try: () => result, catch: (cause) => cause })
    : Effect.succeed(result);
};

interface Ways<A> {
  readonly here: (claim: ShardClaim) => Effect.Effect<A, unknown>;
  readonly there: (owner: Extract<Owner, { readonly tag: "there" }>) => Effect.Effect<A, unknown>;
}

/** Finds the owner, and again where that one has not begun it. */
const route = <A>({ node }: KeyedParts, { active, shard }: RoutedCall, ways: Ways<A>): Effect.Effect<A, unknown> =>
  Effect.gen(function* () {
    const { name, procedure } = active.target.entry;
    const until = performance.now() + Math.min(patienceMs, active.scope.leftMs);
    // Whoever sent it here looks for the next owner.
    const mayForward = active.request.transport !== "cluster" && !staysHere(procedure);
    let why = "no node of the cluster owns its key at the moment";
    for (;;) {
      const owner = node.find(shard);
      if (owner.tag === "here") return yield* ways.here(owner.claim);
      if (owner.tag === "there" && staysHere(procedure)) return yield* Effect.fail(belongs(name, owner.node));
      if (owner.tag === "there" && mayForward) {
        const outcome = yield* Effect.result(ways.there(owner));
        if (outcome._tag === "Success") return outcome.success;
        if (!isMoved(outcome.failure)) return yield* Effect.fail(outcome.failure);
        why = outcome.failure.why;
      }
      if (performance.now() >= until || active.request.transport === "cluster")
        return yield* Effect.fail({ _tag: "LostPlace", why, sent: false } satisfies LostPlace);
      yield* Effect.promise(() => node.lookSoon());
    }
  });

const isMoved = (error: unknown): error is MovedCall =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "Moved";

/** Files and questions do not go from node to node. */
const staysHere = (procedure: Procedure): boolean =>
  "upload" in procedure || "download" in procedure || procedure.questions !== undefined;

const belongs = (
  name: string,
  { name: node, address }: { readonly name: string; readonly address: string },
): FairleadError =>
  failure(
    "failed_precondition",
    `${name} with this key belongs to the node ${node}, and files and questions do not go from node to node`,
    {
      hint: `call the kernel of ${node} (${address} is where other nodes reach it)`,
    },
  );

const callThere = (
  parts: KeyedParts,
  routed: RoutedCall,
  owner: Extract<Owner, { readonly tag: "there" }>,
): Effect.Effect<unknown, unknown> => {
  const sent = toNodeCall(parts, routed, false);
  const { onProgress, onLog } = routed.active.request;
  const take = async (signal: AbortSignal): Promise<unknown> => {
    for await (const { kind, value } of await openExchange({ ...parts, owner, call: sent }, signal)) {
      if (kind === "value") return value;
      if (kind === "progress") onProgress?.(value as Parameters<NonNullable<typeof onProgress>>[0]);
      if (kind === "line") onLog?.(String(value));
    }
    throw { _tag: "LostPlace", why: "its answer was cut off", sent: true } satisfies LostPlace;
  };
  return Effect.map(Effect.tryPromise({ try: take, catch: (cause) => cause }), (value) =>
    fromWire(routed.active.target.entry.procedure.output, value),
  );
};

const subscribe =
  (parts: KeyedParts): AnyHandler =>
  (input, seen) => {
    const routed = toRouted(parts, input, seen);
    const claim = parts.node.claim(routed.shard);
    if (claim !== undefined) return eventsHere(parts, routed, claim);
    const { name, procedure } = routed.active.target.entry;
    return Stream.unwrap(
      route<Stream.Stream<unknown, unknown>>(parts, routed, {
        here: (own) => Effect.sync(() => toStream(eventsHere(parts, routed, own))),
        there: (owner) => eventsThere(parts, routed, owner),
      }),
    ).pipe(Stream.mapError((error) => (isFailure(error) ? errorFromWire(procedure, toFailure(name, error)) : error)));
  };

const toStream = (events: unknown): Stream.Stream<unknown, unknown> =>
  Stream.isStream(events)
    ? (events as Stream.Stream<unknown, unknown>)
    : Stream.fromAsyncIterable(events as AsyncIterable<unknown>, (cause) => cause);

const eventsHere = ({ local }: KeyedParts, { input, active }: RoutedCall, claim: ShardClaim): unknown => {
  const moved = () =>
    failure("unavailable", `${active.target.entry.name} ended: its key belongs to another node now`, {
      hint: "subscribe again, after the last event that arrived",
    });
  const events = local(input, active as never);
  if (!Stream.isStream(events)) return new GuardedEvents(events as AsyncIterable<unknown>, claim, moved);
  const left = Effect.callback<never, unknown>((resume) => {
    const stop = claim.onLeaving(() => resume(Effect.fail(moved())));
    return Effect.sync(stop);
  });
  return Stream.suspend(() => {
    claim.begin();
    return (events as Stream.Stream<unknown, unknown>).pipe(
      Stream.mapEffect((event) => (claim.isCertain ? Effect.succeed(event) : Effect.fail<unknown>(moved()))),
      Stream.interruptWhen(left),
      Stream.ensuring(Effect.sync(() => claim.end())),
    );
  });
};

const eventsThere = (
  parts: KeyedParts,
  routed: RoutedCall,
  owner: Extract<Owner, { readonly tag: "there" }>,
): Effect.Effect<Stream.Stream<unknown, unknown>, unknown> => {
  const { output } = routed.active.target.entry.procedure;
  const sent = toNodeCall(parts, routed, true);
  // The call's own signal: the exchange lasts longer than its opening.
  const { signal } = routed.active;
  return Effect.map(
    Effect.tryPromise({ try: () => openExchange({ ...parts, owner, call: sent }, signal), catch: (cause) => cause }),
    (replies) => Stream.fromAsyncIterable(eventsIn(replies, output), (cause) => cause),
  );
};

async function* eventsIn(
  replies: AsyncIterable<NodeReply>,
  output: Procedure["output"],
): AsyncGenerator<unknown, void> {
  for await (const { kind, id, value } of replies) {
    if (kind === "end") return;
    if (kind !== "item") continue;
    const event = fromWire(output, value);
    yield id === undefined ? event : tracked(id, event);
  }
}

/** As it was sent by its caller: the node that runs it decodes it. A procedure's old name is not sent. */
const toNodeCall = ({ contract }: KeyedParts, { input, active, shard }: RoutedCall, isStream: boolean): NodeCall => {
  const placed = placedCall(input, active);
  const { procedure } = active.target.entry;
  const name = procedure.renamedTo ?? placed.procedure;
  const { onProgress, onLog } = active.request;
  return {
    procedure: `${contract.id}.${name}`,
    digest: procedureDigest(contract.procedures[name] ?? procedure),
    shard,
    principal: withoutRate(placed.principal) as NodeCall["principal"],
    traceparent: placed.traceparent,
    notes: [
      ...(onProgress === undefined ? [] : ["progress" as const]),
      ...(onLog === undefined ? [] : ["line" as const]),
    ],
    isStream,
    input: active.request.input,
    ...(Number.isFinite(placed.leftMs) && { timeoutMs: Math.max(1, placed.leftMs) }),
    ...(placed.idempotencyKey !== undefined && { idempotencyKey: placed.idempotencyKey }),
    ...(placed.attempts !== undefined && { attempts: placed.attempts }),
    ...(placed.run !== undefined && { run: placed.run }),
    ...(placed.lastEventId !== undefined && { lastEventId: placed.lastEventId }),
  };
};
