/** Groups while they are made: their keys, how many elements they have and which, as columns and not as objects. */
import type { Frame } from "../core/frame.ts";
import type { Resumable } from "../core/resumable.ts";
import { Column } from "./column.ts";
import { KeyTable } from "./key-table.ts";

export class GroupTable {
  readonly table = new KeyTable();
  /** By the number of the group. */
  counts = new Uint32Array(1_024);
  readonly #keys = new Column();
  /** All elements in the order in which they came, and of each the place of the one before it in its group. */
  readonly #items = new Column();
  readonly #before = new Column();
  #lasts = new Uint32Array(1_024);
  readonly #frame: Frame;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  get size(): number {
    return this.table.size;
  }

  /** The number of a group; a new one for a new id. */
  find(id: unknown, key: unknown): number {
    const { size } = this.table;
    const group = this.table.add(id);
    if (group < size) return group;
    this.#frame.admit(size + 1);
    this.#keys.push(key);
    if (size === this.counts.length) {
      this.counts = longer(this.counts);
      this.#lasts = longer(this.#lasts);
    }
    return group;
  }

  /** Adds an element to a group. */
  push(group: number, item: unknown): void {
    const count = this.counts[group] ?? 0;
    this.counts[group] = count + 1;
    const place = this.#items.length;
    this.#items.push(item);
    this.#before.push(this.#lasts[group] ?? 0);
    this.#lasts[group] = place;
  }

  key(group: number): unknown {
    return this.#keys.at(group);
  }

  /** The elements of a group, in the order in which they came. */
  *items(group: number): Resumable<readonly unknown[]> {
    const count = this.counts[group] ?? 0;
    const items: unknown[] = new Array(count);
    let place = this.#lasts[group] ?? 0;
    for (let at = count - 1; at >= 0; at--) {
      items[at] = this.#items.at(place);
      place = Number(this.#before.at(place));
      if (this.#frame.isDue()) yield;
    }
    return items;
  }
}

const longer = (counts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const more = new Uint32Array(2 * counts.length);
  more.set(counts);
  return more;
};
