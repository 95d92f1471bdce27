/**
 * Fronts: processes of this machine that answer requests at the kernel's own port. The kernel accepts, and gives each connection to the
 * front that has the fewest. What a front does not answer itself comes back to the kernel, request by request.
 *
 * Not here: what a front is (`boot/front-kernel.ts`), and the port (`server/shared/`).
 */
import type { Socket } from "node:net";
import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Queue from "effect/Queue";
import type * as Scope from "effect/Scope";
import type { Principal } from "../call/call.ts";
import type { MemoryTransport } from "../call/memory-transport.ts";
import type { Events } from "../observe/event.ts";
import type { Log } from "../observe/log.ts";
import { lookEveryMs } from "../placement/blocked.ts";
import { type Link, LinkLost, type LinkMessage, type LinkServer, makeLink } from "../placement/link.ts";
import { logLost } from "../placement/log-lost.ts";
import { startEntry } from "../placement/process.ts";
import type { EventsRequest, LogNote, PeerRequest, ProgressNote } from "../placement/thread-protocol.ts";
import { callPeer, openPeer } from "../placement/thread-relay.ts";
import type { CallerRates } from "../policy/rate.ts";
import type { TcpAddress } from "../server/server.ts";
import { makeProcessEvent } from "../subprocess/spawn/process-event.ts";
import { toEnding } from "../supervision/child-run.ts";
import type { ChildSpec, RunningChild } from "../supervision/child-spec.ts";
import { type ChildStatus, defaultBackoff, defaultIntensity } from "../supervision/child-state.ts";
import { makeSupervisor } from "../supervision/supervisor.ts";
import type { FrontStart, ReadyNote, RecordsNote, RepayNote } from "./front-protocol.ts";
import { LoanBook } from "./loan-book.ts";
import type { LoanRequest } from "./loans.ts";

interface FrontsOptions {
  readonly count: number;
  /** The module that a front runs. */
  readonly entry: URL;
  /** What the front of a number is started with; the first is 1. Asked at every start. */
  readonly start: (front: number) => FrontStart;
  readonly log: Log;
  readonly events: Events;
  readonly connect: (principal: Principal) => MemoryTransport;
  /** Takes what happened in a front. */
  readonly record: (records: RecordsNote) => void;
  /** The rates of callers, of which fronts borrow. */
  readonly rates: CallerRates;
  /** Milliseconds that a front may answer nothing: those of the longest call that it may have, and some more. */
  readonly silentMs: number;
  /** Milliseconds that a front may take to stop. */
  readonly stopMs: number;
}

export interface Fronts {
  /** From now on connections come, which were accepted at that address. */
  readonly listen: (address: TcpAddress) => Effect.Effect<void>;
  /** Gives it to a front; false where none is up. */
  give(socket: Socket): boolean;
  /** Says which services are ready. */
  announce(ready: ReadyNote): void;
  /** Starts them again, one after the other: their code or their settings may be others. */
  renew(): void;
  children(): readonly ChildStatus[];
  /** Lets them answer what they have, and ends them. */
  readonly drain: Effect.Effect<void>;
}

/** Looks in a row that a front has not answered from which on it gets no connection. */
const mostUnanswered = 4;

/** The place of one front, and the run that is there. */
interface FrontPlace {
  readonly id: string;
  link: Link | undefined;
  pid: number | undefined;
  give: ((socket: Socket) => void) | undefined;
  /** Gives it the port, while it is up and there is none yet. */
  opening: Fiber.Fiber<void> | undefined;
  /** Connections that it has. */
  connections: number;
  /** Looks since it last answered one. */
  unanswered: number;
}

