/**
 * How many tokens a text is about, by the shapes of its words: o200k_base takes 2 MB to count exactly, and a limit needs no more than this. It is
 * meant to be rather too high than too low. Pure, in one pass.
 */

/** Letters that a common word or part of a name has in one token. */
const wordLetters = 6;
const capitalsOfToken = 2;
const digitsOfToken = 3;
/** JSON puts the same few marks beside each other, like `","`, and those are one token. */
const marksOfToken = 3;

type CharacterKind = "lower" | "upper" | "digit" | "space" | "mark" | "other";

export const estimateTokens = (text: string): number =>
  text.length <= mostRead ? countTokens(text) : (countTokens(text.slice(0, mostRead)) * text.length) / mostRead;

/** Of a text that is longer, the beginning stands for the rest. */
const mostRead = 262_144;

const countTokens = (text: string): number => {
  let tokens = 0;
  let run = 0;
  let before: CharacterKind = "space";
  for (let at = 0; at < text.length; at += 1) {
    const kind = readKind(text.charCodeAt(at));
    // A capital begins a word; what follows it goes on with that word.
    const goesOn = kind === before || (kind === "lower" && before === "upper" && run === 1);
    if (!goesOn) {
      tokens += priceRun(before, run);
      run = 0;
    }
    run += 1;
    before = kind;
  }
  return tokens + priceRun(before, run);
};

const priceRun = (kind: CharacterKind, length: number): number => {
  switch (kind) {
    case "lower":
      return Math.ceil(length / wordLetters);
    case "upper":
      return Math.ceil(length / capitalsOfToken);
    case "digit":
      return Math.ceil(length / digitsOfToken);
    case "mark":
      return Math.ceil(length / marksOfToken);
    case "other":
      return length;
    case "space":
      return length > 1 ? 1 : 0;
  }
};

const readKind = (code: number): CharacterKind => {
  if (code >= 0x61 && code <= 0x7a) return "lower";
  if (code >= 0x41 && code <= 0x5a) return "upper";
  if (code >= 0x30 && code <= 0x39) return "digit";
  if (code === 0x20 || code === 0x0a) return "space";
  return code < 0x80 ? "mark" : "other";
};
