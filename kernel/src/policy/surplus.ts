/**
 * Whether more calls come than get a place, for too long to be a burst: a burst comes once, and callers who wait for each answer send no more than they
 * get. Pure: the clock is given. Not here: what follows from it (`admission.ts`).
 */

/** Milliseconds of a window, and how many in a row have to have a surplus: the first one may be a burst. */
const windowMs = 25;
const windowsInARow = 2;
/** Calls for each place that became free, from which on there are more than can be served. */
const ratio = 1.25;
/** Places that become free in a window at least: fewer would be chance. */
const fewestFreed = 8;

export class Surplus {
  #since: number | undefined;
  #came = 0;
  #freed = 0;
  #inARow = 0;

  /** True from the end of the last window that it takes, until one without a surplus ends. */
  get isThere(): boolean {
    return this.#inARow >= windowsInARow;
  }

  /** A call came that found no place, at so many milliseconds. */
  came(now: number): void {
    this.#since ??= now;
    this.#came += 1;
    if (now - this.#since < windowMs || this.#freed < fewestFreed) return;
    this.#inARow = this.#came > ratio * this.#freed ? this.#inARow + 1 : 0;
    this.#begin(now);
  }

  /** A call that waited got a place. */
  freed(): void {
    this.#freed += 1;
  }

  /** No call waits any more. */
  end(): void {
    this.#inARow = 0;
    this.#begin(undefined);
  }

  #begin(now: number | undefined): void {
    this.#since = now;
    this.#came = 0;
    this.#freed = 0;
  }
}
