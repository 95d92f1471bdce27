/**
 * Admission (bulkhead): so many calls of a procedure run at once, so many wait, each principal in a queue of its own, the rest are refused at once.
 * A slow procedure can therefore never take the others' memory, and a greedy caller not the others' places.
 *
 * A free place is a counter, since most calls find one. Not here: limits of a principal (`rate.ts`), the order of those that wait (`fair-queue.ts`), and how many
 * places serve best (`adaptive-limit.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type { Principal } from "../call/call.ts";
import { failure } from "../call/error.ts";
import type { AdaptiveLimit } from "./adaptive-limit.ts";
import { FairQueue } from "./fair-queue.ts";
import type { Surplus } from "./surplus.ts";

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
   * is on the clock of `performance.now()`. An error, `resource_exhausted`, is returned when too many wait, and when the turn would come
   * after the deadline, going by how fast places became free lately; the first in line waits in any case. Run the Effect at once.
   */
  acquire(
    principal: Principal,
    priority: Priority,
    deadline: number,
  ): Effect.Effect<void, FairleadError> | FairleadError | undefined;
  /** Gives a place back. Call it once for every place. */
  release(): void;
}

export interface Bulkhead {
  /** Calls that run at once; of calls, fewer for a while where fewer get as much done (`adaptive-limit.ts`). */
  readonly concurrency: number;
  /** Calls that may wait. */
  readonly queue: number;
  /** What runs, for people. Default `calls`. */
  readonly unit?: "calls" | "streams";
  /** By which a queue is standing and places become free: a pause of the process is not an overload. Default: the clock of this event loop. */
  readonly clock?: Pick<RunClock, "now" | "elapsed" | "tickWhile">;
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
/** Milliseconds that such a queue may be empty: calls that began together end together, and the next ones fill it again. */
const gapMs = 50;
/** Calls that may wait in any case: few callers are no overload, however slow the machine. */
const fewestWaiting = 8;

/** The bulkhead of one procedure: principals in turn, the calls of each in order of arrival. */
export const makeAdmission = (
  procedure: string,
  { concurrency, queue, unit = "calls", clock = runClock }: Bulkhead,
): Admission => {
  let running = 0;
  let handed = 0;
  let standingSince = 0;
  /** When a call that waited got its place. */
  let handedAt = Number.NEGATIVE_INFINITY;
  /** Made when a call waits for the first time. */
  let queued: FairQueue<Waiter> | undefined;
  const pace = new Pace(clock);
  /** Both are loaded when a call waits for the first time: until then all places are there. */
  let limit: AdaptiveLimit | undefined;
  let surplus: Surplus | undefined;
  let isLimited = unit === "streams";
  const loadLimit = (): void => {
    if (isLimited) return;
    isLimited = true;
    Promise.all([import("./adaptive-limit.ts"), import("./surplus.ts")]).then(
      ([adaptive, growing]) => {
        limit = new adaptive.AdaptiveLimit(concurrency, () => clock.elapsed());
        surplus = new growing.Surplus();
      },
      // Its places stay as its contract has them.
      () => undefined,
    );
  };
  const places = (): number => limit?.places ?? concurrency;
  const isWaited = (): boolean => queued !== undefined && queued.size > 0;

  const hand = (waiter: Waiter): void => {
    handed += 1;
    handedAt = clock.elapsed();
    surplus?.freed();
    waiter.state = "handed";
    // Not in the stack of the call that ended: each of a thousand would go on in that of the one before.
    queueMicrotask(() => {
      if (waiter.state !== "handed") return;
      handed -= 1;
      waiter.resume(Effect.void);
    });
  };

  /** Hands out what is free: often one place, none where there are fewer now, and several where there are more. */
  const fill = (): void => {
    while (running < places()) {
      const next = queued?.take();
      if (next === undefined) return;
      running += 1;
      hand(next);
    }
  };

  /** True while calls wait. */
  const watch = (): boolean => {
    if (isWaited() && limit?.isFreed() === true) fill();
    return isWaited();
  };

  const release = (): void => {
    pace.released(isWaited());
    limit?.ended(isWaited());
    running -= 1;
    fill();
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
    if (line.size === 0) surplus?.end();
    else surplus?.came(clock.now());
    // The first in line waits whatever the pace was: it is the probe that shows how fast places become free now.
    const isFirst = line.size === 0 && handed === 0;
    if (queue === 0) return tooMany(procedure, { running, queue, unit });
    if (isFirst) {
      pace.age();
      return undefined;
    }
    const ahead = Math.min(line.size, (line.count(principal) + 1) * (line.principals + 1) - 1);
    const waitMs = pace.waitMs(ahead + 1);
    if (performance.now() + waitMs >= deadline) return tooLate(procedure, waitMs);
    const callMs = pace.waitMs(places());
    const hasSurplus = surplus?.isThere === true;
    const since = hasSurplus ? Number.NEGATIVE_INFINITY : standingSince;
    const isStanding = line.size > 0 && clock.now() - since > standingMs && callMs > 0 && callMs < shortMs;
    const most = isStanding ? Math.min(queue, Math.max(fewestWaiting, Math.floor(places() * 0.75))) : queue;
    if (hasSurplus && isStanding) refuseBeyond(line, most, waitMs);
    if (line.size < most) return undefined;
    // A principal that has less than its part of the queue takes the room of the one that has most.
    const part = most / (line.principals + (line.count(principal) === 0 ? 1 : 0));
    const last = line.count(principal) + 1 <= part ? line.dropFromLongest() : undefined;
    if (last === undefined)
      return isStanding ? overloaded(procedure, waitMs) : tooMany(procedure, { running, queue: line.size, unit });
    drop(last, tooMany(procedure, { running, queue: line.size + 1, unit }));
    return undefined;
  };

  const drop = (waiter: Waiter, why: FairleadError): void => {
    waiter.state = "gone";
    waiter.resume(Effect.fail(why));
  };

  /** What came before it was known that more come than can be served would make all that come later wait as long. */
  const refuseBeyond = (line: FairQueue<Waiter>, most: number, waitMs: number): void => {
    while (line.size > most) {
      const last = line.dropFromLongest();
      if (last === undefined) return;
      drop(last, overloaded(procedure, waitMs));
    }
  };

  const wait = (line: FairQueue<Waiter>, principal: string): Effect.Effect<void, FairleadError> =>
    Effect.callback<void, FairleadError>((resume) => {
      loadLimit();
      limit?.waits(line.size === 0);
      clock.tickWhile(watch);
      if (line.size === 0 && clock.elapsed() - handedAt > gapMs) standingSince = clock.now();
      const waiter: Waiter = { principal, resume, state: "waiting" };
      line.add(principal, waiter);
      fill();
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
      const most = priority === "urgent" ? 2 * concurrency : places();
      if (running < most) {
        running += 1;
        return undefined;
      }
      queued ??= new FairQueue<Waiter>();
      return refusal(queued, id, deadline) ?? wait(queued, id);
    },
    release,
  };
};

interface RunClockOptions {
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Calls back every so many milliseconds until the function it gives is called; does not keep the process alive. */
  readonly every: (ms: number, tick: () => void) => () => void;
}

/** Milliseconds between two ticks. */
const tickMs = 10;
/** Milliseconds that one tick counts at most: in a loop that is free most ticks are late by less. */
const longestTickMs = 50;
/** The same where it is about deadlines: a loop that its handlers hold up is late by less. */
const longestTurnMs = 1_000;

const system: RunClockOptions = {
  now: () => performance.now(),
  every: (ms, tick) => {
    const timer = setInterval(tick, ms).unref();
    return () => clearInterval(timer);
  },
};

/**
 * Time as the event loop has lived through it. What the whole process stood still (a stopped machine, other processes, the collector) counts as one short tick: no
 * call could be answered meanwhile, so it says nothing about how long callers wait. It ticks while somebody needs it; else it costs nothing.
 */
export class RunClock {
  readonly #options: RunClockOptions;
  readonly #users = new Set<() => boolean>();
  #stop: (() => void) | undefined;
  #seen: number;
  #lived = 0;
  #elapsed = 0;

