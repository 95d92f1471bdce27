/**
 * The first `k` rows of an ordering in one pass: a heap whose root is the worst row kept, so that most rows cost one comparison. A large
 * `k` is sorted, which is faster than a heap of that size, by a sort that can pause.
 * Ties are decided by the row's place, which makes the result that of a stable sort.
 */
import type { Frame } from "../core/frame.ts";
import type { Resumable } from "../core/resumable.ts";
import { Column } from "../operator/column.ts";
import { compareValues } from "../operator/compare.ts";
import { columnOrder, sortPlaces } from "../operator/sort.ts";
import type { HostAccess } from "../type/host.ts";

export interface RankedRow {
  readonly row: unknown;
  readonly keys: readonly unknown[];
  readonly index: number;
}

/** Directions of the keys, and what compares them. */
export interface KeyOrder {
  readonly signs: readonly (1 | -1)[];
  readonly host: HostAccess;
  readonly frame: Frame;
}

type RowOrder = (a: RankedRow, b: RankedRow) => number;

/** By the keys, then as the rows came. */
export const rankRows =
  ({ signs, host }: KeyOrder): RowOrder =>
  (a, b) => {
    for (let index = 0; index < signs.length; index++) {
      const order = compareValues(a.keys[index], b.keys[index], host);
      if (order !== 0) return order * (signs[index] ?? 1);
    }
    return a.index - b.index;
  };

/** From here on sorting is faster than a heap. */
const large = 4_096;

export class Top {
  readonly #size: number;
  readonly #order: KeyOrder;
  readonly #ranking: RowOrder;
  readonly #heap: RankedRow[] = [];
  readonly #isLarge: boolean;
  /** All rows with their keys and places, where they are sorted in the end. */
  readonly #rows = new Column();
  readonly #keys: readonly Column[];
  readonly #places = new Column();
  /** Rows offered or passed over so far. */
  seen = 0;
  /** First key of the worst row kept, once enough are kept and if it is a number; else NaN. */
  bar = Number.NaN;

  /** @param size most rows kept; at least 1 */
  constructor(size: number, order: KeyOrder) {
    this.#size = size;
    this.#isLarge = size > large;
    this.#order = order;
    this.#ranking = rankRows(order);
    this.#keys = order.signs.map(() => new Column());
  }

  offer(entry: RankedRow): void {
    this.seen++;
    const heap = this.#heap;
    if (this.#isLarge) {
      this.#collect(entry);
      return;
    }
    if (heap.length < this.#size) {
      heap.push(entry);
      this.#up(heap.length - 1);
      if (heap.length === this.#size) this.#raise();
      return;
    }
    const worst = heap[0];
    if (worst === undefined || this.#ranking(entry, worst) >= 0) return;
    heap[0] = entry;
    this.#down();
    this.#raise();
  }

  /** `take` of the rows kept, best first, without the first `skip`. */
  *best(skip: number, take: number): Resumable<readonly unknown[]> {
    if (!this.#isLarge) {
      const kept = [...this.#heap].sort(this.#ranking).slice(skip, skip + take);
      return kept.map(({ row }) => row);
    }
    const { signs, host, frame } = this.#order;
    const order = columnOrder([...this.#keys, this.#places], [...signs, 1], host);
    const places = yield* sortPlaces(this.#rows.length, order, frame);
    return Array.from(places.subarray(skip, skip + take), (place) => this.#rows.at(place));
  }

  #collect({ row, keys, index }: RankedRow): void {
    this.#rows.push(row);
    this.#places.push(index);
    for (const [at, column] of this.#keys.entries()) column.push(keys[at]);
  }

  #raise(): void {
    const key = this.#heap[0]?.keys[0];
    this.bar = typeof key === "number" ? key : Number.NaN;
  }

  #up(start: number): void {
    let index = start;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!this.#swapIf(above, index)) return;
      index = above;
    }
  }

  #down(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let worse = left;
      const a = this.#heap[left];
      const b = this.#heap[right];
      if (a === undefined) return;
      if (b !== undefined && this.#ranking(b, a) > 0) worse = right;
      if (!this.#swapIf(index, worse)) return;
      index = worse;
    }
  }

  /** Swaps when the lower entry is worse than the upper one. */
  #swapIf(upper: number, lower: number): boolean {
    const a = this.#heap[upper];
    const b = this.#heap[lower];
    if (a === undefined || b === undefined || this.#ranking(b, a) <= 0) return false;
    this.#heap[upper] = b;
    this.#heap[lower] = a;
    return true;
  }
}
