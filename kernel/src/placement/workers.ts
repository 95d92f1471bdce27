/**
 * The placement `workers`: a service in several processes of this machine. A call without a key goes to the worker with the fewest calls, one
 * with a key always to the same worker, which has the state of that key. A worker that ends is started again in its place, so keys never move.
 *
 * Not here: one worker (`process.ts`, `worker-place.ts`), and which procedures are placed (`place.ts`).
 */

import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import { toEnding } from "../supervision/child-run.ts";
import type { ChildSpec, RunningChild } from "../supervision/child-spec.ts";
import { type ChildStatus, defaultBackoff, defaultIntensity } from "../supervision/child-state.ts";
import { makeSupervisor } from "../supervision/supervisor.ts";
import { logLost } from "./log-lost.ts";
import type { LostPlace, PlacedCall, PlacedDetails, Placement } from "./placement.ts";
import { startProcess } from "./process.ts";
import { openRemoteRun } from "./remote-run.ts";
import { makeOwnership } from "./rendezvous.ts";
import type { ThreadStart } from "./thread-protocol.ts";
import type { ThreadOptions } from "./thread-relay.ts";
import { WorkerPlace } from "./worker-place.ts";

interface WorkersOptions extends Omit<ThreadOptions, "start"> {
  /** What the worker of a number is started with; the first is 1. */
  readonly start: (worker: number) => ThreadStart;
  /** How many there are; at least one. */
  readonly count: number;
}

/** Places that a call is sent to, one after the other, where one was lost before its handler had begun. */
const mostTries = 3;

/** Starts the workers and waits until each is up, or has failed to start once. They stop with the scope. */
export const openWorkers = Effect.fnUntraced(function* ({
  count,
  start,
  ...options
}: WorkersOptions): Effect.fn.Return<Placement, never, Scope.Scope> {
  const places = Array.from({ length: count }, (_, at) => new WorkerPlace(`worker ${at + 1}`));
  const byId = new Map(places.map((place) => [place.id, place]));
  const supervisor = yield* makeSupervisor({
    id: "workers",
    startup: "at-once",
    children: places.map((place, at) => workerChild(place, at + 1, { ...options, start: start(at + 1) })),
  });
  supervisor.onChange(({ id, state }) => byId.get(id)?.follow(state));
  supervisor.onChange(logLost(options.log, { service: start(1).service }));
  supervisor.start();
  yield* Effect.forEach(places, ({ tried }) => tried, { concurrency: "unbounded", discard: true });
  const choose = choosePlace(places);
  const children = (): readonly ChildStatus[] =>
    supervisor.children().map((status) => ({
      ...status,
      pid: byId.get(status.id)?.pid,
      calls: byId.get(status.id)?.inFlight ?? 0,
    }));
  return {
    call: (call) => {
      const attempt = (left: number): Effect.Effect<unknown, FairleadError | LostPlace> =>
        Effect.suspend(() => {
          const place = choose(call);
          return place.whenReady.pipe(
            Effect.flatMap((placement) => counted(place, placement.call(call))),
            Effect.catchIf(isUnsent, (lost) => (left > 1 ? attempt(left - 1) : Effect.fail(lost))),
          );
        });
      return attempt(mostTries);
    },
    subscribe: (call) =>
      Stream.unwrap(
        Effect.suspend(() => {
          const place = choose(call);
          return Effect.map(place.whenReady, (placement) =>
            Stream.unwrap(
              Effect.as(
                Effect.acquireRelease(enter(place), () => leave(place)),
                placement.subscribe(call),
              ),
            ),
          );
        }),
      ),
    drain: supervisor.stopped,
    health: () => describe(places, children()),
    checks: Effect.succeed([]),
  };
});

const isUnsent = (error: FairleadError | LostPlace): error is LostPlace =>
  !(error instanceof FairleadError) && !error.sent;

const enter = (place: WorkerPlace): Effect.Effect<void> =>
  Effect.sync(() => {
    place.inFlight += 1;
  });

const leave = (place: WorkerPlace): Effect.Effect<void> =>
  Effect.sync(() => {
    place.inFlight -= 1;
  });

const counted = <A, E>(place: WorkerPlace, work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    place.inFlight += 1;
    return Effect.onExit(work, () => leave(place));
  });

/** The owner of a call's key; without one, of the workers that are up the one with the fewest calls, in turn where several have as few. */
const choosePlace = (places: readonly WorkerPlace[]): ((call: PlacedCall) => WorkerPlace) => {
  const byId = new Map(places.map((place) => [place.id, place]));
  const findOwner = makeOwnership(places.map(({ id }) => id));
  let turn = 0;
  const freest = (): WorkerPlace => {
    turn = (turn + 1) % places.length;
    const inTurn = [...places.slice(turn), ...places.slice(0, turn)];
    const load = ({ placement, inFlight }: WorkerPlace): number =>
      placement === undefined ? Number.POSITIVE_INFINITY : inFlight;
    return inTurn.reduce((best, place) => (load(place) < load(best) ? place : best));
  };
  return ({ key }) => (key === undefined ? undefined : byId.get(findOwner(key))) ?? freest();
};

const workerChild = (place: WorkerPlace, number: number, options: ThreadOptions): ChildSpec => ({
  id: place.id,
  rules: {
    intensity: defaultIntensity,
    backoff: defaultBackoff,
    exceeded: "retry",
    startAfter: [],
    restartWith: [],
  },
  shutdownMs: options.stopMs + 1_000,
  start: Effect.gen(function* () {
    const run = yield* openRemoteRun(options, startProcess(number));
    place.begin(run);
    yield* Effect.addFinalizer(() => Effect.sync(() => place.end()));
    const ended = Effect.mapError(run.ended, ({ message }) => new FairleadError({ code: "unavailable", message }));
    const child: RunningChild = {
      ended: Effect.map(Effect.flip(ended), (error) => toEnding(Cause.fail(error), place.id)),
      drain: run.placement.drain,
    };
    return child;
  }),
});

/** Degraded as long as one is not up. */
const describe = (places: readonly WorkerPlace[], children: readonly ChildStatus[]): PlacedDetails => {
  const down = places.filter(({ placement }) => placement === undefined).map(({ id }) => id);
  const details = places.find(({ placement }) => placement !== undefined)?.placement?.health();
  return {
    condition:
      down.length === 0
        ? { state: "ready" }
        : {
            state: "degraded",
            why: `${down.join(" and ")} of ${places.length} ${down.length === 1 ? "is" : "are"} not up`,
            fix: "wait for the restart, or look into the log",
          },
    off: {},
    info: details?.info ?? {},
    children,
  };
};
