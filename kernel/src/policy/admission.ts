/**
 * Admission (bulkhead): so many calls of a procedure run at once, so many wait, each principal in a queue of its own, the rest are refused at once.
 * A slow procedure can therefore never take the others' memory, and a greedy caller not the others' places.
 *
 * A free place is a counter, since most calls find one. Not here: limits of a principal (`rate.ts`), and the order of those that wait (`fair-queue.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type { Principal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import { FairQueue } from "./fair-queue.ts";

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

/** A call that waits for its place. */
interface Waiter {
  readonly principal: string;
  readonly resume: (effect: Effect.Effect<void, FairleadError>) => void;
  /** `handed`: it has its place, which counts as running, and goes on in this turn of the event loop. */
  state: "waiting" | "handed" | "gone";
}

/**
 * A queue that has not been empty for so long is no burst: only waiting comes of it. From then on as many may wait as get a place within three quarters of the
 * time that a call takes, where that is short: whoever calls a procedure that takes seconds waits rather than calls again.
 */
const standingMs = 200;
const shortMs = 1_000;

/** The bulkhead of one procedure: principals in turn, the calls of each in order of arrival. */
export const makeAdmission = (procedure: string, { concurrency, queue, unit = "calls" }: Bulkhead): Admission => {
  let running = 0;
  let handed = 0;
  let standingSince = 0;
  /** Made when a call waits for the first time. */
  let queued: FairQueue<Waiter> | undefined;
  const pace = new Pace();

  const hand = (waiter: Waiter): void => {
    handed += 1;
    waiter.state = "handed";
    // Not in the stack of the call that ended: each of a thousand would go on in that of the one before.
    queueMicrotask(() => {
      if (waiter.state !== "handed") return;
      handed -= 1;
      waiter.resume(Effect.void);
    });
  };

  const release = (): void => {
    pace.released(queued !== undefined && queued.size > 0);
    const next = running > concurrency ? undefined : queued?.take();
    if (next === undefined) running -= 1;
    else hand(next);
  };

  const leave = (waiter: Waiter): void => {
    const { state } = waiter;
    waiter.state = "gone";
    if (state === "waiting") queued?.remove(waiter.principal, waiter);
    if (state !== "handed") return;
    // It was handed over in the very turn in which the call ended: the next one gets it.
    handed -= 1;
    release();
  };

  /** Why one more of this principal may not wait. */
  const refusal = (line: FairQueue<Waiter>, principal: string, deadline: number): FairleadError | undefined => {
    // The first in line waits whatever the pace was: it is the probe that shows how fast places become free now.
    const isFirst = line.size === 0 && handed === 0;
    if (queue === 0) return tooMany(procedure, { running, queue, unit });
    if (isFirst) {
      pace.age();
      return undefined;
    }
    const ahead = Math.min(line.size, (line.count(principal) + 1) * (line.principals + 1) - 1);
    const waitMs = pace.waitMs(ahead + 1);
    const now = performance.now();
    if (now + waitMs >= deadline) return tooLate(procedure, waitMs);
    const callMs = pace.waitMs(concurrency);
    const isStanding = line.size > 0 && now - standingSince > standingMs && callMs > 0 && callMs < shortMs;
    const most = isStanding ? Math.min(queue, Math.max(1, Math.floor(concurrency * 0.75))) : queue;
    if (line.size < most) return undefined;
    // A principal that has less than its part of the queue takes the room of the one that has most.
    const part = most / (line.principals + (line.count(principal) === 0 ? 1 : 0));
    const last = line.count(principal) + 1 <= part ? line.dropFromLongest() : undefined;
    if (last === undefined)
      return isStanding ? overloaded(procedure, waitMs) : tooMany(procedure, { running, queue: line.size, unit });
    last.state = "gone";
    last.resume(Effect.fail(tooMany(procedure, { running, queue: line.size + 1, unit })));
    return undefined;
  };

  const wait = (principal: string, deadline: number): Effect.Effect<void, FairleadError> =>
    Effect.callback<void, FairleadError>((resume) => {
      queued ??= new FairQueue<Waiter>();
      const line = queued;
      const refused = refusal(line, principal, deadline);
      if (refused !== undefined) {
        resume(Effect.fail(refused));
        return;
      }
      if (line.size === 0) standingSince = performance.now();
      const waiter: Waiter = { principal, resume, state: "waiting" };
      line.add(principal, waiter);
      return Effect.sync(() => leave(waiter));
    });

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queued?.size ?? 0;
    },
    acquire({ id }, priority, deadline) {
      const most = priority === "urgent" ? 2 * concurrency : concurrency;
      if (running >= most) return wait(id, deadline);
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

const overloaded = (procedure: string, waitMs: number): FairleadError =>
  failure("resource_exhausted", `${procedure} is overloaded: calls would wait ${Math.round(waitMs)} ms`, {
    hint: "try again shortly, with fewer calls at a time",
    retryAfterMs: Math.max(1, Math.ceil(waitMs)),
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
