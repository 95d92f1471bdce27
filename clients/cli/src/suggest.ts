/** Did-you-mean for words of the command line: the nearest known one, or the only one that begins like it. Pure. */
import { didYouMean } from "@fairlead/contracts/did-you-mean";

/** `undefined` when none is near enough to be worth saying. */
export const nearest = (typed: string, known: readonly string[]): string | undefined => {
  if (typed === "") return undefined;
  const starting = known.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase()));
  return didYouMean(typed, known) ?? (starting.length === 1 ? starting[0] : undefined);
};
