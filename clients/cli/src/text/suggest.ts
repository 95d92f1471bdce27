/** Did-you-mean for words of the command line: which known one is near, and how it is suggested. Pure. */
import { didYouMean } from "@fairlead/contracts/did-you-mean";

/** The nearest, or the only one that begins like it; `undefined` when none is near enough. */
export const nearest = (typed: string, known: readonly string[]): string | undefined => {
  if (typed === "") return undefined;
  const starting = known.filter((word) => word.toLowerCase().startsWith(typed.toLowerCase()));
  return didYouMean(typed, known) ?? (starting.length === 1 ? starting[0] : undefined);
};

/**
 * The procedure whose own name ends what was typed, word by word, whatever service was said and however words are set apart:
 * `rules.roll` for `roll`, `pob.luaStart` for `lua_start`, `loop.startSession` for `promptwheel_start_session`.
 */
export const findByOwnName = (typed: string, known: readonly string[]): string | undefined => {
  const typedWords = words(typed);
  const fitting = known
    .map((name) => ({ name, own: words(name.slice(name.indexOf(".") + 1)) }))
    .filter(({ own }) => own === typedWords || typedWords.endsWith(` ${own}`));
  return fitting.toSorted((a, b) => b.own.length - a.own.length)[0]?.name;
};

/** `luaStart`, `lua_start` and `LUA-START` as `lua start`. */
const words = (name: string): string =>
  name
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, " ")
    .replace(/[^a-zA-Z\d]+/g, " ")
    .trim()
    .toLowerCase();

/** A question with the names that there are, or the other advice when there is none. */
export const suggestHint = (names: readonly (string | undefined)[], otherwise: string): string => {
  const found = names.filter((name) => name !== undefined);
  return found.length === 0 ? otherwise : `did you mean ${found.join(" or ")}?`;
};
