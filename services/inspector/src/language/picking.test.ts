/** Sequence methods that pick by place or key, that pair and that number; and what they have in common with nullable scalars: a default. */
import { dynamic, evaluate, runQuery } from "@fairlead/linq";
import { expect, test } from "vitest";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";
import { errors, values } from "../testing/table.ts";

values("picking", [
  ["§.ElementAt(1).Id", 2],
  ["Numbers.ElementAtOrDefault(9)", 0, "Int32"],
  ["People.ElementAtOrDefault(-1)", null],
  ["Numbers.TakeLast(2)", [2, 2]],
  ["Numbers.TakeLast(9).Count()", 4],
  ["Numbers.SkipLast(3)", [3]],
  ["§.MinBy(Level).Id", 1],
  ["§.MaxBy(m => m.Level).Id", 5],
  ["People.MaxBy(age).name", "bob"],
  ["People.MinBy(age).name", "Ann"],
  ["Numbers.DistinctBy(it % 2)", [3, 2]],
  ["§.DistinctBy(Rarity).Count() == §.Select(Rarity).Distinct().Count()", true],
  ["Numbers.Zip(§).Select(First + Second.Id)", ["4L", "3L", "5L", "6L"]],
  ["Numbers.Zip(Empty).Count()", 0],
  ["Numbers.Select((x, i) => x * 10 + i)", [30, 11, 22, 23]],
  ["Numbers.Where((x, i) => i > 0 && x < 3)", [1, 2, 2]],
  ["People.Select((p, i) => new { p.name, i }).Last().i", 2],
  ["§.Select((m, i) => m.Buffs.Count(b => b.Timer > i)).Count()", 5],
  ["§.ToDictionary(Id)[2].Id", 2],
  ["Numbers.DistinctBy(it).ToDictionary(it, it * 2)[3]", 6, "Int32"],
  ["§.ToDictionary(m => m.Id, m => m.Level).Count", 5],
  ["§.First().Hp.GetValueOrDefault() >= 0", true],
  ["§.Sum(Hp.GetValueOrDefault(0))", 1300],
  ["§.Select(Hp.GetValueOrDefault(7)).Count(it == 7)", 1, "Int32"],
]);

errors("picking", [
  ["Numbers.ElementAt(9)", "out_of_range", 8],
  ["Empty.MinBy(it)", "no_elements", 6],
  ['Numbers.TakeLast("x")', "wrong_arguments", 17],
  ["Numbers.ToDictionary(it % 2)", "duplicate_name", 8],
  ["Numbers.Zip(3)", "wrong_arguments", 12],
  ["Numbers.Zip(it)", "no_it", 12],
  ["§.MaxBy(new { Id })", "wrong_arguments", 15],
]);

const host = hostAccess({
  registry: new Registry([]),
  now: () => 0,
  roots: [
    { name: "Nums", type: dynamic, read: () => [1, null, 5, "text"] },
    { name: "Other", type: dynamic, read: () => ({ a: 3 }) },
  ],
});

test("roots are seen inside lists of primitives", () => {
  expect(evaluate("Nums.Where(it is double && Other.a > it).Count()", { host }).value).toBe(1);
  expect(runQuery({ from: "Nums", where: "it is double && it > Other.a" }, { host }).rows).toEqual([5]);
  expect(() => evaluate("Nums.Where(Othr.a > 1)", { host })).toThrow(/Othr/);
});
