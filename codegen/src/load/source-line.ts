/**
 * Finds the line of a contract's file on which something is, by its path in the contract object, so that messages lead there.
 * Reads the text as tokens, since nothing here parses JavaScript; what is declared in another file has the line that names it.
 *
 * Not here: failures while a file is imported, whose stacks say their lines (`failure`).
 */

export interface SourceToken {
  /** A name or a string without its quotes; otherwise one sign. */
  readonly text: string;
  readonly isName: boolean;
  readonly line: number;
  /** Brackets that are open around it. */
  readonly depth: number;
}

/** Reads JavaScript or TypeScript as far as names, texts and brackets go. Never fails: what is not code gives some tokens. */
export const readTokens = (source: string): readonly SourceToken[] => {
  const tokens: SourceToken[] = [];
  let depth = 0;
  let line = 1;
  for (let at = 0; at < source.length; ) {
    const end = tokenEnd(source, at, tokens.at(-1));
    const sign = source.charAt(at);
    const kind = tokenKind(source, at, end);
    if (kind === "sign" && ")]}".includes(sign)) depth -= 1;
    if (kind === "name") tokens.push({ text: source.slice(at, end), isName: true, line, depth });
    if (kind === "text") tokens.push({ text: source.slice(at + 1, end - 1), isName: true, line, depth });
    if (kind === "sign") tokens.push({ text: sign, isName: false, line, depth });
    if (kind === "sign" && "([{".includes(sign)) depth += 1;
    for (; at < end; at += 1) if (source.charCodeAt(at) === 10) line += 1;
  }
  return tokens;
};

const nameSign = /[\w$]/;

const tokenKind = (source: string, at: number, end: number): "name" | "text" | "sign" | "nothing" => {
  const sign = source.charAt(at);
  if (nameSign.test(sign)) return "name";
  if ("\"'`".includes(sign)) return "text";
  return end > at + 1 || sign.trim() === "" ? "nothing" : "sign";
};

/** Where a comment, a text, a name, a regular expression or one sign ends. */
const tokenEnd = (source: string, at: number, before: SourceToken | undefined): number => {
  const sign = source.charAt(at);
  if (nameSign.test(sign)) return skip(source, at, (next) => nameSign.test(next));
  if ("\"'`".includes(sign)) return textEnd(source, at, sign);
  if (sign !== "/") return at + 1;
  if (source.startsWith("//", at)) return skip(source, at, (next) => next !== "\n");
  if (source.startsWith("/*", at)) return after(source, "*/", at + 2);
  // Behind a value it divides.
  return before === undefined || (!before.isName && !")]}".includes(before.text)) ? expressionEnd(source, at) : at + 1;
};

const skip = (source: string, from: number, isPart: (sign: string) => boolean): number => {
  let at = from;
  while (at < source.length && isPart(source.charAt(at))) at += 1;
  return at;
};

const after = (source: string, text: string, from: number): number => {
  const found = source.indexOf(text, from);
  return found === -1 ? source.length : found + text.length;
};

/** Texts in quotes end with their line, whatever is in them; templates do not. */
const textEnd = (source: string, from: number, quote: string): number => {
  for (let at = from + 1; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (sign === "\\") at += 1;
    else if (sign === quote || (sign === "\n" && quote !== "`")) return at + 1;
  }
  return source.length;
};

const expressionEnd = (source: string, from: number): number => {
  let isInClass = false;
  for (let at = from + 1; at < source.length; at += 1) {
    const sign = source.charAt(at);
    if (sign === "\\") at += 1;
    else if (sign === "[") isInClass = true;
    else if (sign === "]") isInClass = false;
    else if (sign === "\n") return from + 1;
    else if (sign === "/" && !isInClass) return skip(source, at + 1, (next) => nameSign.test(next));
  }
  return source.length;
};

/** Line of the deepest part of `path` that can be found in the contract with this id; `undefined` when not even the contract can. */
export const findLine = (tokens: readonly SourceToken[], id: string, path: readonly string[]): number | undefined => {
  const start = tokens.findIndex(
    ({ text, isName }, index) =>
      isName && text === "id" && tokens[index + 1]?.text === ":" && tokens[index + 2]?.text === id,
  );
  const contract = tokens[start];
  if (contract === undefined) return undefined;
  let found = contract;
  let [from, to] = rangeAround(tokens, start);
  let depth = contract.depth;
  for (const part of path) {
    if (/^\d+$/.test(part)) continue;
    const at = tokens.findIndex(
      (token, index) =>
        index >= from && index < to && token.depth === depth && token.text === part && isKey(tokens, index),
    );
    const key = tokens[at];
    if (key === undefined) break;
    found = key;
    const end = tokens.findIndex(
      (token, index) => index > at && (token.depth < depth || (token.depth === depth && token.text === ",")),
    );
    const open = tokens.findIndex((token, index) => index > at && token.text === "{" && !token.isName);
    if (open === -1 || (end !== -1 && open > end)) break;
    [from, to, depth] = [open + 1, end === -1 ? tokens.length : end, (tokens[open]?.depth ?? 0) + 1];
  }
  return found.line;
};

/** A name before a colon, alone between commas, or that of a method. */
const isKey = (tokens: readonly SourceToken[], index: number): boolean =>
  tokens[index]?.isName === true &&
  ["{", ",", undefined].includes(tokens[index - 1]?.text) &&
  [":", ",", "}", "("].includes(tokens[index + 1]?.text ?? "");

/** The object that a token is in. */
const rangeAround = (tokens: readonly SourceToken[], index: number): [from: number, to: number] => {
  const depth = tokens[index]?.depth ?? 0;
  let from = index;
  while (from > 0 && (tokens[from - 1]?.depth ?? 0) >= depth) from -= 1;
  let to = index;
  while (to < tokens.length && (tokens[to]?.depth ?? 0) >= depth) to += 1;
  return [from, to];
};