/** Starts the fronts and waits until each is up, or has failed to start once. They stop with the scope. */
export const openFronts = Effect.fnUntraced(function* (
  options: FrontsOptions,
): Effect.fn.Return<Fronts, never, Scope.Scope> {
  const places = Array.from(
    { length: options.count },
    (_, at): FrontPlace => ({ id: `front ${at + 1}`, ...noRun, connections: 0, unanswered: 0 }),
  );
  const shared: FrontTerms = { address: yield* Deferred.make<TcpAddress>(), ready: [] };
  const supervisor = yield* makeSupervisor({
    id: "fronts",
    startup: "at-once",
    children: places.map((place, at) => frontChild(place, at + 1, { options, shared })),
  });
  const tried = new Map(places.map(({ id }) => [id, Deferred.makeUnsafe<void>()]));
  supervisor.onChange(({ id, state: { tag, ...details } }) => {
    options.events.emit("child.state", "kernel", { child: id, state: tag, ...details });
    const first = tried.get(id);
    if (tag !== "Starting" && first !== undefined) Deferred.doneUnsafe(first, Effect.void);
  });
  supervisor.onChange(logLost(options.log));
  supervisor.start();
  yield* Effect.forEach(tried.values(), (first) => Deferred.await(first), { concurrency: "unbounded", discard: true });
  const wanted = yield* Queue.sliding<void>(1);
  const restart = ({ id }: FrontPlace): Effect.Effect<unknown> =>
    Effect.suspend(() => {
      supervisor.restart(id);
      return supervisor.settled(id);
    });
  yield* Effect.forkScoped(
    Effect.forever(Effect.andThen(Queue.take(wanted), Effect.forEach(places, restart, { discard: true }))),
  );
  return {
    listen: (address) =>
      Effect.andThen(
        Deferred.succeed(shared.address, address),
        Effect.forEach(places, ({ opening }) => (opening === undefined ? Effect.void : Fiber.await(opening)), {
          concurrency: "unbounded",
          discard: true,
        }),
      ),
    give(socket) {
      const place = leastLoaded(places);
      if (place?.give === undefined) return false;
      place.connections += 1;
      place.give(socket);
      return true;
    },
    announce(ready) {
      shared.ready = ready;
      for (const { link } of places) link?.note("ready", ready);
    },
    renew: () => void Queue.offerUnsafe(wanted, undefined),
    children: () =>
      supervisor.children().map((status) => ({ ...status, pid: places.find(({ id }) => id === status.id)?.pid })),
    drain: supervisor.stopped,
  };
});

const noRun = { link: undefined, pid: undefined, give: undefined, opening: undefined } as const;

/** Of those that are up and answer, the one with the fewest connections. */
const leastLoaded = (places: readonly FrontPlace[]): FrontPlace | undefined =>
  places
    .filter(({ give, unanswered }) => give !== undefined && unanswered < mostUnanswered)
    .reduce<FrontPlace | undefined>(
      (best, place) => (best === undefined || place.connections < best.connections ? place : best),
      undefined,
    );

/** What all fronts get to know. */
interface FrontTerms {
  readonly address: Deferred.Deferred<TcpAddress>;
  ready: ReadyNote;
}

interface FrontParts {
  readonly options: FrontsOptions;
  readonly shared: FrontTerms;
}

const frontChild = (place: FrontPlace, number: number, parts: FrontParts): ChildSpec => ({
  id: place.id,
  rules: {
    intensity: defaultIntensity,
    backoff: defaultBackoff,
    exceeded: "retry",
    startAfter: [],
    restartWith: [],
  },
  shutdownMs: parts.options.stopMs + 1_000,
  start: openFront(place, number, parts),
});

