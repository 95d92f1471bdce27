/**
 * Admission (bulkhead): so many calls of a procedure run at once, so many wait in order of arrival, the rest are refused at once.
 * A slow procedure can therefore never take the others' memory.
 *
 * A free place is a counter, since most calls find one; who waits, waits at a semaphore. Not here: limits of a principal (`rate.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Semaphore from "effect/Semaphore";
import type { Principal } from "../call/call.ts";
import { failure } from "../call/error.ts";

/** How urgent a call is. Calls of the same priority are served in order of arrival. */
type Priority = "normal";

/** Who may run now. What decides is behind this interface. */
export interface Admission {
  /** Calls that hold a place. */
  readonly running: number;
  /** Calls that wait for one. */
  readonly waiting: number;
  /**
   * Takes a place: at once, then it returns nothing; or by an Effect that waits for one, and is interrupted with its call. `deadline`
   * is in milliseconds since the epoch. The Effect fails with `resource_exhausted` when too many wait.
   */
  acquire(principal: Principal, priority: Priority, deadline: number): Effect.Effect<void, FairleadError> | undefined;
  /** Gives a place back. Call it once for every place. */
  release(): void;
}

export interface Bulkhead {
  /** Calls that run at once. */
  readonly concurrency: number;
  /** Calls that may wait. */
  readonly queue: number;
}

/** The bulkhead of one procedure: first come, first served, whoever calls. `fork` runs an Effect that cannot fail. */
export const makeAdmission = (
  procedure: string,
  { concurrency, queue }: Bulkhead,
  fork: (effect: Effect.Effect<unknown>) => void,
): Admission => {
  let running = 0;
  let waiting = 0;
  /** Places on their way from a call that ended to one that waits; they still count as running. */
  let handed = 0;
  // Without permits of its own: each is a place that is handed on.
  let places: Semaphore.Semaphore | undefined;

  const release = (): void => {
    if (places === undefined || waiting === handed) {
      running -= 1;
      return;
    }
    handed += 1;
    fork(places.release(1));
  };

  const wait = Effect.gen(function* () {
    if (waiting >= queue) return yield* Effect.fail(tooMany(procedure, running, queue));
    places ??= yield* Semaphore.make(0);
    const line = places;
    waiting += 1;
    const giveUp = Effect.map(line.takeIfAvailable(1), (taken) => {
      waiting -= 1;
      if (!taken) return;
      // It was handed over in the very turn in which the call ended: the next one gets it.
      handed -= 1;
      release();
    });
    yield* Effect.onInterrupt(line.take(1), () => giveUp);
    waiting -= 1;
    handed -= 1;
  });

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    acquire() {
      if (running >= concurrency) return wait;
      running += 1;
      return undefined;
    },
    release,
  };
};

const tooMany = (procedure: string, running: number, queue: number): FairleadError =>
  failure("resource_exhausted", `${procedure} has ${running} calls running and ${queue} waiting`, {
    hint: "try again shortly",
    retryAfterMs: 1_000,
  });
