import { describe, expect, test } from "vitest";
import { findLine, readTokens } from "./source-line.ts";

const source = `// id: "shop", procedures: { look }
import { look } from "./look.ts";
const pattern = /["{]\\/[/"]/;
const text = \`id: "shop" { \`;
export const other = defineContract({ id: "other", procedures: {
  look: query({ summary: "Other" }),
} });
export default defineContract({
  version: "1.0.0",
  id: "shop",
  procedures: {
    look,
    buy: mutation({
      summary: "Buys { it }", /* errors: { gone: 1 } */
      policy: { deadlineMs: "5" },
      input: z.object({
        of: z.object({
          name: z.string(),
        }),
      }),
      errors: { "gone": error({ code: "not_found" }) },
    }),
    "sell"() {},
  },
});
`;
const line = (id: string, ...path: readonly string[]): number | undefined => findLine(readTokens(source), id, path);

describe("the line of", () => {
  test.each<[number, readonly string[]]>([
    [10, ["shop"]],
    [9, ["shop", "version"]],
    [11, ["shop", "procedures"]],
    [12, ["shop", "procedures", "look"]],
    [13, ["shop", "procedures", "buy"]],
    [15, ["shop", "procedures", "buy", "policy", "deadlineMs"]],
    [16, ["shop", "procedures", "buy", "input"]],
    [18, ["shop", "procedures", "buy", "input", "of", "name"]],
    [21, ["shop", "procedures", "buy", "errors", "gone", "code"]],
    [23, ["shop", "procedures", "sell"]],
    [5, ["other"]],
    [6, ["other", "procedures", "look", "summary"]],
  ])("%d", (expected, [id = "", ...path]) => {
    expect(line(id, ...path)).toBe(expected);
  });

  test("what is not there is that of what is around it", () => {
    expect(line("shop", "procedures", "look", "input")).toBe(12);
    expect(line("shop", "procedures", "buy", "polcy")).toBe(13);
    expect(line("shop", "nothing")).toBe(10);
  });

  test("an unknown contract is unknown", () => {
    expect(line("nothing")).toBeUndefined();
    expect(findLine(readTokens("'"), "x", [])).toBeUndefined();
  });
});
