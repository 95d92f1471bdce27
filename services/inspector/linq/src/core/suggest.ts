/** Did-you-mean for names of the language: the nearest known one, or else what there is. Many candidates cost no more than some. */
import { nearestName } from "./nearest-name.ts";

const maxCandidates = 2_000;

/** The best candidate within a third of its length, or one that contains the name; `undefined` when none is near, or all are. */
export const nearest = (name: string, candidates: Iterable<string>): string | undefined =>
  name.length < 3 ? undefined : (nearestName(name, candidates) ?? containing(name.toLowerCase(), candidates));

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
