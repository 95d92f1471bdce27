/** What is shown of a compiler's output. */
import { expect, test } from "vitest";
import { firstErrors } from "./report.ts";

test("the first errors, each with the first of its lines", () => {
  const error = (line: number): string =>
    `services/a.ts(${line},1): error TS2322: It does not fit.\n  First reason.\n    Second reason.\n      Third reason.`;
  const lines = firstErrors([1, 2, 3, 4, 5, 6, 7].map(error).join("\n"));
  expect(lines).toHaveLength(16);
  expect(lines.slice(0, 4)).toEqual([
    "services/a.ts(1,1): error TS2322: It does not fit.",
    "  First reason.",
    "    Second reason.",
    "services/a.ts(2,1): error TS2322: It does not fit.",
  ]);
  expect(lines.at(-1)).toBe("and 2 more errors: `npx tsc --noEmit` shows them all");
  expect(firstErrors(error(1))).toHaveLength(3);
});
