/**
 * The first `k` rows of an ordering in one pass: a heap whose root is the worst row kept, so that most rows cost one comparison. A large
 * `k` is sorted, which is faster than a heap of that size: in runs as they come, since one sort of all would block the thread for long, and
 * a sort of sorted runs only merges them.
 * Ties are decided by the row's place, which makes the result that of a stable sort.
 */
export interface RankedRow {
  readonly row: unknown;
  readonly keys: readonly unknown[];
  readonly index: number;
}

export type RowOrder = (a: RankedRow, b: RankedRow) => number;

/** From here on sorting is faster than a heap. */
const large = 4_096;
const run = 8_192;

export class Top {
  readonly #size: number;
  readonly #isLarge: boolean;
  readonly #ranking: RowOrder;
  readonly #heap: RankedRow[] = [];
  /** Rows that came since the last run was sorted. */
  readonly #run: RankedRow[] = [];
  /** Rows offered or passed over so far. */
  seen = 0;
  /** First key of the worst row kept, once enough are kept and if it is a number; else NaN. */
  bar = Number.NaN;

  /** @param size most rows kept; at least 1 */
  constructor(size: number, ranking: RowOrder) {
    this.#size = size;
    this.#isLarge = size > large;
    this.#ranking = ranking;
  }

  offer(entry: RankedRow): void {
    this.seen++;
    const heap = this.#heap;
    if (this.#isLarge) {
      this.#run.push(entry);
      if (this.#run.length >= run) this.#endRun();
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

  #raise(): void {
    const key = this.#heap[0]?.keys[0];
    this.bar = typeof key === "number" ? key : Number.NaN;
  }

  /** The rows kept, best first. */
  sorted(): readonly RankedRow[] {
    this.#endRun();
    return [...this.#heap].sort(this.#ranking).slice(0, this.#size);
  }

  #endRun(): void {
    for (const entry of this.#run.sort(this.#ranking)) this.#heap.push(entry);
    this.#run.length = 0;
    if (this.#heap.length < 2 * this.#size) return;
    this.#heap.sort(this.#ranking);
    this.#heap.length = this.#size;
    this.#raise();
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
