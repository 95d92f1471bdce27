/** Collections that expressions make: sequences, groups with their key, and pairs of a dictionary. */

/** A finite list of our own making; what is inside may be anything. */
export class Sequence {
  readonly items: readonly unknown[];

  constructor(items: readonly unknown[]) {
    this.items = items;
  }
}

/** One group: a sequence with the key its elements share. */
export class Group extends Sequence {
  readonly key: unknown;

  constructor(key: unknown, items: readonly unknown[]) {
    super(items);
    this.key = key;
  }
}
