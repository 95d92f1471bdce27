/**
 * Whether the event loop has more to do than it can, going by the queue in front of it: for a while it has to grow from one window of time to the next, or to keep a length that
 * costs everybody a long wait while others still come. A burst, however large, grows it once; few callers who wait for each answer keep it short; a pause of the process is one window.
 *
 * Pure: the clock is given. Not here: the queue, and who is refused (`turns.ts`).
 */

interface OverloadOptions {
  /** Milliseconds that the queue has to grow, or to stand; half of it is a long wait. 0: whatever waits is overload. */
  readonly growthMs: number;
}

/** Milliseconds of a window. One that is longer, since the loop was held up, counts as one. */
const windowMs = 100;
/** Requests that wait at least in a queue that grows, and in one that stands. */
const fewestGrowing = 64;
const fewestStanding = 128;
/** Arrivals for each request that was begun, from which on a queue grows, and from which on it does not shrink. */
const surplus = 1.1;
const supply = 0.9;

export class Overload {
  readonly #growthMs: number;
  #since: number | undefined;
  #arrived = 0;
  #begun = 0;
  /** The shortest wait of those that were begun. */
  #leastMs = Number.POSITIVE_INFINITY;
  #overMs = 0;
  #isOver = false;

  constructor({ growthMs }: OverloadOptions) {
    this.#growthMs = growthMs;
    this.#isOver = growthMs <= 0;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  arrived(): void {
    this.#arrived += 1;
  }

  /** A request was begun that had waited so many milliseconds. */
  begun(waitedMs: number): void {
    this.#begun += 1;
    this.#leastMs = Math.min(this.#leastMs, waitedMs);
  }

  /** To be called in each turn of the loop that had all arrivals, with the requests that wait after it. */
  look(now: number, waiting: number): void {
    if (waiting === 0) {
      this.#begin(undefined);
      this.#overMs = 0;
      return;
    }
    this.#since ??= now;
    if (now - this.#since < windowMs) return;
    const grows = this.#arrived > this.#begun * surplus;
    const stands =
      waiting >= fewestStanding && this.#leastMs > this.#growthMs / 2 && this.#arrived >= this.#begun * supply;
    this.#overMs = grows || stands ? this.#overMs + windowMs : 0;
    if (this.#overMs >= this.#growthMs && waiting >= fewestGrowing) this.#isOver = true;
    this.#begin(now);
  }

  /** Begins the window again: what arrives in this one may have waited outside since long. */
  skip(): void {
    this.#begin(undefined);
  }

  /** All is well again. */
  end(): void {
    this.#begin(undefined);
    this.#overMs = 0;
    this.#isOver = this.#growthMs <= 0;
  }

  #begin(now: number | undefined): void {
    this.#since = now;
    this.#arrived = 0;
    this.#begun = 0;
    this.#leastMs = Number.POSITIVE_INFINITY;
  }
}
