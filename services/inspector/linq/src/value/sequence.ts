/** Collections that expressions make: sequences, groups with their key, and pairs of a dictionary. */

/** A finite list of our own making; what is inside may be anything. */
export class Sequence {
  readonly #sequence = true;
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static is(value: unknown): value is Sequence {
    return typeof value === "object" && value !== null && #sequence in value;
  }
}

/** One group: a sequence with the key its elements share. */
export class Group extends Sequence {
  readonly #group = true;
  readonly key: unknown;

  constructor(key: unknown, items: readonly unknown[]) {
    super(items);
    this.key = key;
  }

  /** Tests a private field, so that no proxy or prototype of the value runs code. */
  static override is(value: unknown): value is Group {
    return typeof value === "object" && value !== null && #group in value;
  }
}
