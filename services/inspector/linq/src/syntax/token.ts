/** Tokens: the smallest pieces of the text that mean something. */

/** `operator` is every sign; words that are operators (`and`, `in`, `is`) stay identifiers, because only the place decides. */
type TokenKind = "identifier" | "number" | "string" | "char" | "operator" | "end";

export interface Lexeme {
  readonly kind: TokenKind;
  /** As written; for strings and chars see `value`. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** Decoded content of a string or char. */
  readonly value?: string;
}

/** Longest first, so that the first match is the right one. */
export const signs = [
  "??",
  "?.",
  "?[",
  "=>",
  "==",
  "!=",
  "<>",
  "<=",
  "<<",
  ">=",
  ">>",
  "&&",
  "||",
  "?",
  "=",
  "!",
  "<",
  ">",
  "&",
  "|",
  "+",
  "-",
  "*",
  "/",
  "%",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ".",
  ":",
] as const;
