/**
 * Many values in the order in which they came, in pieces: no piece is ever copied to a larger one, and numbers are kept as numbers, so that the
 * engine's collector has nothing to look at.
 */
const bits = 12;
const piece = 1 << bits;

export class Column {
  readonly #pieces: (Float64Array | unknown[])[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: unknown): void {
    const at = this.#length & (piece - 1);
    const index = this.#length++ >> bits;
    if (at === 0) this.#pieces.push(typeof value === "number" ? new Float64Array(piece) : []);
    const last = this.#pieces[index];
    if (last === undefined) return;
    if (Array.isArray(last)) last.push(value);
    else if (typeof value === "number") last[at] = value;
    else this.#pieces[index] = [...last.subarray(0, at), value];
  }

  at(index: number): unknown {
    return this.#pieces[index >> bits]?.[index & (piece - 1)];
  }
}
