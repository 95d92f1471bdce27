import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

interface Item {
  readonly principal: string;
  readonly cost: number;
  readonly number: number;
}

const items = fc
  .array(fc.record({ principal: fc.constantFrom("a", "b", "c"), cost: fc.integer({ min: 1, max: 4 }) }), {
    maxLength: 60,
  })
  .map((all): readonly Item[] => all.map((item, number) => ({ ...item, number })));

const fill = (all: readonly Item[], options = {}): FairQueue<Item> => {
  const queue = new FairQueue<Item>(options);
  for (const item of all) queue.add(item.principal, item, item.cost);
  return queue;
};

const drain = (queue: FairQueue<Item>, prefer?: "first" | "latest"): readonly Item[] => {
  const taken: Item[] = [];
  for (let item = queue.take(prefer); item !== undefined; item = queue.take(prefer)) taken.push(item);
  return taken;
};

describe("a fair queue", () => {
  it("gives out each item once, and is empty then", () => {
    fc.assert(
      fc.property(items, (all) => {
        const queue = fill(all);
        expect(queue.size).toBe(all.length);
        expect(drain(queue).toSorted((a, b) => a.number - b.number)).toEqual(all);
        expect([queue.size, queue.principals]).toEqual([0, 0]);
      }),
    );
  });

  it("keeps the order of one principal: cheap before dear, then by arrival", () => {
    fc.assert(
      fc.property(items, (all) => {
        const own = (some: readonly Item[]) => some.filter(({ principal }) => principal === "a");
        expect(own(drain(fill(all)))).toEqual(own(all).toSorted((a, b) => a.cost - b.cost || a.number - b.number));
        const latest = own(drain(fill(all), "latest"));
        expect(latest).toEqual(own(all).toSorted((a, b) => a.cost - b.cost || b.number - a.number));
      }),
    );
  });

  it("gives no principal more than its turns and one item ahead of another that waits", () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 4 }), (all, quantum) => {
        const queue = fill(all, { quantum });
        const got = { a: 0, b: 0 };
        while (queue.count("a") > 0 && queue.count("b") > 0) {
          const item = queue.take();
          if (item?.principal === "a" || item?.principal === "b") got[item.principal] += item.cost;
          // One's turn, and what is left of the other's credit.
          expect(Math.abs(got.a - got.b)).toBeLessThanOrEqual(quantum + 4 + 4);
        }
      }),
    );
  });

  it("serves who sends one between two of who sends a thousand", () => {
    const queue = new FairQueue<string>();
    for (let at = 0; at < 1_000; at += 1) queue.add("greedy", `greedy ${at}`);
    queue.add("polite", "polite");
    expect([queue.take(), queue.take(), queue.take()]).toEqual(["greedy 0", "polite", "greedy 1"]);
  });

  it("drops what would be the last of one principal, in either order", () => {
    const fillOne = (): FairQueue<string> => {
      const queue = new FairQueue<string>();
      for (const item of ["old", "new"]) queue.add("a", `dear ${item}`, 4);
      for (const item of ["old", "new"]) queue.add("a", item, 1);
      return queue;
    };
    expect([fillOne().dropLast("a"), fillOne().dropLast("a", "latest"), fillOne().dropLast("b")]).toEqual([
      "dear new",
      "dear old",
      undefined,
    ]);
  });

  it("makes room at the end of the longest queue, and forgets who leaves", () => {
    const queue = new FairQueue<string>();
    for (const item of ["g1", "g2", "g3"]) queue.add("greedy", item);
    queue.add("polite", "p1");
    expect(queue.dropFromLongest()).toBe("g3");
    expect([queue.remove("greedy", "g1"), queue.remove("greedy", "g1")]).toEqual([true, false]);
    expect(queue.removeAll((item) => item === "g2")).toEqual(["g2"]);
    expect([queue.size, queue.principals, queue.take()]).toEqual([1, 1, "p1"]);
    expect(queue.dropFromLongest()).toBeUndefined();
  });
});
