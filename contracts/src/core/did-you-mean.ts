/**
 * Did-you-mean: the known name nearest to a mistyped one, by edit distance, if it is near enough to be worth saying.
 *
 * The work is bounded, since callers may mistype as often as they like: names of another length are passed over, a comparison ends
 * when it can no longer win, and after so much comparing the best so far has to do.
 */

const longest = 80;
/** Comparisons of two characters for one mistyped name; enough for a thousand names of usual length. */
const mostWork = 200_000;

/** The nearest of `known`, ignoring case; `undefined` when none is within a third of the length. */
export const didYouMean = (typed: string, known: Iterable<string>): string | undefined => {
  if (typed.length > longest) return undefined;
  const target = typed.toLowerCase();
  let best: string | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  let work = mostWork;
  for (const name of known) {
    const candidate = name.toLowerCase();
    const within = Math.min(Math.floor(Math.max(1, name.length / 3)), nearest - 1);
    if (Math.abs(candidate.length - target.length) > within) continue;
    work -= target.length * (2 * within + 1);
    if (work < 0) break;
    const distance = editDistance(target, candidate, within);
    if (distance > within) continue;
    best = name;
    nearest = distance;
    if (distance === 0) break;
  }
  return best;
};

/**
 * Optimal string alignment: insertions, deletions, replacements and swaps of neighbours count one each. Only as far as `within`:
 * what is farther apart than that counts as one more.
 */
const editDistance = (a: string, b: string, within: number): number => {
  const beyond = within + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i += 1) {
    const next: number[] = new Array(b.length + 1).fill(beyond);
    const from = Math.max(1, i - within);
    const to = Math.min(b.length, i + within);
    if (from === 1) next[0] = i;
    let least = from === 1 ? i : beyond;
    for (let j = from; j <= to; j += 1) {
      const replaced = (row[j - 1] ?? beyond) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? beyond) + 1 : replaced;
      const distance = Math.min(replaced, swapped, (row[j] ?? beyond) + 1, (next[j - 1] ?? beyond) + 1);
      next[j] = distance;
      least = Math.min(least, distance);
    }
    // A swap reaches two rows back, so one hopeless row is not the end yet.
    if (least > within && leastBefore > within) return beyond;
    leastBefore = least;
    before = row;
    row = next;
  }
  return Math.min(row[b.length] ?? beyond, beyond);
};
