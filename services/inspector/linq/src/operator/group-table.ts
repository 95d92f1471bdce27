/** Groups while they are made: their keys, how many elements they have and which, as columns and not as objects. */
import { absent } from "../core/absent.ts";
import type { Frame } from "../core/frame.ts";
import type { ElementList } from "../core/sequence-run.ts";
import { Group } from "../value/sequence.ts";
import { Column } from "./column.ts";
import { KeyTable } from "./key-table.ts";

export class GroupTable {
  readonly table = new KeyTable();
  /** By the number of the group. */
  counts = new Uint32Array(1_024);
  readonly #keys = new Column();
  /** All elements in the order in which they came, and of each the place of the next one of its group. */
  readonly #items = new Column();
  readonly #next = new Column();
  readonly #firsts = new Column();
  readonly #lasts = new Column();
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
    if (size === this.counts.length) this.counts = longer(this.counts);
    return group;
  }

  /** Adds an element to a group. */
  push(group: number, item: unknown): void {
    const place = this.#items.length;
    this.#items.push(item);
    this.#next.push(0);
    const count = this.counts[group] ?? 0;
    this.counts[group] = count + 1;
    if (count > 0) {
      this.#next.put(Number(this.#lasts.at(group)), place);
      this.#lasts.put(group, place);
      return;
    }
    this.#firsts.put(group, place);
    this.#lasts.put(group, place);
  }

  key(group: number): unknown {
    return this.#keys.at(group);
  }

  /** A group, whose elements are read where they are. */
  group(group: number): Group {
    return new Group(this.#keys.at(group), () => this.#elements(group));
  }

  /** One element leads to the next; an earlier one begins again. */
  #elements(group: number): ElementList {
    const length = this.counts[group] ?? 0;
    let index = 0;
    let place = Number(this.#firsts.at(group));
    return {
      length,
      at: (wanted) => {
        if (wanted >= length) return absent;
        if (wanted < index) {
          index = 0;
          place = Number(this.#firsts.at(group));
        }
        for (; index < wanted; index++) place = Number(this.#next.at(place));
        return this.#items.at(place);
      },
    };
  }
}

const longer = (counts: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const more = new Uint32Array(2 * counts.length);
  more.set(counts);
  return more;
};
