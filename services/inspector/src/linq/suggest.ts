/**
 * Did-you-mean: the known names nearest to a misspelt one.
 *
 * Distance is Damerau-Levenshtein (adjacent swaps count one), case ignored. Candidates are capped, so that a shape with many
 * members costs no more than one with few.
 */

const maxCandidates = 2_000;
const maxLength = 64;

/** The best candidate within a third of the name's length, or one that contains the name; `undefined` when none is near. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined => {
  const wanted = name.toLowerCase().slice(0, maxLength);
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > maxCandidates) break;
    const lower = candidate.toLowerCase().slice(0, maxLength);
    if (Math.abs(lower.length - wanted.length) >= bestDistance) continue;
    const found = distance(wanted, lower);
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best ?? containing(wanted, candidates);
};

/** A hint for an unknown name: the nearest one, else a few of those there are. */
export const didYouMean = (name: string, candidates: Iterable<string>): string | undefined => {
  const known = [...new Set(candidates)];
  const near = nearest(name, known);
  if (near !== undefined) return `did you mean '${near}'?`;
  if (known.length === 0) return undefined;
  const some = known.slice(0, 8).join(", ");
  return known.length > 8 ? `there are ${some} and ${known.length - 8} more` : `there is ${some}`;
};

const containing = (wanted: string, candidates: Iterable<string>): string | undefined => {
  if (wanted.length < 3) return undefined;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > maxCandidates) break;
    if (candidate.toLowerCase().includes(wanted)) return candidate;
  }
  return undefined;
};

const distance = (a: string, b: string): number => {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, (older[j - 2] ?? 0) + 1);
      row.push(value);
    }
    older = last;
    last = row;
  }
  return last[b.length] ?? 0;
};
