import { expect, test } from "vitest";
import { tryOddCalls } from "./odd-schemas-check.ts";

test("one in seven odd calls is refused in words, at the author's line", async () => {
  const { tried, refused, complaints } = await tryOddCalls(7);
  expect(complaints).toEqual([]);
  expect(tried).toBeGreaterThan(2_000);
  expect(refused).toBeGreaterThan(1_000);
});
