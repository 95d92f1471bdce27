import fc from "fast-check";
import { expect, test } from "vitest";
import { Histogram, makeSteps } from "./histogram.ts";

const values = fc.array(
  fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 3_600_000_000 })),
  { minLength: 1, maxLength: 300 },
);

test("a percentile is that of the sorted values, within a thousandth", () => {
  fc.assert(
    fc.property(values, fc.constantFrom(0, 0.5, 0.9, 0.99, 0.999, 1), (micros, share) => {
      const histogram = new Histogram();
      for (const each of micros) histogram.record(each);
      const sorted = micros.toSorted((a, b) => a - b);
      const expected = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      const found = histogram.percentile(share);
      expect(found).toBeGreaterThanOrEqual(expected);
      expect(found).toBeLessThanOrEqual(expected * 1.001);
      expect(histogram.max).toBe(sorted.at(-1));
    }),
  );
});

test("the steps hold every value once", () => {
  fc.assert(
    fc.property(values, (micros) => {
      const histogram = new Histogram();
      for (const each of micros) histogram.record(each);
      const counts = histogram.countsUpTo(makeSteps(histogram));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(micros.length);
      if (histogram.max < 2_000_000_000) expect(counts.at(-1)).toBe(0);
    }),
  );
});

test("of nothing it says nothing", () => {
  const histogram = new Histogram();
  expect([histogram.percentile(0.5), histogram.max, histogram.count]).toEqual([0, 0, 0]);
});
