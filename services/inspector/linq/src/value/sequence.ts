/** Collections that expressions make: sequences, groups with their key, and pairs of a dictionary. */
import { absent } from "../core/absent.ts";
import type { ElementList } from "../core/sequence-run.ts";

/** A finite list of our own making; what is inside may be anything. */
export class Sequence {
  readonly #sequence = true;
  #items: readonly unknown[] | undefined;
  readonly #elements: (() => ElementList) | undefined;

  /** @param given the elements, or what reads them one by one from where they are */
  constructor(given: readonly unknown[] | (() => ElementList)) {
    if (typeof given === "function") this.#elements = given;
    else this.#items = given;
  }

  /** All elements; copied when they are somewhere else. */
  get items(): readonly unknown[] {
    this.#items ??= copyElements(this.elements);
    return this.#items;
  }

  /** The elements where they are: nothing is copied. */
  get elements(): ElementList {
    const items = this.#items;
    if (items === undefined && this.#elements !== undefined) return this.#elements();
    return { length: items?.length ?? 0, at: (index) => items?.[index] };
  }

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static is(value: unknown): value is Sequence {
    return typeof value === "object" && value !== null && #sequence in value;
  }
}

const copyElements = ({ length, at }: ElementList): readonly unknown[] => {
  const items: unknown[] = [];
  for (let index = 0; index < length; index++) {
    const item = at(index);
    if (item === absent) break;
    items.push(item);
  }
  return items;
};

/** One group: a sequence with the key its elements share. */
export class Group extends Sequence {
  readonly #group = true;
  readonly key: unknown;

  constructor(key: unknown, items: readonly unknown[] | (() => ElementList)) {
    super(items);
    this.key = key;
  }

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static override is(value: unknown): value is Group {
    return typeof value === "object" && value !== null && #group in value;
  }
}
