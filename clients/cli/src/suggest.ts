/** Did-you-mean for commands: the known word nearest to a mistyped one, if near enough to be worth saying. Pure. */

const longest = 60;

/** The nearest of `known` by edits and swaps of neighbours, at most a third of the word; or the only one that starts like it. */
export const nearest = (typed: string, known: readonly string[]): string | undefined => {
  if (typed === "" || typed.length > longest) return undefined;
  const ranked = known
    .map((word) => ({ word, edits: edits(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits: count }) => count <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.edits - b.edits);
  const starting = known.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase()));
  return ranked[0]?.word ?? (starting.length === 1 ? starting[0] : undefined);
};

const edits = (a: string, b: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
};
