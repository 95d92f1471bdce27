/**
 * What `gaps.ts` asks of the program of `gaps-target.ts`: fifty questions over a million objects of a class, a map, a set and a typed array of as many. Each
 * sorts, groups, joins or searches all of them, or is heavy in its own way (a cross join, a long text, a deep answer, a walk).
 */
import type { ToolName } from "../src/protocol/message.ts";
import {
  changing,
  floods,
  given,
  queries as hostileQueries,
  manyLambdas,
  objects,
  onLists,
  reaching,
  read,
  uses,
  values,
} from "../src/testing/hostile-inputs.ts";

export type Question = readonly [tool: ToolName, input: Readonly<Record<string, unknown>>];

const queries: readonly Readonly<Record<string, unknown>>[] = [
  { from: "Orders", where: 'customer.city == "city7" && total > 500', orderBy: "total desc", take: 10 },
  { from: "Orders", where: "lines.Any(count > 3)", select: "new { id, total }" },
  { from: "Orders", where: "lines.Count() == 0 && total % 7 == 3", orderBy: "id desc", take: 5 },
  { from: "Orders", groupBy: "customer.city", orderBy: "Count() desc" },
  { from: "Orders", groupBy: "customer.name", orderBy: "Key", take: 3 },
  { from: "Orders", groupBy: "id", select: "new { Key, Sum(total) as sum }", orderBy: "Sum(total) desc", take: 3 },
  { from: "Orders", groupBy: "total", having: "Count() > 99", orderBy: "Average(id)", take: 3 },
  { from: "Orders", orderBy: "customer.name, total desc", skip: 500_000, take: 3, select: "id" },
  { from: "Orders", orderBy: "total", skip: 999_990, take: 3, select: "id" },
  { from: "Orders", orderBy: "customer.city, customer.name", take: 100, select: "new { id, customer.name }" },
  { from: "Orders", distinct: true, select: "customer.name", take: 3 },
  { from: "Orders", distinct: true, select: "new { total, customer.city }", take: 3 },
  { from: "Orders", where: 'Regex.IsMatch(customer.name, "^c[0-9]*77$")', take: 9 },
  { from: "Orders", where: 'customer.name.ToUpper().EndsWith("99")', select: "customer.name.Length", distinct: true },
  { from: "ById", where: "Value.total > 9000", orderBy: "Value.total", take: 3, select: "Key" },
  { from: "ById", groupBy: "Value.customer.city", orderBy: "Count()", take: 3 },
  { from: "ById", orderBy: "Key desc", take: 3, select: "Value.id" },
  { from: "Ids", where: "it % 7 == 3", orderBy: "it desc", take: 3 },
  { from: "Ids", groupBy: "it % 1000", orderBy: "Key", take: 3 },
  { from: "Totals", groupBy: "it", orderBy: "Count()", take: 3 },
  { from: "Totals", orderBy: "it desc", skip: 400_000, take: 3 },
  { from: "Totals", distinct: true, orderBy: "it", take: 3 },
];

const expressions: readonly string[] = [
  "Orders.OrderBy(customer.name).Skip(10).First().id",
  "Orders.OrderByDescending(total).ThenBy(id).Last().id",
  "Orders.Select(new { id, total }).OrderBy(total).First().id",
  "Orders.GroupBy(customer.name).Count()",
  "Orders.GroupBy(total).Select(new { Key, Count() as n }).OrderByDescending(n).First().n",
  "Orders.Take(300).Count(Orders.Take(3000).Any(total < 0))",
  "Orders.Take(1000).SelectMany(Orders.Take(500)).Count()",
  "Orders.SelectMany(lines).Sum(count)",
  "Orders.Select(customer.city).Distinct().Count()",
  "Orders.Where(total > 5000).Average(total) + Orders.Max(total)",
  "Orders.Reverse().Take(5).Sum(id)",
  "Orders.TakeLast(5).Sum(id)",
  "Orders.MinBy(total).id + Orders.MaxBy(total).id",
  "Orders.Take(60000).ToDictionary(id, total).Count()",
  "Orders.Take(20000).Join(Orders.Take(20000), o => o.id, i => i.total, (o, i) => o.id).Count()",
  "Orders.Zip(Ids).Count()",
  "Orders.Select(customer.name).Union(Orders.Take(99).Select(o => o.customer.city)).Count()",
  "Ids.Except(Ids.Where(i => i % 2 == 0)).Count()",
  "Ids.Where(it > 5).Distinct().Count()",
  "Ids.Contains(-1) || Orders.Contains(5)",
  "ById.Values.Sum(total) + ById.Keys.Max(it)",
  "Totals.OrderByDescending(it).Reverse().First()",
  "Totals.Select(it * 2).Distinct().Count()",
  'string.Join(",", Ids.Take(9000)).Length',
];

const explored: readonly Readonly<Record<string, unknown>>[] = [
  { target: "Orders", limit: 1_000, depth: 3 },
  { target: "ById", limit: 50, offset: 900_000, depth: 2 },
  { target: "instances:Order", limit: 50 },
  { target: "type:Order" },
];

/** The first one loads the language; it is asked before, and its gaps are a line of their own. */
export const first: Question = ["eval", { expr: "1 + 1" }];

export const heavy: readonly Question[] = [
  ...queries.map((input): Question => ["query", input]),
  ...expressions.map((expr): Question => ["eval", { expr }]),
  ...explored.map((input): Question => ["explore", input]),
];

const onObjects = objects.flatMap((object) => [...uses, ...onLists].map((use) => use.replaceAll("$", object)));

/** Methods that make, search or count something; the tests have all there are. */
const methods = (
  "ToString ToUpper Substring Contains PadLeft Replace Split Normalize Insert Remove Trim IndexOf CompareTo Equals GetHashCode " +
  "AddDays AddMonths Add Subtract Count Sum First OrderBy GroupBy Distinct Select Where Any"
).split(" ");

/** Each on each value, with one hostile argument after the other in turn. */
const onValues = values.flatMap((value, row) =>
  methods.map((method, column) => `${value}.${method}(${given[(row + column) % given.length]})`),
);

/** All hostile inputs of the tests, those of methods in part. */
export const hostile: readonly Question[] = [
  ...[...floods, manyLambdas].map(([, expr]): Question => ["eval", { expr }]),
  ...hostileQueries.map((input): Question => ["query", { ...input }]),
  ...[...onObjects, ...read, ...reaching, ...changing, ...onValues].map((expr): Question => ["eval", { expr }]),
];
