/** Hostile inputs that want time and memory, hostile queries: each ends within its limit. */
import "../testing/natives.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type QueryText, runQuery } from "@fairlead/linq";
import { describe, expect, test } from "vitest";
import { inspect } from "../host.ts";
import { checkUnchanged, evaluated, host, limits, queried } from "../testing/attack.ts";
import { fired } from "../testing/hostile.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const manyLambdas = ["many lambdas", `Rows.Where(${"Rows.Any(".repeat(50)}true${")".repeat(51)}`] as const;

checkUnchanged();

describe("size and time", () => {
  test.each<readonly [name: string, text: string]>(
    (
      [
        ["nested brackets", `${"(".repeat(2_000)}1${")".repeat(2_000)}`],
        ["a long sum", Array(1_000).fill("1").join("+")],
        ["a long text", `"${"a".repeat(5_000)}"`],
        ["many names", Array(1_000).fill("W").join(".")],
        ["a wide list", `1 in (${Array(1_300).fill("1").join(",")})`],
        ["a huge pad", '"x".PadLeft(2000000000)'],
        ["a negative pad", '"x".PadLeft(-1)'],
        ["pads that add up", Array(20).fill('"x".PadLeft(60000)').join(" + ")],
        [
          "replacing into a flood",
          '"x".PadLeft(60000).Replace(" ", "yyyyyyyyyyyyyyyy").Replace("y", "zzzzzzzzzzzzzzzz")',
        ],
        ["joining a flood", 'string.Join("x".PadLeft(60000), Rows)'],
        ["a cross join", "Rows.SelectMany(Rows.SelectMany(Rows))"],
        ["a deep cross join", "Rows.Count(Rows.Any(Rows.All(Rows.Count(v == 99) == 0)) && false)"],
        [
          "sorting inside sorting",
          "Rows.OrderBy(parent.Rows).Count() + Rows.OrderBy(Rows.OrderBy(v).First().v).Count()",
        ],
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
        ...(inLongTier ? [manyLambdas] : []),
        ["escapes only", `"${"\\u0041".repeat(600)}"`],
        ["quotes only", '"'.repeat(4_000)],
        ["nulls", `${"null ?? ".repeat(400)}1`],
        ["questions", `${"true ? ".repeat(400)}1`],
        ["nots", `${"!".repeat(4_000)}true`],
        ["minuses", `${"-".repeat(4_000)}1`],
        ["new in new", "new { ".repeat(400)],
        ["equals in new", "new { a = ".repeat(300)],
      ] as const
    ).filter((_, at) => inLongTier || at % 3 === 0),
  )("%s ends", (_, text) => {
    // Of this thread alone: others share the machine.
    const before = process.threadCpuUsage();
    evaluated(text);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000_000, "seconds of CPU time").toBeLessThan(60);
  });
});

const longTexts: readonly (readonly [call: string, code: string])[] = [
  ["OrderBy(Long.ToUpper()).Count()", "text_too_long"],
  ["Where(Long.Normalize() == it.s).Count()", "text_too_long"],
  ["Where(Long.Remove(1, 1) == it.s).Count()", "text_too_long"],
  ["Select(new { Long as a, id }).Distinct().Count()", "fuel_exhausted"],
  ["GroupBy(new { Long as a, id }).Count()", "fuel_exhausted"],
  ["Where(Long.GetHashCode() == 3).Count()", "fuel_exhausted"],
  ["Where(Long.Substring(3).StartsWith(Long)).Count()", "0"],
  ["Where(Long.Length == 3).Count()", "0"],
];

test.each(longTexts.filter((_, at) => inLongTier || at % 12 === 1))(
  "a text of the host's that is longer than may be made: Rows.%s",
  (call, code) => {
    const Rows = Array.from({ length: 1_000 }, (_, id) => ({ id, s: "s" }));
    const { ask, close } = inspect({ Rows, Long: "y".repeat(2_000_000) }, { limits });
    const first = process.memoryUsage().heapUsed;
    const reply = ask("eval", { expr: `Rows.${call}` });
    close();
    expect(reply.ok ? String(reply.value) : "problem" in reply ? reply.problem.code : reply).toBe(code);
    expect(reachable() - first).toBeLessThan(400 * 1_048_576);
  },
);

describe("queries", () => {
  test.each<readonly [QueryText]>(
    (
      [
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
      ] as const
    ).filter((_, at) => inLongTier || at % 3 === 0),
  )("%j", (query) => {
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

/** What is reachable, in bytes: what waits for the collector depends on how busy the machine is. */
const reachable = (): number => {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
};

if (inLongTier) {
  test("memory stays bounded over many large questions", () => {
    const first = reachable();
    for (let round = 0; round < (inLongTier ? 12 : 2); round++)
      queried({ from: "Rows", select: '"x".PadLeft(60000)', take: 1000 });
    expect(reachable() - first).toBeLessThan(400 * 1_048_576);
  });
}
