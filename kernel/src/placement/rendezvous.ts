/**
 * Which node owns a key: rendezvous hashing (highest random weight). Every process that knows the same nodes finds the same owner, without
 * a table; a node that joins takes an even share of the keys, and one that leaves gives away its own and no others. Pure.
 *
 * Not here: which nodes there are (`workers.ts`).
 */

/** Finds the owner of a key among these nodes, by name; their order does not matter. There must be at least one. */
export const makeOwnership = (nodes: readonly string[]): ((key: string) => string) => {
  const hashed = nodes.map((name) => ({ name, hash: hashText(name) }));
  return (key) => {
    const keyHash = hashText(key);
    const best = hashed.reduce<Candidate | undefined>((found, { name, hash }) => {
      const weight = mix(keyHash ^ hash);
      return found === undefined || isBetter({ name, weight }, found) ? { name, weight } : found;
    }, undefined);
    if (best === undefined) throw new Error("a key has no owner where there are no nodes");
    return best.name;
  };
};

interface Candidate {
  readonly name: string;
  readonly weight: number;
}

/** Equal weights are settled by name, so that the order of nodes does not count. */
const isBetter = (one: Candidate, other: Candidate): boolean =>
  one.weight > other.weight || (one.weight === other.weight && one.name > other.name);

/** FNV-1a over UTF-16, both bytes of each unit, then mixed: alike names must not have alike hashes. */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return mix(hash);
};

/** The last step of MurmurHash3: each bit of the input changes half of the output's. */
const mix = (value: number): number => {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
