import { expect, test } from "vitest";
import { flood } from "./flood.ts";

test("fresh clients get through 10,000 slow ones that come back", { timeout: 1_200_000 }, async () => {
  const result = await flood({ slow: 10_000, probes: 3_000 });
  console.log(JSON.stringify(result));
  expect(result.failed).toBe(0);
  expect(result.p99).toBeLessThan(250);
  expect(result.grown).toBeLessThan(300_000_000);
});
