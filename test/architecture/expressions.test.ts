/**
 * No regular expression of ours takes longer than its text is long: not in what people wrote, not in what a machine wrote, not in a
 * contract's patterns. A text from outside could otherwise stop the kernel.
 */
import { slownessOf } from "@fairlead/codegen";
import { describe, expect, it } from "vitest";
import { type Expression, expressionsIn, patternsIn } from "./expressions.ts";
import { files, read } from "./sources.ts";

const shipped = files.filter(
  (path) =>
    /^(?:contracts|codegen|kernel|services\/[^/]+|clients\/[^/]+)\/(?:src|gen|bin)\//.test(path) &&
    !/\.(?:test|test-d|d)\.ts$/.test(path),
);
const sources = shipped.filter((path) => /\.(?:ts|js|mjs)$/.test(path));
const documents = shipped.filter((path) => /\/gen\/[^/]*\.json$/.test(path));

const slow = (expressions: readonly Expression[]): readonly string[] => [
  ...new Set(
    expressions.flatMap(({ path, source, flags }) => {
      const slowness = slownessOf(source, flags);
      return slowness === undefined ? [] : [`${path}: /${source}/${flags} is ${slowness}`];
    }),
  ),
];

describe("regular expressions", () => {
  const found = sources.map((path) => ({ path, ...expressionsIn(path, read(path)) }));

  it("are linear in all sources", () => {
    const literals = found.flatMap((file) => file.literals);
    expect(literals.length).toBeGreaterThan(200);
    expect(slow(literals)).toEqual([]);
  });

  it("are linear in all generated documents", () => {
    const patterns = documents.flatMap((path) => patternsIn(path, read(path)));
    expect(patterns.length).toBeGreaterThan(20);
    expect(slow(patterns)).toEqual([]);
  });

  it("are put together at run time nowhere but where it was looked at", () => {
    expect(found.filter(({ computed }) => computed > 0).map(({ path }) => path)).toEqual([]);
  });
});

describe("the check", () => {
  it("finds a slow one wherever it stands", () => {
    const text =
      'const f = (t: string): boolean => [/^a+$/, /^(?:a+)+$/u].some((e) => e.test(t)) || new RegExp(t).test("");';
    const { literals, computed } = expressionsIn("x.ts", text);
    expect(slow(literals)).toEqual(["x.ts: /^(?:a+)+$/u is exponential"]);
    expect(computed).toBe(1);
    const json = JSON.stringify({ properties: { a: { pattern: "^\\d*\\w+$" } }, patternProperties: { "a+$": {} } });
    expect(slow(patternsIn("x.json", json)).toSorted()).toEqual([
      "x.json: /^\\d*\\w+$/ is polynomial",
      "x.json: /a+$/ is polynomial",
    ]);
  });
});
