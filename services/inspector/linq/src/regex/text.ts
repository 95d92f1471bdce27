/** The text of a regular expression while it is read, and the errors that point at a place in it. */
import { fault } from "../core/error.ts";

export class PatternText {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  sees(part: string): boolean {
    return this.#text.startsWith(part, this.#at);
  }

  takes(part: string): boolean {
    const found = this.sees(part);
    if (found) this.#at += part.length;
    return found;
  }

  /** What a sticky expression of ours finds here. */
  takesMatch(wanted: RegExp): RegExpExecArray | undefined {
    wanted.lastIndex = this.#at;
    const found = wanted.exec(this.#text);
    if (found === null) return undefined;
    this.#at = wanted.lastIndex;
    return found;
  }

  /** The next character, as its code point. */
  take(): number {
    const point = this.#text.codePointAt(this.#at);
    if (point === undefined) throw this.fault("an end where something should follow");
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  fault(what: string): Error {
    return fault(
      "bad_format",
      `The pattern has ${what}, at character ${Math.min(this.#at, this.#text.length)}`,
      "patterns are matched in linear time: literals, [a-z], groups, |, * + ? {2,3}, ^ $ \\b, \\d \\w \\s \\p{L}, and (?i) at the start",
    );
  }
}
