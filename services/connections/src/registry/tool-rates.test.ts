import { expect, it } from "vitest";
import { ToolRates } from "./tool-rates.ts";

it("a tool is called as often at once as in a minute, and then evenly; each has its own rate", () => {
  let now = 5_000;
  const rates = new ToolRates(() => now);
  expect([1, 2, 3].map(() => rates.take("up write", 3))).toEqual([0, 0, 0]);
  expect(rates.take("up write", 3)).toBe(20_000);
  expect(rates.take("up read", 3)).toBe(0);
  now += 19_999;
  expect(rates.take("up write", 3)).toBe(1);
  now += 1;
  expect(rates.take("up write", 3)).toBe(0);
  now += 3_600_000;
  expect([1, 2, 3].map(() => rates.take("up write", 3))).toEqual([0, 0, 0]);
  expect(rates.take("up write", 3)).toBeGreaterThan(0);
});
