/** `in`, `Contains` and the methods that compare elements agree with `==`, whatever kinds of number, text or time meet. */
import { defaultLimits, evaluate, LinqError } from "@fairlead/linq";
import { describe, expect, test } from "vitest";
import { fixture } from "../testing/fixture.ts";
import { errors, values } from "../testing/table.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const kinds = [
  "5",
  "5U",
  "5L",
  "5UL",
  "5f",
  "5.0",
  "5m",
  "5.50m",
  "5.5",
  "byte(5)",
  "short(5)",
  "-5L",
  "decimal(First.Id)",
  "First.Ratio",
  "First.Hp",
  "Entities[1].Hp",
  "First.Big",
  "Anything.n",
  "Anything.s",
  '"5"',
  "'5'",
  '"Magic"',
  '"2026-01-01"',
  "First.Name",
  "First.Rarity",
  "Rarity.Magic",
  "1",
  "true",
  "First.IsHostile",
  "DateTime(2026, 1, 1)",
  "DateOnly(2026, 1, 1)",
  "TimeSpan(1, 0, 0)",
  "First.Seen",
  "First.Age",
  "First",
  "Player",
  'Guid("00000000-0000-0000-0000-000000000005")',
  "null",
];

/** The value as JSON, or the code of our error; anything else thrown is a failure. */
const answer = (text: string): string => {
  try {
    return String(evaluate(text, { host: fixture, limits: defaultLimits }).value);
  } catch (error) {
    if (error instanceof LinqError) return error.code;
    throw new Error(`${text}: ${error instanceof Error ? error.message : String(error)}`);
  }
};

const sampled = kinds.filter((_, at) => inLongTier || at % 3 === 0);

describe("`in` is `==`", () => {
  test.each(sampled)("%s in any list of one", (a) => {
    const wrong: string[] = [];
    for (const b of kinds) {
      const equal = answer(`${a} == ${b}`);
      const isComparable = equal === "true" || equal === "false";
      for (const text of [`${a} in new[] { ${b} }`, `new[] { ${b} }.Contains(${a})`, `${a} in (${b}, ${b})`]) {
        const found = answer(text);
        // A list of null has elements of no declared type, which may be compared with anything.
        if (isComparable ? found !== equal : found === "true") wrong.push(`${text}: ${found}, but == gives ${equal}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each(sampled)("%s combined with any list of one", (a) => {
    const wrong: string[] = [];
    for (const b of kinds) {
      const both = `new[] { ${a} }`;
      const shared = answer(`${both}.Intersect(new[] { ${b} }).Count() == 1`);
      const same = answer(`${both}.SequenceEqual(new[] { ${b} })`);
      const rest = answer(`${both}.Except(new[] { ${b} }).Count() == 0`);
      const joined = answer(`${both}.Union(new[] { ${b} }).Count() == 1`);
      if (new Set([shared, same, rest, joined]).size !== 1) wrong.push(`${a} ~ ${b}: ${[shared, same, rest, joined]}`);
      const equal = answer(`${a} == ${b}`);
      if (shared === "true" ? equal !== "true" : shared === "false" && equal === "true")
        wrong.push(`${a} ~ ${b}: ${shared}, but == gives ${equal}`);
      for (const fold of ["Sum()", "Max()", "Min()", "Average()", "OrderBy(it).First()", "Distinct().Count()"])
        answer(`${both}.Concat(new[] { ${b} }).${fold}`);
    }
    expect(wrong).toEqual([]);
  });
});

values("membership", [
  ["Entities.Select(Id).Contains(3)", true],
  ["Entities.Sum(decimal(Id)) in new[] { 15 }", true],
  ["Entities.Where(Id in new[] { 1, 2 }).Count()", 2],
  ['Stats.Keys.Contains("life")', true],
  ["new[] { 1.00000000000000000001m, 1.00000000000000000002m }.Distinct().Count()", 2],
  ["new[] { 1.0m, 1.00m }.Distinct().Count()", 1],
  ["new[] { 5m }.Concat(new[] { 5 }).Sum()", "10m"],
  ["new[] { 5 }.Union(new[] { 5.5 }).Sum()", 10.5, "Double"],
]);

values(
  "lists beside the text are lists of literals",
  [
    ["Entities.Where(Id in @0).Count()", 2],
    ["Entities.Where(@0.Contains(Id)).Count()", 2],
    ["decimal(2) in @0", true],
    ["2L in @0", true],
    ["First.Rarity in @1", true],
    ["DateTime(2026, 1, 1) in @2", true],
    ["First.Seen in @2", true],
    ["Entities[1].Hp in @3", true],
    ["5.5m in @4", true],
    ["5 in @4", true],
    ["First.Price in @5", true],
    ['"x" in @5', false],
  ],
  [[1, 2], ["Magic", "rare"], ["2026-01-01", "2026-02-01"], [7, null], [5, 5.5], ["1.1"]],
);

errors(
  "lists that hold nothing comparable",
  [
    ["First.Rarity in @0", "unknown_value", 16, /Magic/],
    ["First.IsHostile in @1", "wrong_operands", 16],
    ["2 in @2", "wrong_operands", 5],
    ["5 in 5", "wrong_operands", 5],
    ["new[] { 5 }.Union(new[] { true })", "wrong_arguments", 18, /convert/],
  ],
  [["Magc"], [1, 2], ["1.1"]],
);
