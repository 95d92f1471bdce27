/**
 * A histogram of latencies that is exact to a thousandth at any size: counts by value below 2,048 us, and above by the first eleven bits of the value.
 * So a percentile needs no list of all calls, and what is rare is not lost. Pure.
 */

const bits = 11;
const exact = 2 ** bits;
const half = exact / 2;
/** An hour. What takes longer counts as an hour. */
const longest = 3_600_000_000;

const indexOf = (micros: number): number => {
  if (micros < exact) return micros;
  const shift = Math.floor(Math.log2(micros)) - (bits - 1);
  return shift * half + Math.floor(micros / 2 ** shift);
};

/** The largest value that is counted there. */
const valueAt = (index: number): number => {
  if (index < exact) return index;
  const shift = Math.floor(index / half) - 1;
  return (index - shift * half + 1) * 2 ** shift - 1;
};

export class Histogram {
  readonly #counts: number[] = [];
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  /** Microseconds. */
  get max(): number {
    return this.#max;
  }

  record(micros: number): void {
    const value = Math.min(longest, Math.max(0, Math.round(micros)));
    const index = indexOf(value);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count += 1;
    if (value > this.#max) this.#max = value;
  }

  /** Microseconds that this share of the calls took at most: 0.5 for the median. 0 where there are none. */
  percentile(share: number): number {
    let left = Math.ceil(share * this.#count);
    for (const [index, count = 0] of this.#counts.entries()) {
      left -= count;
      if (left <= 0 && count > 0) return Math.min(valueAt(index), this.#max);
    }
    return this.#max;
  }

  /** How many took at most so many microseconds, for each of these bounds, which grow; what is above the last comes last. */
  countsUpTo(bounds: readonly number[]): readonly number[] {
    const counts = Array.from({ length: bounds.length + 1 }, () => 0);
    let at = 0;
    for (const [index, count = 0] of this.#counts.entries()) {
      while (at < bounds.length && Math.min(valueAt(index), this.#max) > (bounds[at] ?? 0)) at += 1;
      counts[at] = (counts[at] ?? 0) + count;
    }
    return counts;
  }
}

/** 1, 2 and 5 of each power of ten, in microseconds, from the least to the greatest of what was counted. */
export const makeSteps = (histogram: Histogram): readonly number[] => {
  const steps: number[] = [];
  for (let power = 1; power <= longest; power *= 10) steps.push(power, 2 * power, 5 * power);
  const least = histogram.percentile(0);
  const first = Math.max(
    0,
    steps.findIndex((step) => step >= least),
  );
  const last = steps.findIndex((step) => step >= histogram.max);
  return steps.slice(first, last === -1 ? steps.length : last + 1);
};
