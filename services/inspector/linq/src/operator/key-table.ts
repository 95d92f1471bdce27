/**
 * Numbers for keys, from 0 up in the order in which they came first. One map of a million keys stops the thread for 100 ms when it grows;
 * here a map that is full is left as it is, and what comes later goes to many small ones.
 */

/** Keys in the first map. */
const most = 16_384;
/** Small maps beside it; a power of two. */
const shards = 1_024;

type KeyMap = Map<unknown, number>;

export class KeyTable {
  /** The first keys, which a loop may look up by itself; not all there are. */
  readonly first: KeyMap = new Map();
  readonly #more: KeyMap[] = [];
  #size = 0;

  /** How many keys there are. */
  get size(): number {
    return this.#size;
  }

  /** The number of a key that is there. */
  get(key: unknown): number | undefined {
    const known = this.first.get(key);
    return known !== undefined || this.#more.length === 0 ? known : this.#shard(key).get(key);
  }

  /** The number of a key; a new one, which is the `size` before, for a new key. */
  add(key: unknown): number {
    const known = this.get(key);
    if (known !== undefined) return known;
    const place = this.first.size < most ? this.first : this.#shard(key);
    place.set(key, this.#size);
    return this.#size++;
  }

  #shard(key: unknown): KeyMap {
    if (this.#more.length === 0) for (let index = 0; index < shards; index++) this.#more.push(new Map());
    return this.#more[hash(key) & (shards - 1)] ?? this.first;
  }
}

/** Characters at each end of a text that count. */
const ends = 24;

const hash = (key: unknown): number => {
  if (typeof key === "number") return Math.imul(Number.isInteger(key) ? key : key * 1e6, 0x9e3779b1) >>> 15;
  if (typeof key !== "string") return 0;
  let found = key.length;
  const { length } = key;
  for (let index = 0; index < length; index++) {
    if (index === ends && length > 2 * ends) index = length - ends;
    found = Math.imul(found ^ key.charCodeAt(index), 0x01000193);
  }
  return (found ^ (found >>> 15)) >>> 0;
};
