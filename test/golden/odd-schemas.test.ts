/** Calls of all that Zod exports with arguments that no author should write: `gen` ends, and says what is wrong where the author looks. */
import { expect, test } from "vitest";
import { tryOddCalls } from "./odd-schemas-check.ts";

test("a sample of odd calls is refused in words, at the author's line", async () => {
  const { tried, refused, complaints } = await tryOddCalls(331);
  expect(complaints).toEqual([]);
  expect(tried).toBeGreaterThan(40);
  expect(refused).toBeGreaterThan(20);
});
