import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { didYouMean } from "./did-you-mean.ts";

describe("didYouMean", () => {
  it("finds a name with one slip of any kind", () => {
    for (const slip of ["prot", "por", "portt", "bort", "PORT"])
      expect(didYouMean(slip, ["host", "port"])).toBe("port");
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
