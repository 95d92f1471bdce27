import { expect, test } from "vitest";
import { flood } from "./flood.ts";

test("fresh clients get through 3,000 slow ones that come back", async () => {
  const { failed, p99, grown } = await flood({ slow: 3_000, probes: 300 });
  expect({ failed }).toEqual({ failed: 0 });
  // The machine runs the slow clients and other tests, too; the soak has the goal.
  expect(p99).toBeLessThan(30_000);
  expect(grown).toBeLessThan(300_000_000);
});