  constructor(options: RunClockOptions = system) {
    this.#options = options;
    this.#seen = options.now();
  }

  /** Milliseconds so far. Between two ticks it goes on by as many as one may count. */
  now(): number {
    this.#read();
    return this.#lived;
  }

  /** Milliseconds as callers wait them: time in which the loop was held up counts too, and of a pause one second. */
  elapsed(): number {
    this.#read();
    return this.#elapsed;
  }

  #read(): void {
    const at = this.#options.now();
    this.#lived += Math.min(at - this.#seen, longestTickMs);
    this.#elapsed += Math.min(at - this.#seen, longestTurnMs);
    this.#seen = at;
  }

  /** Ticks from now on for as long as that is true. Give it the same function each time. */
  tickWhile(isNeeded: () => boolean): void {
    this.#users.add(isNeeded);
    if (this.#stop !== undefined) return;
    this.#read();
    this.#stop = this.#options.every(tickMs, () => this.#tick());
  }

  #tick(): void {
    this.#read();
    for (const isNeeded of this.#users) if (!isNeeded()) this.#users.delete(isNeeded);
    if (this.#users.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}

/** The clock of this process's event loop. */
const runClock = new RunClock();

/** How fast places become free while all are taken, in the time that deadlines are in. Nothing is said before there are some to go by, nor long after the last of them. */
class Pace {
  static readonly #enough = 8;
  readonly #clock: Pick<RunClock, "elapsed">;
  /** When the place that the next gap is counted from was handed on: all places are taken until the next one is free. */
  #last: number | undefined;
  #measuredAt = 0;
  #gaps = 0;
  #meanMs = 0;

  constructor(clock: Pick<RunClock, "elapsed">) {
    this.#clock = clock;
  }

  released(wanted: boolean): void {
    if (!wanted && this.#last === undefined) return;
    const now = this.#clock.elapsed();
    if (this.#last !== undefined) {
      this.#gaps += 1;
      this.#meanMs += (now - this.#last - this.#meanMs) / Math.min(this.#gaps, 32);
      this.#measuredAt = performance.now();
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

/** A refusal is no fault that somebody looks for, and under overload there are thousands a second: it has no stack. */
const refuse = (message: string, hint: string, retryAfterMs: number): FairleadError => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return failure("resource_exhausted", message, { hint, retryAfterMs });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

const tooMany = (procedure: string, { running, queue, unit }: Load): FairleadError =>
  unit === "streams"
    ? refuse(
        `${procedure} has ${running} streams open, which is its limit`,
        "close a stream that is no longer read, or try again later",
        1_000,
      )
    : refuse(`${procedure} has ${running} calls running and ${queue} waiting`, "try again shortly", 1_000);

const overloaded = (procedure: string, waitMs: number): FairleadError =>
  refuse(
    `${procedure} is overloaded: calls would wait ${Math.round(waitMs)} ms`,
    "try again shortly, with fewer calls at a time",
    Math.max(1, Math.ceil(waitMs)),
  );

const tooLate = (procedure: string, waitMs: number): FairleadError =>
  refuse(
    `${procedure} has no place before the call's deadline: calls wait ${Math.round(waitMs)} ms`,
    "try again shortly, or allow more time",
    Math.ceil(waitMs),
  );
