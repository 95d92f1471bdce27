/**
 * Whether more requests arrive than are served, going by the queue in front of the event loop: it has to grow from one window of time to the next for a while, and to
 * have become long. A burst, however large, grows it once; callers who wait for each answer, however many, keep it as it is; a pause of the process is one window.
 *
 * Pure: the clock is given. Not here: the queue, and who is refused (`turns.ts`).
 */

interface OverloadOptions {
  /** Milliseconds that the queue has to grow. 0: whatever waits is overload. */
  readonly growthMs: number;
}

/** Milliseconds of a window. One that is longer, since the loop was held up, counts as one. */
const windowMs = 100;
/** Requests that wait at least. */
const fewestWaiting = 64;
/** Arrivals for each request that was begun, from which on a queue grows. */
const surplus = 1.1;

export class Overload {
  readonly #growthMs: number;
  #since: number | undefined;
  #arrived = 0;
  #begun = 0;
  #grownMs = 0;
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

  begun(): void {
    this.#begun += 1;
  }

  /** To be called in each turn of the loop that had all arrivals, with the requests that wait after it. */
  look(now: number, waiting: number): void {
    if (waiting === 0) {
      this.#begin(undefined);
      this.#grownMs = 0;
      return;
    }
    this.#since ??= now;
    if (now - this.#since < windowMs) return;
    this.#grownMs = this.#arrived > this.#begun * surplus ? this.#grownMs + windowMs : 0;
    if (this.#grownMs >= this.#growthMs && waiting >= fewestWaiting) this.#isOver = true;
    this.#begin(now);
  }

  /** Begins the window again: what arrives in this one may have waited outside since long. */
  skip(): void {
    this.#begin(undefined);
  }

  /** All is well again. */
  end(): void {
    this.#begin(undefined);
    this.#grownMs = 0;
    this.#isOver = this.#growthMs <= 0;
  }

  #begin(now: number | undefined): void {
    this.#since = now;
    this.#arrived = 0;
    this.#begun = 0;
  }
}