const openFront = Effect.fnUntraced(function* (
  place: FrontPlace,
  number: number,
  { options, shared }: FrontParts,
): Effect.fn.Return<RunningChild, FairleadError, Scope.Scope> {
  const ended = makeProcessEvent<never, Error>();
  const end = (error: Error): void => {
    Object.assign(place, noRun);
    link.lose(error.message);
    ended.fail(error);
  };
  const link: Link = yield* makeLink((message) => carrier.post(message));
  const listener = { message: (message: unknown) => link.receive(message as LinkMessage), ended: end };
  const start = options.start(number);
  const carrier = yield* Effect.acquireRelease(
    Effect.sync(() => startEntry({ name: place.id, entry: options.entry, env: start.env, start }, listener)),
    ({ kill }) => kill,
  );
  const book = new LoanBook(options.rates, options.count + 1);
  yield* Effect.addFinalizer(() => Effect.sync(() => book.close()));
  yield* Effect.forkScoped(link.serve(serveFront(place, { options, link, book, failed: end })));
  const ask = (kind: string, body: unknown) =>
    Effect.mapError(link.request(kind, body), (error) => toError(place.id, error));
  yield* ask("start", options.events.seq);
  Object.assign(place, { connections: 0, unanswered: 0, pid: carrier.pid });
  const begin = Effect.gen(function* () {
    yield* ask("listen", yield* Deferred.await(shared.address));
    Object.assign(place, { link, give: carrier.give });
    link.note("ready", shared.ready);
  });
  // Up before there is a port: what waits for it is not a part of the first start.
  if (Deferred.isDoneUnsafe(shared.address)) yield* begin;
  else place.opening = yield* Effect.forkScoped(Effect.catch(begin, (error) => Effect.sync(() => end(error))));
  const look = Effect.suspend(() => {
    place.unanswered += 1;
    link.note("ping", options.events.seq);
    if (place.unanswered * lookEveryMs < options.silentMs) return Effect.void;
    options.log("error", "a front has not answered for longer than any call may take: it is ended", {
      front: place.id,
    });
    end(new Error(`${place.id} was blocked`));
    return carrier.kill;
  });
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(lookEveryMs), look)));
  return {
    ended: Effect.map(Effect.flip(ended.wait), (error) =>
      toEnding(Cause.fail(new FairleadError({ code: "unavailable", message: error.message })), place.id),
    ),
    drain: Effect.sync(() => Object.assign(place, { give: undefined })).pipe(
      Effect.andThen(Effect.exit(link.request("stop", undefined))),
      Effect.timeoutOption(options.stopMs),
      Effect.andThen(Effect.sync(() => Object.assign(place, noRun))),
    ),
  };
});

interface FrontRun {
  readonly options: FrontsOptions;
  readonly link: Link;
  readonly book: LoanBook;
  readonly failed: (error: Error) => void;
}

/** What the kernel does for a front. The bodies are typed by their kind, on both sides. */
const serveFront = (place: FrontPlace, { options, link, book, failed }: FrontRun): LinkServer => {
  const { log, events, connect, record } = options;
  const peers = { note: (kind: string, body: ProgressNote): void => link.note(kind, body) };
  return {
    note: (kind, body) => {
      switch (kind) {
        case "records": {
          const records = body as RecordsNote;
          place.connections -= records.closed;
          return record(records);
        }
        case "log": {
          const { level, message, fields } = body as LogNote;
          return log(level, message, fields);
        }
        case "repay": {
          const { principal, ...repaid } = body as RepayNote;
          return book.settle(principal, repaid);
        }
        case "pong":
          place.unanswered = 0;
          return;
        case "failed":
          return failed(body as Error);
      }
    },
    noteFailed: (note, error) => log("error", "a note of a front failed", { front: place.id, note, error }),
    request: (kind, body) =>
      kind === "borrow"
        ? Effect.sync(() => book.lend(body as LoanRequest, performance.now()))
        : callPeer({ connect }, body as PeerRequest, peers),
    stream: (kind, body) =>
      kind === "peer"
        ? openPeer({ connect }, body as PeerRequest, peers)
        : Effect.map(Effect.abortSignal, (signal) => events.read({ ...(body as EventsRequest), signal })),
  };
};

const toError = (id: string, error: FairleadError | LinkLost): FairleadError =>
  error instanceof LinkLost
    ? new FairleadError({ code: "unavailable", message: `${id} did not start: ${error.why}` })
    : error;
