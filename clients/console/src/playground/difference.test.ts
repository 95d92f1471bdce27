import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differences } from "./difference.ts";

const paths = (before: unknown, after: unknown) => differences(before, after).list.map(({ path }) => path);

describe("differences of two answers", () => {
  it("are said by path, in the order of the first", () => {
    const before = { a: 1, b: [{ c: 1 }, { c: 2 }], d: null };
    const after = { a: 2, b: [{ c: 1 }], e: "new" };
    expect(differences(before, after).list).toEqual([
      { path: "/a", before: "1", after: "2" },
      { path: "/b/1", before: '{"c":2}', after: undefined },
      { path: "/d", before: "null", after: undefined },
      { path: "/e", before: undefined, after: '"new"' },
    ]);
  });

  it("are the whole where a list became an object", () => {
    expect(paths([], {})).toEqual([""]);
    expect(paths(undefined, 1)).toEqual([""]);
  });

  it("are none exactly for what is equal", () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (one, other) => {
        const [a, b] = [JSON.parse(one), JSON.parse(other)];
        expect(paths(a, JSON.parse(one))).toEqual([]);
        expect(differences(a, b).list.length === 0).toBe(isEqual(a, b));
      }),
    );
  });

  it("are cut at two hundred, and long values in the middle", () => {
    const many = Array.from({ length: 300 }, (_, n) => n);
    const found = differences(
      many,
      many.map((n) => n + 1),
    );
    expect([found.list.length, found.isCut]).toEqual([200, true]);
    expect(differences("", "x".repeat(5_000)).list[0]?.after?.length).toBe(200);
  });

  it("are found in what is nested ten thousand deep", () => {
    const nest = (leaf: number): unknown => {
      let value: unknown = leaf;
      for (let depth = 0; depth < 10_000; depth += 1) value = [value];
      return value;
    };
    expect(differences(nest(1), nest(2)).list).toHaveLength(1);
  });
});

/** Equal as JSON: -0 and 0 are two values for neither. */
const isEqual = (a: unknown, b: unknown): boolean => {
  try {
    expect(a).toStrictEqual(b);
    return true;
  } catch {
    return false;
  }
};
