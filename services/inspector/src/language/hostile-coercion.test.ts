/** Hostile objects: no getter, trap or coercion of theirs runs, whatever is done with them. */
import { describe, expect, test } from "vitest";
import { checkUnchanged, evaluated, leaks } from "../testing/attack.ts";

const inLongTier = process.env.TESTS_TIER === "long";

checkUnchanged();

describe("getters, traps and coercion", () => {
  const objects = [
    "W.armed",
    "W.proxy",
    "W.list[0]",
    "W.list[2]",
    "W.sly",
    "W.map",
    "W.set",
    "W.date",
    "W.promise",
    "W.boxed",
    "W.regexp",
    "W.error",
    "W.bytes",
    "W.trap",
    "W.revoked",
    "W.nested",
    "W.behindProxy",
    "W.inherits",
    "W.method",
    "Proxy",
    "Trap",
  ];
  const uses = [
    "$",
    "$.secret",
    "$ + 1",
    '$ + ""',
    "1 + $",
    "$ > 1",
    "$ == 5",
    '$ == "x"',
    "-$",
    "!$",
    "$ & 1",
    "$.ToString()",
    "$.Name",
    "$.Count()",
    "$.Length",
    "$[0]",
    '$["secret"]',
    '$ in (1, "a")',
    "new { $ as x }",
    "$.GetHashCode()",
    "$.Equals(1)",
    "int($)",
    "Math.Abs($)",
    "$ ? 1 : 2",
    "$ is string",
    "$ ?? 1",
    "$.First()",
    'string.Join(",", W.list)',
    "$.CompareTo($)",
  ];
  const folds = ["Sum", "Average", "Min", "Max", "OrderBy", "GroupBy", "Distinct", "First", "Reverse", "ToList", "Any"];
  const onLists = [
    ...folds.map((name) => `new[] { $ }.${name}()`),
    ...folds.map((name) => `new[] { $ }.${name}(it)`),
    ...folds.map((name) => `Rows.Take(1).${name}($)`),
    ...folds.map((name) => `new[] { $, $, null }.${name}(x => x)`),
    ...["Union", "Concat", "Intersect", "Except", "SequenceEqual"].map((name) => `new[] { $ }.${name}(new[] { $ })`),
    ...["Skip", "Take", "SkipWhile", "TakeWhile", "Contains", "DefaultIfEmpty"].map((name) => `new[] { $ }.${name}($)`),
    'string.Join(",", new[] { $ })',
    "new[] { $ }.OrderBy(it).ThenBy(it)",
    "new[] { new { $ as x } }.Distinct()",
    "new { $ as x } == new { $ as x }",
  ];
  const cases = objects.map((object) => [object, uses.map((use) => use.replaceAll("$", object))] as const);
  test.each(cases.filter((_, at) => inLongTier || at % 3 === 0))("%s in every use", (_, texts) => {
    for (const text of texts) expect(evaluated(text)).not.toMatch(leaks);
  });
  test.each(objects.filter((_, at) => inLongTier || at % 3 === 0))("lists of %s in every method", (object) => {
    for (const use of onLists) expect(evaluated(use.replaceAll("$", object))).not.toMatch(leaks);
  });
  test.each(
    [
      "W",
      "W.trap",
      "W.trap.Lazy",
      "Trap.Lazy",
      "W.elements",
      "W.elements[1]",
      "W.elements.Sum()",
      "W.elements.Contains(2)",
      "W.list.Select(secret)",
      "W.list.Where(secret == 1)",
      "W.list.OrderBy(it)",
      "W.list.OrderBy(secret)",
      "W.list.Distinct()",
      "W.list.GroupBy(it).Select(new(Key, Count() as n))",
      "W.list.Sum(v)",
      "W.list.Max(it)",
      "W.list.Contains(W.armed)",
      "W.list.Concat(W.sly).Count()",
      "W.list.SequenceEqual(W.list)",
      'W.list.Select(it + "")',
      "W.sly.Count()",
      "W.sly[0]",
      "W.map.Count",
      "W.map.Keys",
      'W.map["k"]',
      "W.map.k",
      "W.map.__proto__",
      "W.set.Count()",
      "W.set.Sum()",
      "W.date.Year",
      'W.date > "1960-01-01"',
      "W.bytes.Sum()",
      "W.bytes[0]",
      "W.holes",
      "W.holes.Count()",
      "W.cycle",
      "W.cycle.self.self.name",
      "Liar.n",
      "Liar.armed",
      "Liar.armed + 1",
      "Liar.list",
      "Liar.list.Sum()",
      "Liar.map.k",
      "Liar.map.armed + 1",
      "Liar.map.Sum(Value)",
      "Liar.map.Where(Value > 1).Select(Key)",
      "Liar.map.Values.Sum()",
      "Liar.map.ContainsValue(2)",
      "Liar.date",
      "Liar.date.Year",
      "Liar.name.Length",
      "W.symbol",
      "W.big + 1",
      "W.nan",
      "W.surrogate",
    ].filter((_, at) => inLongTier || at % 3 === 0),
  )("%s", (text) => {
    expect(evaluated(text)).not.toMatch(leaks);
  });
});
