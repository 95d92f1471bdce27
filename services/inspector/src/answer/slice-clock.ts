/** The time of a question that runs in slices: when the slice is over, and how long all of them took together, without the turns of others. */
import type { Clock, PauseBudget, Resumable } from "@fairlead/linq";

export class SliceClock implements Clock, PauseBudget {
  readonly #now: () => number;
  #used = 0;
  #began = Number.NaN;
  #until = Number.POSITIVE_INFINITY;
  #longest = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A slice begins, which is to end after so many milliseconds. */
  begin(ms: number): void {
    this.#began = this.#now();
    this.#until = this.#began + ms;
  }

  /** The slice ends. */
  end(): void {
    this.#used += this.#now() - this.#began;
    this.#longest = this.longest();
    this.#began = Number.NaN;
  }

  /** Milliseconds of the longest slice so far, the one that runs included. */
  longest(): number {
    return Number.isNaN(this.#began) ? this.#longest : Math.max(this.#longest, this.#now() - this.#began);
  }

  isSpent(): boolean {
    return this.#now() >= this.#until;
  }

  elapsed(): number {
    return Number.isNaN(this.#began) ? this.#used : this.#used + this.#now() - this.#began;
  }
}

/** Runs work until it is done or the slice that began is over; undefined while there is more to do. */
export const runSlice = <T>(work: Resumable<T>, clock: SliceClock): { readonly value: T } | undefined => {
  for (let othersRan = true; ; othersRan = false) {
    const step = work.next(othersRan);
    if (step.done === true) return { value: step.value };
    if (clock.isSpent()) return undefined;
  }
};
