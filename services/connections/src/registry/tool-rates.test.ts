import fc from "fast-check";
import { expect, it } from "vitest";
import { ToolRates } from "./tool-rates.ts";

it("a tool is called as often at once as in a minute, and again when these are a minute old; each has its own rate", () => {
  let now = 5_000;
  const rates = new ToolRates(() => now);
  expect([1, 2, 3].map(() => rates.take("up write", 3))).toEqual([0, 0, 0]);
  expect(rates.take("up write", 3)).toBe(60_000);
  expect(rates.take("up read", 3)).toBe(0);
  now += 59_999.5;
  expect(rates.take("up write", 3)).toBe(1);
  now += 0.5;
  expect([1, 2, 3].map(() => rates.take("up write", 3))).toEqual([0, 0, 0]);
  expect(rates.take("up write", 3)).toBeGreaterThan(0);
  now += 10;
  expect(rates.take("up write", 4)).toBe(0);
  expect(rates.take("up write", 1)).toBe(60_000);
});

it("no minute has more calls than the rate, and who waits as long as it says is let through", () => {
  const steps = fc.array(fc.nat(30_000), { maxLength: 200 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (pauses, perMinute) => {
      let now = 0;
      const rates = new ToolRates(() => now);
      const taken: number[] = [];
      for (const pause of pauses) {
        now += pause;
        const waitMs = rates.take("up", perMinute);
        if (waitMs > 0) now += waitMs;
        if (waitMs > 0) expect(rates.take("up", perMinute)).toBe(0);
        taken.push(now);
      }
      for (const [index, at] of taken.entries())
        expect(at - (taken[index - perMinute] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(60_000);
    }),
  );
});
