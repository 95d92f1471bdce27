/**
 * Many values in the order in which they came, in pieces: no piece is ever copied to a larger one. The engine keeps a piece of numbers as
 * numbers, in which its collector has nothing to look at.
 */
import type { ElementList } from "../core/sequence-run.ts";

const bits = 12;
const piece = 1 << bits;

export class Column {
  readonly #pieces: unknown[][] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: unknown): void {
    const index = this.#length++ >> bits;
    const last = this.#pieces[index];
    if (last === undefined) this.#pieces.push([value]);
    else last.push(value);
  }

  /** Replaces a value that is there, or adds the next one. */
  put(index: number, value: unknown): void {
    const found = this.#pieces[index >> bits];
    if (index < this.#length && found !== undefined) found[index & (piece - 1)] = value;
    else this.push(value);
  }

  at(index: number): unknown {
    return this.#pieces[index >> bits]?.[index & (piece - 1)];
  }

  /** The values as a list. */
  get elements(): ElementList {
    return { length: this.#length, at: (index) => this.at(index) };
  }
}
