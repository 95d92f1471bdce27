/**
 * How many places a procedure really has: as many as its contract allows, or fewer where fewer serve as many calls in the same time. While calls wait for places, it
 * tries fewer and compares what got done: the time that a call takes is places by rate (Little's law), so the same rate with fewer places is less time in a
 * dependency that was only queueing them. Where the rate falls, the places were needed, however slow the calls are, and they come back.
 *
 * Pure: the clock is given. Not here: who gets a place (`admission.ts`).
 */

/** What it goes by, between two windows. */
export interface LimitState {
  /** Places at present. */
  readonly limit: number;
  /** Windows until the next trial. */
  readonly rest: number;
  /** Windows to rest after a trial that failed; doubled by each, since each costs a part of the rate. */
  readonly pause: number;
  readonly direction: "down" | "up";
  /** The highest rate lately, calls a millisecond. Fades, so that it follows the work. */
  readonly best: number;
  /** A trial under way: the limit before it, and the rate at that. */
  readonly trial?: { readonly from: number; readonly rate: number };
}

const firstPause = 4;
const longestPause = 64;
/** Part of the best rate at which fewer places are enough; and by how much more have to raise it. */
const asGood = 0.95;
const better = 1.05;
/** A trial has so many times the places: low enough that a rate that follows the places is no coincidence. */
const step = { down: 0.75, up: 1.25 } as const;
/** What is left of the best rate after each window. */
const fading = 0.99;

export const firstState = (most: number): LimitState => ({
  limit: most,
  rest: 0,
  pause: firstPause,
  direction: "down",
  best: 0,
});

/** The state after a window in which all places were taken and calls waited; `rate` is what got done, calls a millisecond. */
export const decideLimit = (state: LimitState, rate: number, most: number): LimitState => {
  const best = Math.max(state.best * fading, rate);
  const { limit, rest, pause, direction, trial } = { ...state };
  if (trial !== undefined) {
    const isGood = direction === "down" ? rate >= asGood * best : rate >= better * trial.rate;
    return isGood
      ? { limit, rest: 0, pause: firstPause, direction, best }
      : {
          limit: trial.from,
          rest: pause,
          pause: Math.min(2 * pause, longestPause),
          direction: opposite(direction),
          best,
        };
  }
  if (rest > 0) return { limit, rest: rest - 1, pause, direction, best };
  const wished = direction === "down" ? Math.floor(limit * step.down) : Math.ceil(limit * step.up);
  const next = Math.min(most, Math.max(1, wished));
  return next === limit
    ? { limit, rest: 0, pause, direction: opposite(direction), best }
    : { limit: next, rest, pause, direction, best, trial: { from: limit, rate } };
};

const opposite = (direction: LimitState["direction"]): LimitState["direction"] =>
  direction === "down" ? "up" : "down";

/** Milliseconds without a call that waits after which it is as at first. */
const forgetMs = 10_000;
/** Milliseconds in which no call ends although some wait, after which all places are there: calls may wait for calls of their own. */
const stallMs = 1_000;
/** Calls of a window: so many for each place, and so many at least. Fewer would be chance. */
const callsOfPlace = 4;
const fewestCalls = 64;

/** Measures the windows: those in which calls wait from the first to the last of it. */
export class AdaptiveLimit {
  readonly #most: number;
  readonly #elapsed: () => number;
  #state: LimitState;
  /** When the window began; `undefined` while no call waits. */
  #since: number | undefined;
  /** Calls of it that ended; less than 0 while those of the limit before are still among them. */
  #ended = 0;
  #waitedAt = 0;
  /** When a call ended, or the first of those that wait began to. */
  #movedAt = 0;

  /** `elapsed` gives milliseconds as callers wait them. */
  constructor(most: number, elapsed: () => number) {
    this.#most = most;
    this.#elapsed = elapsed;
    this.#state = firstState(most);
  }

  get places(): number {
    return this.#state.limit;
  }

  /** A call begins to wait, as the first or beside others. */
  waits(isFirst: boolean): void {
    const now = this.#elapsed();
    if (isFirst) this.#movedAt = now;
    if (now - this.#waitedAt > forgetMs) this.#state = firstState(this.#most);
    this.#waitedAt = now;
  }

  /** A call has ended, and others still wait or not. */
  ended(isWaited: boolean): void {
    if (!isWaited) {
      this.#since = undefined;
      return;
    }
    const now = this.#elapsed();
    this.#waitedAt = now;
    this.#movedAt = now;
    if (this.#since === undefined) this.#begin(now);
    this.#ended += 1;
    if (this.#ended === 0) this.#since = now;
    if (this.#ended < Math.max(fewestCalls, callsOfPlace * this.#state.limit)) return;
    const ms = now - (this.#since ?? now);
    const before = this.#state.limit;
    if (ms > 0) this.#state = decideLimit(this.#state, this.#ended / ms, this.#most);
    this.#begin(now);
    if (this.#state.limit !== before) this.#ended = -Math.max(before, this.#state.limit);
  }

  /** Gives all places back where calls wait and none ends; true when it did. Ask it while calls wait. */
  isFreed(): boolean {
    if (this.#state.limit === this.#most || this.#elapsed() - this.#movedAt <= stallMs) return false;
    this.#state = firstState(this.#most);
    this.#since = undefined;
    return true;
  }

  #begin(now: number): void {
    this.#since = now;
    this.#ended = 0;
  }
}
