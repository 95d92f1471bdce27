/**
 * A queue for each principal, served by deficit round robin: whoever sends more waits behind his own, not before others. Costs are in any unit;
 * a principal's turn is worth `quantum` of it, and what it does not use counts for its next one while it has something waiting. Within one queue, cheap before dear, then in
 * order of arrival, or the latest first: whoever takes says which.
 *
 * Pure: no clock and no waiting. Not here: how many may wait (`admission.ts`, `server/turns.ts`).
 */

interface Waiting<T> {
  readonly item: T;
  readonly cost: number;
}

interface Line<T> {
  waiting: Waiting<T>[];
  /** What it may still take in its turn. */
  credit: number;
}

interface FairQueueOptions {
  /** What one turn is worth; the cost of most items. Default 1. */
  readonly quantum?: number;
}

/** Which of equal cost goes first. */
type Preference = "first" | "latest";

export class FairQueue<T> {
  readonly #quantum: number;
  /** In the order of their turns; only those that have something waiting. */
  readonly #lines = new Map<string, Line<T>>();
  #size = 0;

  constructor({ quantum = 1 }: FairQueueOptions = {}) {
    this.#quantum = quantum;
  }

  get size(): number {
    return this.#size;
  }

  /** Principals that have something waiting. */
  get principals(): number {
    return this.#lines.size;
  }

  /** How much of one principal waits. */
  count(principal: string): number {
    return this.#lines.get(principal)?.waiting.length ?? 0;
  }

  add(principal: string, item: T, cost = 1): void {
    const line = this.#lines.get(principal) ?? { waiting: [], credit: 0 };
    this.#lines.set(principal, line);
    const last = line.waiting.at(-1);
    if (last === undefined || last.cost <= cost) line.waiting.push({ item, cost });
    else line.waiting.splice(firstDearer(line, cost), 0, { item, cost });
    this.#size += 1;
  }

  /** Whose turn it is. */
  take(prefer: Preference = "first"): T | undefined {
    for (;;) {
      const [first] = this.#lines;
      if (first === undefined) return undefined;
      const [principal, line] = first;
      const head = line.waiting[0];
      if (head === undefined) {
        this.#lines.delete(principal);
      } else if (line.credit < head.cost) {
        // Its turn is over, or begins with what this one is worth.
        line.credit += this.#quantum;
        this.#lines.delete(principal);
        this.#lines.set(principal, line);
      } else {
        line.credit -= head.cost;
        const at = prefer === "first" ? 0 : firstDearer(line, head.cost) - 1;
        const item = (line.waiting[at] ?? head).item;
        this.#drop(principal, line, at);
        return item;
      }
    }
  }

  /** False when it does not wait any more. */
  remove(principal: string, item: T): boolean {
    const line = this.#lines.get(principal);
    const at = line?.waiting.findIndex((each) => each.item === item) ?? -1;
    if (line === undefined || at === -1) return false;
    this.#drop(principal, line, at);
    return true;
  }

  /** Takes out what is last in the longest queue; who has as many as the next is not longer. */
  dropFromLongest(): T | undefined {
    let longest: readonly [string, Line<T>] | undefined;
    for (const entry of this.#lines) if (entry[1].waiting.length > (longest?.[1].waiting.length ?? 0)) longest = entry;
    if (longest === undefined) return undefined;
    return this.dropLast(longest[0]);
  }

  /** Takes out what would be the last of one principal's. */
  dropLast(principal: string, prefer: Preference = "first"): T | undefined {
    const line = this.#lines.get(principal);
    const last = line?.waiting.at(-1);
    if (line === undefined || last === undefined) return undefined;
    const at = prefer === "first" ? line.waiting.length - 1 : line.waiting.findIndex(({ cost }) => cost === last.cost);
    const item = (line.waiting[at] ?? last).item;
    this.#drop(principal, line, at);
    return item;
  }

  /** Takes out all of which that is true. */
  removeAll(isGone: (item: T) => boolean): readonly T[] {
    const gone: T[] = [];
    for (const [principal, line] of this.#lines) {
      const before = gone.length;
      for (const { item } of line.waiting) if (isGone(item)) gone.push(item);
      if (gone.length === before) continue;
      line.waiting = line.waiting.filter(({ item }) => !isGone(item));
      this.#size -= gone.length - before;
      if (line.waiting.length === 0) this.#lines.delete(principal);
    }
    return gone;
  }

  #drop(principal: string, line: Line<T>, at: number): void {
    line.waiting.splice(at, 1);
    this.#size -= 1;
    // Credit is not saved up while there is nothing to spend it on.
    if (line.waiting.length === 0) this.#lines.delete(principal);
  }
}

/** Where those that cost more begin. */
const firstDearer = ({ waiting }: Line<unknown>, cost: number): number => {
  const last = waiting.at(-1);
  if (last === undefined || last.cost <= cost) return waiting.length;
  return waiting.findIndex((other) => other.cost > cost);
};
