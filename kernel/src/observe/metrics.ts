/**
 * Figures of each procedure, cheap enough for every call: a few additions. Read by `kernel.stats`, and shown at `/metrics`.
 *
 * Not here: the figures of services and of the process, and the text format (`boot/figures.ts`, `observe/exposition.ts`).
 */
import type { Code } from "@fairlead/contracts";
import type { BreakerState } from "../policy/breaker.ts";

/** Upper bounds of the buckets of a duration, in seconds. */
export const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** Callers of one deprecated part that are counted by name. */
const mostCallers = 100;
const otherCallers = "(others)";

type Outcome = "ok" | Code;

/** Durations by bucket; the last one has no upper bound. */
export class DurationHistogram {
  readonly buckets: number[] = new Array<number>(bounds.length + 1).fill(0);
  seconds = 0;

  /** Gives the bucket that it is in. */
  observe(milliseconds: number): number {
    const duration = milliseconds / 1_000;
    this.seconds += duration;
    let index = 0;
    while (index < bounds.length && duration > (bounds[index] ?? Number.POSITIVE_INFINITY)) index += 1;
    this.buckets[index] = (this.buckets[index] ?? 0) + 1;
    return index;
  }
}

/** Minutes that are kept one by one. */
const mostMinutes = 60;

/** Calls of one minute on the clock of `performance.now()`. */
interface MinuteOfCalls {
  readonly minute: number;
  readonly buckets: number[];
  failures: number;
}

/** Calls of the last minutes: how many, how many failed, and their durations by bucket. */
interface RecentCalls {
  readonly calls: number;
  readonly failures: number;
  readonly buckets: readonly number[];
}

/** The last hour by the minute: one addition a call. */
class LastHour {
  readonly #minutes: MinuteOfCalls[] = [];

  add(minute: number, bucket: number, failed: boolean): void {
    let latest = this.#minutes.at(-1);
    if (latest?.minute !== minute) {
      latest = { minute, buckets: new Array<number>(bounds.length + 1).fill(0), failures: 0 };
      this.#minutes.push(latest);
      if (this.#minutes.length > mostMinutes) this.#minutes.shift();
    }
    latest.buckets[bucket] = (latest.buckets[bucket] ?? 0) + 1;
    if (failed) latest.failures += 1;
  }

  /** Of the minute that runs, and of those before it. */
  since(minute: number): RecentCalls {
    const buckets = new Array<number>(bounds.length + 1).fill(0);
    let failures = 0;
    for (const each of this.#minutes) {
      if (each.minute < minute) continue;
      failures += each.failures;
      each.buckets.forEach((count, index) => {
        buckets[index] = (buckets[index] ?? 0) + count;
      });
    }
    return { calls: buckets.reduce((sum, count) => sum + count, 0), failures, buckets };
  }
}

const minuteMs = 60_000;

/** Where a procedure's figures come from in addition to its calls. */
interface ProcedureSource {
  readonly running: number;
  readonly waiting: number;
}

/** The figures of one procedure. */
export class ProcedureMetrics {
  readonly procedure: string;
  readonly outcomes = new Map<Outcome, number>();
  /** From arrival to reply. */
  readonly durations = new DurationHistogram();
  /** Waiting for a place, of those that had to. */
  readonly waits = new DurationHistogram();
  /** Times that a handler was run, repeats included. */
  attempts = 0;
  retries = 0;
  /** Times that its handler blocked the event loop. */
  blocks = 0;
  /** Of the call that ended last, in milliseconds. */
  latestMs = 0;
  /** Set where the contract has a breaker. */
  breaker: BreakerState["tag"] | undefined;
  openings = 0;
  /** Calls of what its contract deprecates: by the part, `""` for the procedure itself, and the caller. */
  readonly deprecated = new Map<string, Map<string, number>>();
  lastError: { readonly code: Code; readonly at: number } | undefined;
  readonly #lastHour = new LastHour();
  #source: ProcedureSource;
  readonly #now: () => number;

  constructor(procedure: string, source: ProcedureSource, now: () => number) {
    this.procedure = procedure;
    this.#source = source;
    this.#now = now;
  }

  get running(): number {
    return this.#source.running;
  }

  get waiting(): number {
    return this.#source.waiting;
  }

  /** What runs and waits is counted there from now on. */
  follow(source: ProcedureSource): void {
    this.#source = source;
  }

  /** Records a finished call; `at`: when it ended, on the clock of `performance.now()`. */
  record(outcome: Outcome, milliseconds: number, at: number): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    const bucket = this.durations.observe(milliseconds);
    this.#lastHour.add(Math.floor(at / minuteMs), bucket, outcome !== "ok");
    this.latestMs = milliseconds;
    if (outcome !== "ok") this.lastError = { code: outcome, at: this.#now() };
  }

  /** The calls of the last so many minutes, 60 at most; the one that runs is not over yet. `at`: now, on the same clock. */
  recent(minutes: number, at: number): RecentCalls {
    return this.#lastHour.since(Math.floor(at / minuteMs) - minutes + 1);
  }

  /** Counts a use of a deprecated part; callers beyond the first hundred count together. */
  countDeprecated(part: string, caller: string): void {
    const callers = this.deprecated.get(part) ?? new Map<string, number>();
    this.deprecated.set(part, callers);
    const key = callers.has(caller) || callers.size < mostCallers ? caller : otherCallers;
    callers.set(key, (callers.get(key) ?? 0) + 1);
  }

  /** Records that the breaker has another state. */
  breakerBecame(state: BreakerState["tag"]): void {
    this.breaker = state;
    if (state === "Open") this.openings += 1;
  }
}

export interface Metrics {
  /** Registers a procedure, or the one that takes its place; `source` says what runs and waits now. */
  procedure(name: string, source: ProcedureSource): ProcedureMetrics;
  list(): readonly ProcedureMetrics[];
  /** Restarts after a failure, by service. */
  readonly restarts: Map<string, number>;
  /** Requests that were refused before they were calls, by why. */
  readonly refusals: Map<string, number>;
  countRefusal(reason: string): void;
}

export const makeMetrics = (now: () => number = Date.now): Metrics => {
  const procedures = new Map<string, ProcedureMetrics>();
  const refusals = new Map<string, number>();
  return {
    restarts: new Map(),
    refusals,
    countRefusal: (reason) => void refusals.set(reason, (refusals.get(reason) ?? 0) + 1),
    procedure(name, source) {
      const known = procedures.get(name) ?? new ProcedureMetrics(name, source, now);
      known.follow(source);
      procedures.set(name, known);
      return known;
    },
    list: () => [...procedures.values()],
  };
};
