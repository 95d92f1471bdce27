/**
 * A sentence as the offline classifier reads it: clauses of plain words, and the stem of each. English only.
 *
 * Not here: what the words mean (`phrases.ts`, `mentions.ts`).
 */

/** Words of a clause, and their stems at the same places. */
export interface Clause {
  readonly words: readonly string[];
  readonly stems: readonly string[];
}

const irregular: Readonly<Record<string, string>> = {
  lying: "lie",
  lied: "lie",
  ran: "run",
  stole: "steal",
  threw: "throw",
  swung: "swing",
  shot: "shoot",
  fought: "fight",
  snuck: "sneak",
  crept: "creep",
  spoke: "speak",
  told: "tell",
  gave: "give",
  took: "take",
  went: "go",
  gone: "go",
  hid: "hide",
  hidden: "hide",
  broke: "break",
  feet: "foot",
  wolves: "wolf",
  knives: "knife",
  thieves: "thief",
};

const hasVowel = /[aeiouy]/;

/** A word without its ending, the same for all forms of a verb: "stabbing", "stabs" and "stab" are "stab". Words of the tables go through it, too. */
export const stem = (word: string): string => {
  const plain = irregular[word] ?? word;
  for (const ending of ["ing", "ed", "es", "s"]) {
    const rest = plain.slice(0, -ending.length);
    if (!plain.endsWith(ending) || rest.length < 3 || !hasVowel.test(rest)) continue;
    return withoutLastE(withoutDouble(rest));
  }
  return withoutLastE(plain);
};

const withoutDouble = (text: string): string => (/([bdfgk-nprst])\1$/.test(text) ? text.slice(0, -1) : text);

const withoutLastE = (text: string): string => {
  const single = withoutDouble(text);
  return single.length > 3 && single.endsWith("e") ? single.slice(0, -1) : single;
};

const contractions: readonly (readonly [RegExp, string])[] = [
  [/[’`]/g, "'"],
  [/\b(can|do|does|did|would|could|should|is|are|was|were|have|has)n't\b/g, "$1 not"],
  [/\bcan't\b/g, "can not"],
  [/\bwon't\b/g, "will not"],
  [/\bi'm\b/g, "i am"],
  [/\bi'd\b/g, "i would"],
  [/\bi'll\b/g, "i will"],
  [/\blet's\b/g, "let us"],
  [/'s\b/g, ""],
  [/\blet (?:it|them|one|arrows?|an arrow|my arrow) (?:fly|loose)\b/g, "shoot"],
];

/** A new action begins behind these. */
const breaks =
  /[.;:!?\n]+|,|\s(?:and then|then|and|but|before|after that|afterwards|while|so that|because|since)(?=\s)/;

/** Where it begins that something is not done: from there to the end of the clause. */
const unmeant =
  /\b(?:instead of|rather than|without (?!being|making|a sound|noise)|do not|does not|will not|would not|can not|cannot|never|not)\b/;
/** What would have to happen first. */
const condition = /^\s*(?:if|when|unless|in case)\b/;

const longestText = 2_000;

/** What stands between quotation marks is talk, whatever its words are. */
const withoutSpeech = (text: string): string => {
  const parts = text.replaceAll(/[“”]/g, '"').split('"');
  const isOpen = parts.length % 2 === 0;
  return parts
    .map((part, at) => (at % 2 === 0 || (isOpen && at === parts.length - 1) ? part : " say-aloud "))
    .join(" ");
};

/** The clauses of a sentence, in their order; those that say a condition, or only what is not done, are left out. */
export const toClauses = (text: string): readonly Clause[] => {
  let plain = withoutSpeech(text.slice(0, longestText).toLowerCase());
  for (const [written, meant] of contractions) plain = plain.replace(written, meant);
  return plain
    .split(breaks)
    .filter((part) => !condition.test(part))
    .map((part) => toClause(withoutUnmeant(part)))
    .filter(({ words }) => words.length > 0);
};

const withoutUnmeant = (part: string): string => {
  const at = part.search(unmeant);
  return at < 0 ? part : part.slice(0, at);
};

const toClause = (text: string): Clause => {
  const words = text.split(/[^a-z0-9'+-]+/).filter((word) => word !== "" && word !== "-");
  return { words, stems: words.map(stem) };
};

/** The words of a name, as a clause has them. */
export const nameStems = (name: string): readonly string[] =>
  toClause(name.toLowerCase().replaceAll("’", "'").replaceAll("'s", "")).stems;

/** Where a run of stems begins in the clause, or -1. */
export const indexOfRun = ({ stems }: Clause, run: readonly string[]): number => {
  if (run.length === 0) return -1;
  for (let at = 0; at + run.length <= stems.length; at++) {
    if (run.every((word, offset) => stems[at + offset] === word)) return at;
  }
  return -1;
};
