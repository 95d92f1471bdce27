/** Hostile inputs: nothing of the host runs, nothing leaks, nothing changes, each ends within its limit. */
import { types } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Encoder } from "../../answer/encode.ts";
import { LinqError } from "../error.ts";
import { evaluate } from "../evaluate.ts";
import { defaultLimits } from "../limits.ts";
import { fingerprint, fired, hostileWorld } from "../proof/hostile.ts";
import type { QueryText } from "../query/plan.ts";
import { runQuery } from "../query/query.ts";

const limits = { ...defaultLimits, wallMs: 20_000, fuelPerRow: 200_000, fuelPerQuery: 2_000_000 };
const world = hostileWorld(limits);
const { host } = world;
let before = "";

const encode = (value: unknown, type: Parameters<Encoder["encode"]>[1]): string =>
  JSON.stringify(new Encoder({ host, items: 50, bytes: 1_048_576 }).encode(value, type, { depth: 3, path: "" }));

/** What came out: JSON text, or the code of our error. Anything else thrown fails the test. */
const outcome = (run: () => string): string => {
  try {
    return run();
  } catch (error) {
    if (error instanceof LinqError) return error.code;
    throw error;
  }
};

const evaluated = (text: string): string =>
  outcome(() => {
    const { value, type } = evaluate(text, { host, limits });
    return encode(value, type);
  });

const queried = (query: QueryText): string =>
  outcome(() => {
    const { rows, type } = runQuery(query, { host, limits });
    return JSON.stringify(rows.map((row) => encode(row, type)));
  });

beforeEach(() => {
  fired.length = 0;
  before = fingerprint(world.roots, types.isProxy);
});

afterEach(() => {
  expect(fired).toEqual([]);
  expect(fingerprint(world.roots, types.isProxy)).toBe(before);
});

/** Words that must never come out: they would mean that a function, a prototype or the process was reached. */
const leaks = /native code|\[Function|process|node:|prototype|globalThis|=>|class /;

const names = [
  "constructor",
  "__proto__",
  "prototype",
  "__defineGetter__",
  "__lookupGetter__",
  "hasOwnProperty",
  "valueOf",
  "toLocaleString",
  "isPrototypeOf",
  "caller",
  "arguments",
  "callee",
];

describe("reach", () => {
  test.each([
    ...names.map((name) => `W.${name}`),
    ...names.map((name) => `W["${name}"]`),
    ...names.slice(0, 3).map((name) => `W["${name.slice(0, 3)}" + "${name.slice(3)}"]`),
    ...names.slice(0, 3).map((name) => `W.@${name}`),
    ...names.slice(0, 3).map((name) => `W.${name}.${name}`),
    ...names.slice(0, 3).map((name) => `W?.${name}?.${name}("return process")()`),
    ...names.slice(0, 3).map((name) => `np(W.${name}.name)`),
    'W["\\x63onstructor"]',
    'W["\\u0063onstructor"]',
    'W["const\\x72uctor"]',
    "W.CONSTRUCTOR",
    "W.__PROTO__",
    '"".constructor',
    '"".constructor.constructor("return 1")()',
    "(5).constructor",
    "true.constructor",
    "W.list.constructor",
    "W.method",
    "W.method.constructor",
    "W.method.call(null)",
    "W.method.bind(null)()",
    "W.method()",
    "W.armed.mutate()",
    'W.armed["mutate"]()',
    "W.trap.Run()",
    "Trap.Run()",
    "Trap.constructor",
    "Trap.GetType()",
    "Trap.GetType().Assembly",
    '"".GetType()',
    "typeof(W)",
    'Type.GetType("System.Diagnostics.Process")',
    "System.Diagnostics.Process",
    "System.IO.File",
    'System.IO.File.ReadAllText("/etc/passwd")',
    "Environment.Exit(1)",
    "globalThis",
    "process",
    "process.env",
    'require("fs")',
    'import("fs")',
    "this",
    "self",
    "window",
    'Reflect.get(W, "secret")',
    "Object.keys(W)",
    "Symbol.iterator",
    "W[Symbol.iterator]",
    'new Function("return 1")',
    'eval("1")',
    "W.promise.then(it)",
    "await W.promise",
    "async () => W",
    "W.weak.get(W)",
    "W.inherits.inherited",
    "W.behindProxy.anything",
    "W.trap.__proto__.Lazy",
    "it.constructor",
    "root.constructor",
    "$",
    "^",
    "~",
  ])("%s", (text) => {
    expect(evaluated(text)).not.toMatch(leaks);
  });
});

describe("write", () => {
  test.each([
    "W.n = 6",
    "W.n := 6",
    "W.n += 1",
    "W.n++",
    "++W.n",
    "delete W.n",
    "W.list.push(1)",
    "W.list.Add(1)",
    "W.list.Clear()",
    "W.list.sort()",
    "W.list.Reverse()",
    "W.list.OrderBy(v).ToList()",
    'W.map.set("k", 2)',
    "W.map.Clear()",
    'W.map.Remove("k")',
    "W.set.Add(2)",
    "W.trap.Lazy = 1",
    "new { W.n = 6 }",
    "new { 1 as __proto__ }",
    "new { __proto__ = 1 }",
    "new { 1 as constructor }",
    "new { 1 as toString, 2 as then, 3 as toJSON, 4 as valueOf }",
    "W.list[0].v = 9",
    'W["n"] = 6',
    "Object.freeze(W)",
    'Object.defineProperty(W, "x", 1)',
  ])("%s", (text) => {
    evaluated(text);
  });
});

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
  ];
  const cases = objects.map((object) => [object, uses.map((use) => use.replaceAll("$", object))] as const);
  test.each(cases)("%s in every use", (_, texts) => {
    for (const text of texts) expect(evaluated(text)).not.toMatch(leaks);
  });
  test.each([
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
  ])("%s", (text) => {
    expect(evaluated(text)).not.toMatch(leaks);
  });
});

