import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didYouMean } from "./did-you-mean.ts";

/** Distances by the book, over whole tables. */
const distance = (a: string, b: string): number => {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : replaced;
      (rows[i] ?? [])[j] = Math.min(replaced, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  return at(a.length, b.length);
};

const nearest = (typed: string, known: readonly string[]): string | undefined =>
  known
    .map((name) => ({ name, far: distance(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, name.length / 3))
    .toSorted((a, b) => a.far - b.far)[0]?.name;

describe("didYouMean", () => {
  it("finds a name with one slip of any kind", () => {
    for (const slip of ["prot", "por", "portt", "bort", "PORT"])
      expect(didYouMean(slip, ["host", "port"])).toBe("port");
  });

  it("finds what comparing everything with everything would find", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "C", "."), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 8 }), (typed, known) => {
        expect(didYouMean(typed, known)).toBe(nearest(typed, known));
      }),
      { numRuns: 2_000 },
    );
  });

  it("stops looking when that becomes much work", () => {
    let looked = 0;
    const endless = function* () {
      for (;;) {
        looked += 1;
        yield `${"long".repeat(19)}${looked % 10_000}`;
      }
    };
    expect(didYouMean("gnol".repeat(19), endless())).toBeUndefined();
    expect(looked).toBeLessThan(1_000);
  });

  it("says nothing when nothing is near, and survives any text", () => {
    expect(didYouMean("zebra", ["host", "port"])).toBeUndefined();
    expect(didYouMean("x".repeat(100_000), ["host"])).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (typed, known) => {
        const found = didYouMean(typed, known);
        expect(found === undefined || known.includes(found)).toBe(true);
      }),
    );
  });
});
