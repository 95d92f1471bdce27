/**
 * Questions give the thread back: at every point where they ask whether to, this budget says yes. Then no more than a few elements are read
 * between two pauses, whatever the question is, and the answer is the one without pauses.
 */
import { dynamic, type PauseBudget, type Resumable, runToEnd, startEvaluation, startQuery } from "@fairlead/linq";
import { expect, test } from "vitest";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";

const many = 6_000;
const rows = Array.from({ length: many }, (_, id) => ({
  id,
  name: `n${(id * 7919) % many}`,
  lines: id % 2 === 0 ? [{ count: id % 5 }] : [],
}));
const roots = {
  Rows: rows,
  Map: new Map(rows.map((row) => [row.id, row])),
  Set: new Set(rows.map(({ name }) => name)),
  Bytes: Uint32Array.from(rows, ({ id }) => many - id),
};

const host = hostAccess({
  registry: new Registry([]),
  now: () => 0,
  roots: Object.entries(roots).map(([name, value]) => ({ name, type: dynamic, read: () => value })),
});

/** Elements between two pauses: 32 are read between two questions to the budget, 1,024 of plain rows. */
const [stride, chunk] = [32, 1_024];

/** The result, and how often it paused. */
const paused = <T>(work: Resumable<T>): { readonly value: T; readonly pauses: number } => {
  for (let pauses = 0; ; pauses++) {
    const step = work.next(true);
    if (step.done === true) return { value: step.value, pauses };
  }
};

const never = { isSpent: () => false };
const always = { isSpent: () => true };
/** The clock stands still: how long it takes is the machine's business. */
const withBudget = (budget: PauseBudget) => ({ host, budget, clock: { elapsed: () => 0 } });

test.each([
  ["Rows.Where(id > 5).Select(name).OrderBy(it).First()", 3],
  ["Rows.OrderBy(name).ThenByDescending(id).Last().id", 2],
  ["Rows.GroupBy(name).Count()", 1],
  ["Rows.GroupBy(id % 7, name).Select(Count()).Sum()", 1],
  ["Rows.Sum(id) + Rows.Max(id) + Rows.Average(id)", 3],
  ["Rows.Any(id < 0) || Rows.All(id < 0) || Rows.First(id == 5999).id > 0", 2],
  ["Rows.SelectMany(lines).Distinct().Count(count > 3)", 1],
  ["Rows.Take(12).Count(r => Rows.Any(id == r.id + 5000))", 9],
  ["Rows.Aggregate(0, (total, r) => total + r.id)", 1],
  ["Bytes.Union(new[] { 1, 2 }).Except(new[] { 3 }).Count()", 2],
  ["Rows.Reverse().Skip(3).TakeWhile(id > 10).Count()", 3],
  ["Map.Values.Sum(id) + Map.Keys.Max(it) + Map.Count(Value.id > 3)", 3],
  ['Set.Where(it != "n1").OrderByDescending(it).First()', 2],
  ["Bytes.OrderBy(it).Skip(5).First() + Bytes.Min()", 3],
  ["Rows.Contains(5) || Bytes.Contains(-1)", 2],
  ["np(Rows.First(id == 4000).name) ?? string(Rows.Count(id > 3))", 0.6],
] as const)("%s", (expr, passes) => {
  const { value, pauses } = paused(startEvaluation(expr, withBudget(always)));
  expect(value).toEqual(runToEnd(startEvaluation(expr, withBudget(never))));
  expect(pauses).toBeGreaterThanOrEqual(Math.floor((passes * many) / stride) - passes * 2);
});

test.each([
  [{ from: "Rows", where: "id % 3 == 1", orderBy: "name desc", take: 5, select: "new { id, name }" }, 1 / chunk],
  [{ from: "Rows", where: "lines.Any(count > 3)", select: "id" }, 1 / (stride * 10)],
  [{ from: "Rows", orderBy: "name", skip: 5_000, take: 5, select: "new { name }" }, 10 / stride],
  [{ from: "Rows", groupBy: "name", orderBy: "Key", take: 3 }, 10 / stride],
  [{ from: "Rows", groupBy: "id % 10", select: "new { Key, Sum(id) as sum }", orderBy: "Sum(id) desc" }, 1 / stride],
  [{ from: "Rows", distinct: true, select: "name", orderBy: "name", take: 3 }, 1 / stride],
  [{ from: "Map", where: "Value.id > 5990", orderBy: "Key desc" }, 1 / stride],
  [{ from: "Set", orderBy: "it", take: 3 }, 1 / stride],
  [{ from: "Bytes", groupBy: "it % 100", orderBy: "Count()" }, 1 / stride],
  [{ from: "Rows.OrderBy(name)", where: "id > 5", take: 1 }, 10 / stride],
] as const)("%j", (query, share) => {
  const { value, pauses } = paused(startQuery(query, withBudget(always)));
  expect(value).toEqual(runToEnd(startQuery(query, withBudget(never))));
  expect(pauses).toBeGreaterThanOrEqual(Math.floor(share * many) - 1);
});

test("a size, a look-up and a first element need no pause", () => {
  for (const expr of ["Rows.Count()", "Map[7].id", 'Set.Contains("n1")', "Rows.First().id", "Bytes.Length", "1 + 1"])
    expect(paused(startEvaluation(expr, withBudget(always))).pauses).toBe(0);
});
