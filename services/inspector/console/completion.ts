/** What stands before the cursor of an expression: the word that is being written, and the value that it is a member of. Pure. */

interface CompletionPlace {
  /** The expression before the last dot; empty where there is none. */
  readonly base: string;
  /** What is written of the word. */
  readonly word: string;
  /** Where the word begins. */
  readonly from: number;
}

const isWordPart = (letter: string): boolean => /[\p{L}\p{N}_]/u.test(letter);

/** Undefined inside of a text. */
export const findPlace = (text: string, cursor: number): CompletionPlace | undefined => {
  if (isInText(text, cursor)) return undefined;
  let from = cursor;
  while (from > 0 && isWordPart(text.charAt(from - 1))) from -= 1;
  const word = text.slice(from, cursor);
  if (text.charAt(from - 1) !== ".") return { base: "", word, from };
  const end = text.charAt(from - 2) === "?" ? from - 2 : from - 1;
  return { base: text.slice(findStart(text, end), end).trim(), word, from };
};

const isInText = (text: string, cursor: number): boolean => {
  let quote = "";
  for (let at = 0; at < cursor; at += 1) {
    const letter = text.charAt(at);
    if (quote === "") quote = letter === '"' || letter === "'" ? letter : "";
    else if (letter === "\\") at += 1;
    else if (letter === quote) quote = "";
  }
  return quote !== "";
};

const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", ">": "<" };

/** Where the chain of names, calls and indexers begins that ends before `end`. */
const findStart = (text: string, end: number): number => {
  let at = end;
  for (;;) {
    const before = text.charAt(at - 1);
    const opener = openers[before];
    if (opener !== undefined) {
      const open = findOpener(text, at - 1);
      if (open === undefined) return at;
      at = open;
    } else if (before !== "" && (isWordPart(before) || before === "." || before === "@")) at -= 1;
    else if (before === "?" && text.charAt(at) === ".") at -= 1;
    else return at;
  }
};

/** The place of the bracket that the one at `close` closes. */
const findOpener = (text: string, close: number): number | undefined => {
  const closers: string[] = [];
  for (let at = close; at >= 0; at -= 1) {
    const letter = text.charAt(at);
    if (letter === '"' || letter === "'") {
      const begin = text.lastIndexOf(letter, at - 1);
      if (begin < 0) return undefined;
      at = begin;
    } else if (openers[letter] !== undefined) closers.push(letter);
    else if ("([<".includes(letter) && openers[closers.at(-1) ?? ""] === letter) {
      closers.pop();
      if (closers.length === 0) return at;
    }
  }
  return undefined;
};

/** The first name of a chain. */
export const firstName = (chain: string): string => /^[\p{L}_][\p{L}\p{N}_]*/u.exec(chain)?.[0] ?? "";
