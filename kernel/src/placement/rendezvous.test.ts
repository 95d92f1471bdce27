/** The very hashing that places keyed calls: its laws, and what happens to a thousand nodes when one joins, one leaves, and some keys are hot. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeOwnership } from "./rendezvous.ts";

const nodes = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 20 });
const key = fc.string({ maxLength: 40 });

describe("the owner of a key", () => {
  it("is one of the nodes, whatever their order", () =>
    fc.assert(
      fc.property(nodes, key, (names, text) => {
        const owner = makeOwnership(names)(text);
        expect(names).toContain(owner);
        expect(makeOwnership(names.toReversed())(text)).toBe(owner);
        expect(makeOwnership(names.toSorted())(text)).toBe(owner);
      }),
    ));

  it("changes only when it leaves itself", () =>
    fc.assert(
      fc.property(nodes, key, (names, text) => {
        const owner = makeOwnership(names)(text);
        for (const gone of names.filter((name) => name !== owner))
          expect(makeOwnership(names.filter((name) => name !== gone))(text)).toBe(owner);
      }),
    ));

  it("moves to no node but one that joins", () =>
    fc.assert(
      fc.property(nodes, key, fc.string({ minLength: 13, maxLength: 20 }), (names, text, joining) => {
        const owner = makeOwnership(names)(text);
        expect([owner, joining]).toContain(makeOwnership([...names, joining])(text));
      }),
    ));

  it("needs a node", () => {
    expect(() => makeOwnership([])("key")).toThrow("no nodes");
  });
});

describe("a thousand nodes", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `node-${at + 1}`);
  const keys = Array.from({ length: 20_000 }, (_, at) => `session-${at}`);
  const owners = keys.map(makeOwnership(names));
  const loads = (of: readonly string[]): readonly number[] => {
    const counts = new Map(names.map((name) => [name, 0]));
    for (const owner of of) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    return [...counts.values()];
  };

  it("share the keys as chance would: a mean of 20, and a deviation of its root", () => {
    const shares = loads(owners);
    const mean = keys.length / names.length;
    const deviation = Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
    expect(deviation).toBeGreaterThan(0.8 * Math.sqrt(mean));
    expect(deviation).toBeLessThan(1.2 * Math.sqrt(mean));
    expect(Math.max(...shares)).toBeLessThan(2.2 * mean);
  });

  it("give a node that joins one key in 1,001, and move no other", () => {
    const now = keys.map(makeOwnership([...names, "node-1001"]));
    const moved = now.filter((owner, at) => owner !== owners[at]);
    expect(moved.every((owner) => owner === "node-1001")).toBe(true);
    expect(moved.length).toBeGreaterThan(5);
    expect(moved.length).toBeLessThan(45);
  });

  it("take over the keys of a node that leaves, no two of its keys by the same node as a rule", () => {
    const left = keys.map(makeOwnership(names.filter((name) => name !== "node-500")));
    const orphans = keys.flatMap((_, at) => (owners[at] === "node-500" ? [left[at]] : []));
    expect(left.every((owner, at) => owners[at] === "node-500" || owner === owners[at])).toBe(true);
    expect(new Set(orphans).size).toBeGreaterThan(0.8 * orphans.length);
  });

  it("cannot spread a hot key: the busiest node has little more than that key's share of the calls", () => {
    // Zipf: the key of rank r has 1/r of the calls of the first.
    const weights = keys.map((_, at) => 1 / (at + 1));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const busy = new Map<string, number>();
    for (const [at, owner] of owners.entries()) busy.set(owner, (busy.get(owner) ?? 0) + (weights[at] ?? 0) / total);
    const hottest = 1 / total;
    expect(Math.max(...busy.values())).toBeGreaterThanOrEqual(hottest);
    expect(Math.max(...busy.values())).toBeLessThan(hottest * 1.1);
  });
});
