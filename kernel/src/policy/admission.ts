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

/**
 * How urgent a call is. `urgent`: what an operator needs to see and end an overload, like the kernel's own procedures; it finds a place while
 * others wait, up to as many again.
 */
export type Priority = "normal" | "urgent";

/** Who may run now. What decides is behind this interface. */
export interface Admission {
  /** Calls that hold a place. */
  readonly running: number;
  /** Calls that wait for one. */
  readonly waiting: number;
  /**
   * Takes a place: at once, then it returns nothing; or by an Effect that waits for one, and is interrupted with its call. `deadline`
   * is on the clock of `performance.now()`. The Effect fails with `resource_exhausted` when too many wait, and when the turn would come
   * after the deadline, going by how fast places became free lately; the first in line waits in any case.
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
  /** What runs, for people. Default `calls`. */
  readonly unit?: "calls" | "streams";
}

/** The bulkhead of one procedure: first come, first served, whoever calls. `fork` runs an Effect that cannot fail. */
export const makeAdmission = (
  procedure: string,
  { concurrency, queue, unit = "calls" }: Bulkhead,
  fork: (effect: Effect.Effect<unknown>) => void,
): Admission => {
  let running = 0;
  let waiting = 0;
  /** Places on their way from a call that ended to one that waits; they still count as running. */
  let handed = 0;
  // Without permits of its own: each is a place that is handed on.
  let places: Semaphore.Semaphore | undefined;

  const pace = new Pace();

  const release = (): void => {
    pace.released(waiting > handed);
    if (places === undefined || waiting === handed || running > concurrency) {
      running -= 1;
      return;
    }
    handed += 1;
    fork(places.release(1));
  };

  const wait = Effect.fnUntraced(function* (deadline: number) {
    if (waiting >= queue) return yield* Effect.fail(tooMany(procedure, { running, queue, unit }));
    // The first in line waits whatever the pace was: it is the probe that shows how fast places become free now.
    const isFirst = waiting === handed;
    if (isFirst) pace.age();
    const waitMs = pace.waitMs(waiting + 1);
    if (!isFirst && performance.now() + waitMs >= deadline) return yield* Effect.fail(tooLate(procedure, waitMs));
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
    acquire(_, priority, deadline) {
      const most = priority === "urgent" ? 2 * concurrency : concurrency;
      if (running >= most) return wait(deadline);
      running += 1;
      return undefined;
    },
    release,
  };
};

/** How fast places become free while all are taken. Nothing is said before there are some to go by, nor long after the last of them. */
class Pace {
  static readonly #enough = 8;
  /** When the place that the next gap is counted from was handed on: all places are taken until the next one is free. */
  #last: number | undefined;
  #measuredAt = 0;
  #gaps = 0;
  #meanMs = 0;

  released(wanted: boolean): void {
    if (!wanted && this.#last === undefined) return;
    const now = performance.now();
    if (this.#last !== undefined) {
      this.#gaps += 1;
      this.#meanMs += (now - this.#last - this.#meanMs) / Math.min(this.#gaps, 32);
      this.#measuredAt = now;
    }
    this.#last = wanted ? now : undefined;
  }

  /** Forgets what is older than it took to learn. */
  age(): void {
    if (performance.now() - this.#measuredAt > Pace.#enough * this.#meanMs) this.#gaps = 0;
  }

  /** Milliseconds until that many places have become free. */
  waitMs(places: number): number {
    return this.#gaps < Pace.#enough ? 0 : places * this.#meanMs;
  }
}

interface Load {
  readonly running: number;
  readonly queue: number;
  readonly unit: NonNullable<Bulkhead["unit"]>;
}

const tooMany = (procedure: string, { running, queue, unit }: Load): FairleadError =>
  unit === "streams"
    ? failure("resource_exhausted", `${procedure} has ${running} streams open, which is its limit`, {
        hint: "close a stream that is no longer read, or try again later",
        retryAfterMs: 1_000,
      })
    : failure("resource_exhausted", `${procedure} has ${running} calls running and ${queue} waiting`, {
        hint: "try again shortly",
        retryAfterMs: 1_000,
      });

const tooLate = (procedure: string, waitMs: number): FairleadError =>
  failure(
    "resource_exhausted",
    `${procedure} has no place before the call's deadline: calls wait ${Math.round(waitMs)} ms`,
    {
      hint: "try again shortly, or allow more time",
      retryAfterMs: Math.ceil(waitMs),
    },
  );
