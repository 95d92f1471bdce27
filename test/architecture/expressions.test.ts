/**
 * No regular expression of ours takes longer than its text is long: not in what people wrote, not in what a machine wrote, not in a
 * contract's patterns. A text from outside could otherwise stop the kernel.
 */
import { patternSlowness } from "@fairlead/codegen";
import { describe, expect, it } from "vitest";
import { type Expression, expressionsIn, patternsIn } from "./expressions.ts";
import { danger, mistakes, slowParts } from "./judges.ts";
import { distinct, shippedExpressions } from "./shipped-expressions.ts";

const text = ({ path, source, flags }: Expression): string => `${path}: /${source}/${flags}`;

const slow = (expressions: readonly Expression[]): readonly string[] =>
  distinct(expressions).flatMap((expression) => {
    const slowness = patternSlowness(expression.source, expression.flags);
    return slowness === undefined ? [] : [`${text(expression)} is ${slowness}`];
  });

/** The slowest of the judges; the quick tier asks it about every fourth. */
const isTried = (_: unknown, at: number): boolean => process.env.TESTS_TIER === "long" || at % 8 === 0;

/** They make values of a contract's own patterns, which have passed the check, while `gen` or a mock runs. */
const provers = ["codegen/src/proof/type-reader.ts", "codegen/src/proof/values.ts", "codegen/src/sample/text.ts"];

/** It asks whether a text is an expression, and runs none. */
const asker = "codegen/src/schema/unicode-pattern.ts";

describe("regular expressions", () => {
  const { literals, patterns, computed } = shippedExpressions();

  it("are there", () => {
    expect(literals.length).toBeGreaterThan(150);
    expect(patterns.length).toBeGreaterThan(10);
  });

  it("are linear for the judge of `fairlead gen`", () => {
    expect(slow([...literals, ...patterns])).toEqual([]);
  });

  it("are without fault for eslint-plugin-regexp", () => {
    const faults = (judge: typeof mistakes) => (one: Expression) => judge(one).map((fault) => `${text(one)} ${fault}`);
    const found = [
      ...literals.filter(isTried).flatMap(faults(mistakes)),
      ...patterns.filter(isTried).flatMap(faults(slowParts)),
    ];
    expect(found).toEqual([]);
  });

  it("are put together at run time nowhere but where it was looked at", () => {
    expect(computed).toEqual([...provers, asker]);
  });
});

describe("the check", () => {
  it("finds a slow one wherever it stands", () => {
    const source =
      'const f = (t: string): boolean => [/^a+$/, /^(?:a+)+$/u].some((e) => e.test(t)) || new RegExp(t).test("");';
    const { literals, computed } = expressionsIn("x.ts", source);
    expect(slow(literals)).toEqual(["x.ts: /^(?:a+)+$/u is exponential"]);
    expect(computed).toBe(1);
    const json = JSON.stringify({ properties: { a: { pattern: "^\\d*\\w+$" } }, patternProperties: { "a+$": {} } });
    expect(slow(patternsIn("x.json", json)).toSorted()).toEqual([
      "x.json: /^\\d*\\w+$/ is polynomial",
      "x.json: /a+$/ is polynomial",
    ]);
  });

  it("is of three judges, each of which sees one that is slow", async () => {
    const slowOne = { path: "x.ts", source: "^(?:a+)+$", flags: "" };
    expect(slow([slowOne])).toEqual(["x.ts: /^(?:a+)+$/ is exponential"]);
    expect(await danger(slowOne)).toBe("exponential");
    expect(slowParts(slowOne)).toEqual([expect.stringContaining("no-super-linear-backtracking")]);
    expect(mistakes({ ...slowOne, source: "[aa]" })).toEqual([expect.stringContaining("no-dupe-characters")]);
  });
});
