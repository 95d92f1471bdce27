/**
 * Did-you-mean: the known name nearest to a mistyped one, by edit distance, if it is near enough to be worth saying.
 */

const longest = 80;

/** The nearest of `known`, ignoring case; `undefined` when none is within a third of the length. */
export const didYouMean = (typed: string, known: Iterable<string>): string | undefined => {
  if (typed.length > longest) return undefined;
  const wanted = typed.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance <= Math.max(1, name.length / 3) && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) {
      best = { name, distance };
    }
  }
  return best?.name;
};

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours count one each. */
const editDistance = (a: string, b: string): number => {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Number.POSITIVE_INFINITY) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
};
