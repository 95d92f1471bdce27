/** Quantiles of durations that are counted in buckets: what they are at most one bucket off. Pure. */
import { bounds } from "./metrics.ts";

/** The duration in milliseconds that this share of the calls took at most, by linear interpolation in its bucket; `null` for no calls. */
export const quantileMs = (buckets: readonly number[], share: number): number | null => {
  const total = buckets.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [index, count] of buckets.entries()) {
    if (count > 0 && below + count >= rank) {
      const from = index === 0 ? 0 : (bounds[index - 1] ?? 0);
      // What is above the last bound is said to be at it: nothing more is known.
      const to = bounds[index] ?? from;
      const seconds = from + ((to - from) * (rank - below)) / count;
      return Math.round(seconds * 1_000_000) / 1_000;
    }
    below += count;
  }
  return (bounds.at(-1) ?? 0) * 1_000;
};