describe("size and time", () => {
  test.each([
    ["nested brackets", `${"(".repeat(2_000)}1${")".repeat(2_000)}`],
    ["a long sum", Array(1_000).fill("1").join("+")],
    ["a long text", `"${"a".repeat(5_000)}"`],
    ["many names", Array(1_000).fill("W").join(".")],
    ["a wide list", `1 in (${Array(1_300).fill("1").join(",")})`],
    ["a huge pad", '"x".PadLeft(2000000000)'],
    ["a negative pad", '"x".PadLeft(-1)'],
    ["pads that add up", Array(20).fill('"x".PadLeft(60000)').join(" + ")],
    ["replacing into a flood", '"x".PadLeft(60000).Replace(" ", "yyyyyyyyyyyyyyyy").Replace("y", "zzzzzzzzzzzzzzzz")'],
    ["joining a flood", 'string.Join("x".PadLeft(60000), Rows)'],
    ["a cross join", "Rows.SelectMany(Rows.SelectMany(Rows))"],
    ["a deep cross join", "Rows.Count(Rows.Any(Rows.All(Rows.Count(v == 99) == 0)) && false)"],
    ["sorting inside sorting", "Rows.OrderBy(parent.Rows).Count() + Rows.OrderBy(Rows.OrderBy(v).First().v).Count()"],
    ["a flood of rows of text", 'Rows.Select(new { "x".PadLeft(60000) as a, "y".PadLeft(60000) as b })'],
    ["evil pattern", 'W.text.Contains("aaaaaaaaaaaaaaaaaaaaaaaaaaaaab")'],
    ["a huge number", "9".repeat(3_000)],
    ["a huge exponent", "1e999999999"],
    ["a huge decimal", `1${"0".repeat(300)}m`],
    ["decimals that grow", Array(60).fill("9999999999m").join(" * ")],
    ["a shift out of sight", "1L << 2000000000"],
    ["a power", "Math.Pow(10, 1000000)"],
    ["dates out of range", "DateTime.MaxValue.AddDays(1e300)"],
    ["spans out of range", "TimeSpan.FromDays(1e300)"],
    ["a year of none", "DateTime(2026, 99, 99)"],
    ["many lambdas", `Rows.Where(${"Rows.Any(".repeat(50)}true${")".repeat(51)}`],
    ["escapes only", `"${"\\u0041".repeat(600)}"`],
    ["quotes only", '"'.repeat(4_000)],
    ["nulls", `${"null ?? ".repeat(400)}1`],
    ["questions", `${"true ? ".repeat(400)}1`],
    ["nots", `${"!".repeat(4_000)}true`],
    ["minuses", `${"-".repeat(4_000)}1`],
    ["new in new", "new { ".repeat(400)],
    ["equals in new", "new { a = ".repeat(300)],
  ])("%s ends", (_, text) => {
    const start = performance.now();
    evaluated(text);
    expect(performance.now() - start).toBeLessThan(15_000);
  });
});

