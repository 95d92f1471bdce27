/** A parser's position in its tokens: peek, take, refuse. It knows no grammar. */
import { LinqError } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { tokens } from "./lexer.ts";
import { syntaxHint } from "./syntax-hint.ts";
import type { Lexeme } from "./token.ts";

export class Cursor {
  readonly text: string;
  readonly limits: Limits;
  /** True inside `new`, at its top level, where `as` gives a name. */
  asNames = false;
  readonly #tokens: readonly Lexeme[];
  #index = 0;
  #nesting = 0;

  constructor(text: string, limits: Limits) {
    const bytes = text.length > limits.textBytes ? text.length : Buffer.byteLength(text);
    if (bytes > limits.textBytes) {
      throw new LinqError("too_long", `The expression is ${bytes} bytes long; ${limits.textBytes} are allowed`, {
        position: 0,
        hint: "split it, or filter in `where` and shape in `select`",
      });
    }
    this.text = text;
    this.limits = limits;
    this.#tokens = tokens(text);
  }

  get token(): Lexeme {
    return this.peek(0);
  }

  get ended(): boolean {
    return this.token.kind === "end";
  }

  /** The token so many further on; the end repeats. */
  peek(ahead: number): Lexeme {
    const found = this.#tokens[this.#index + ahead] ?? this.#tokens.at(-1);
    if (found === undefined) throw new LinqError("syntax", "Syntax error", { position: 0 });
    return found;
  }

  next(): Lexeme {
    const taken = this.token;
    if (taken.kind !== "end") this.#index++;
    return taken;
  }

  /** True when the token is this sign. */
  sees(sign: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === "operator" && text === sign;
  }

  /** True when the token is one of these words, in any case. `words` are lower case. */
  seesWord(words: readonly string[], ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === "identifier" && words.includes(text.toLowerCase());
  }

  accept(sign: string): boolean {
    if (!this.sees(sign)) return false;
    this.next();
    return true;
  }

  /** Takes a sign, or fails saying what was expected. */
  expect(sign: string, expected = `'${sign}' expected`): Lexeme {
    if (!this.sees(sign)) throw this.error("expected", expected);
    return this.next();
  }

  identifier(what = "Identifier expected"): Lexeme {
    if (this.token.kind !== "identifier") throw this.error("expected", what);
    return this.next();
  }

  /** An error at the token; without a hint, one that the tokens around it suggest. */
  error(code: "syntax" | "expected", message: string, given?: string): LinqError {
    const { at, end } = this.token;
    const hint = given ?? syntaxHint({ token: this.token, before: this.#tokens.slice(0, this.#index) });
    return new LinqError(code, message, { position: at, length: Math.max(1, end - at), hint });
  }

  /** Runs one level deeper; the grammar's own recursion is bounded here. */
  nested<T>(inner: () => T): T {
    if (++this.#nesting > this.limits.depth) {
      throw new LinqError("too_deep", `The expression is nested deeper than ${this.limits.depth} levels`, {
        position: this.token.at,
        hint: "split it, or filter in `where` and shape in `select`",
      });
    }
    try {
      return inner();
    } finally {
      this.#nesting--;
    }
  }
}