describe("queries", () => {
  test.each<[QueryText]>([
    [{ from: "Rows", where: "secret == 1" }],
    [{ from: "Rows", where: "constructor == 1" }],
    [{ from: "Rows", where: "toString == null" }],
    [{ from: "Rows", where: "hasOwnProperty != null" }],
    [{ from: "Rows", where: "v > 2", select: "new { id, toString, valueOf }" }],
    [{ from: "Rows", where: "v > 2", orderBy: "secret" }],
    [{ from: "Rows", groupBy: "secret" }],
    [{ from: "Rows", groupBy: "v", select: "new { Key, Sum(id) as s }" }],
    [{ from: "Rows", where: 'id == "\\u0022;process.exit()//"' }],
    [{ from: "Rows", where: '"\\"+process.exit()+\\"" == "x"' }],
    [{ from: "Rows", where: '"`$\\x7bprocess.exit()}`" == "x" || "\\u2028" == "y" || "*/" == "</script>"' }],
    [{ from: "Rows", select: 'new { v as @a, 1 as b, "\\"];process.exit();[\\"" as c }' }],
    [{ from: "Rows", select: 'new { it["x\\"];process.exit();//"] }' }],
    [{ from: "Rows", where: "np(secret) == 1 && v > 1" }],
    [{ from: "List", where: "v > 1" }],
    [{ from: "List", orderBy: "it desc", distinct: true }],
    [{ from: "List", select: 'it + ""' }],
    [{ from: "List", groupBy: "it" }],
    [{ from: "W" }],
    [{ from: "Proxy" }],
    [{ from: "W.nested" }],
    [{ from: "W.sly", where: "it > 0" }],
    [{ from: "W.map", where: "Value > 0", select: "Key" }],
    [{ from: "W.method" }],
    [{ from: "W.promise" }],
    [{ from: '"text"' }],
    [{ from: "Rows", where: "Rows.Any(Rows.Any(Rows.Any(id < 0)))" }],
    [{ from: "Rows", take: 1_000_000_000, skip: -5 }],
    [{ from: "Rows", take: -1 }],
    [{ from: "Rows", skip: 1e15, orderBy: "v" }],
    [{ from: "Rows", select: '"x".PadLeft(60000)', take: 1000 }],
    [{ from: "Rows", where: "true", select: "Rows" }],
  ])("%j", (query) => {
    expect(queried(query)).not.toMatch(/native code|\[Function|node:|globalThis/);
  });

  test("names that JavaScript would answer are data or null, in both ways to run", () => {
    const { rows, path } = runQuery(
      { from: "Rows", where: "v == 4 && id > 1100", select: "new { id, hasOwnProperty, isPrototypeOf }", take: 2 },
      { host, limits },
    );
    expect(path).toBe("generated");
    expect(rows).toEqual([
      { id: 1104, hasOwnProperty: null, isPrototypeOf: null },
      { id: 1109, hasOwnProperty: null, isPrototypeOf: null },
    ]);
  });
});

test("a polluted Object.prototype is not read", () => {
  Object.defineProperty(Object.prototype, "polluted", {
    get: () => {
      fired.push("polluted");
      return 1;
    },
    configurable: true,
  });
  try {
    expect(queried({ from: "Rows", where: "polluted == 1 && id > 2600" })).toBe("not_readable");
    expect(queried({ from: "Rows", where: "polluted == 1", take: 1 })).toBe("not_readable");
    expect(evaluated("W.polluted")).toBe("null");
  } finally {
    Reflect.deleteProperty(Object.prototype, "polluted");
  }
});

test("memory stays bounded over many large questions", () => {
  const first = process.memoryUsage().heapUsed;
  for (let round = 0; round < 30; round++) queried({ from: "Rows", select: '"x".PadLeft(60000)', take: 1000 });
  expect(process.memoryUsage().heapUsed - first).toBeLessThan(400 * 1_048_576);
});
