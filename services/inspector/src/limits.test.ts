/** Every limit that the configuration knows: set low, it is met with its own error or says what it cut. */
import { defaultLimits, type Limits } from "@fairlead/linq";
import { afterEach, expect, test } from "vitest";
import { inspectorConfig } from "./config.ts";
import { type InspectionHandle, inspect } from "./host.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row ${id}` }));

const ask = (limits: Partial<Limits>, tool: "explore" | "eval" | "query", input: Readonly<Record<string, unknown>>) => {
  open = inspect({ rows }, { limits });
  const reply = open.ask(tool, input);
  if (reply.ok) return reply.value;
  return "problem" in reply ? reply.problem.code : reply.defect;
};

type Case = readonly [
  limit: keyof Limits,
  low: number,
  tool: "eval" | "query" | "explore",
  input: object,
  met: unknown,
];

const cases: readonly Case[] = [
  ["textBytes", 10, "eval", { expr: '"éééééé"' }, "too_long"],
  ["depth", 3, "eval", { expr: "((((1))))" }, "too_deep"],
  ["fuelPerRow", 2_000, "query", { from: "rows", where: "rows.Any(id < 0)" }, "fuel_exhausted"],
  ["fuelPerQuery", 2_000, "query", { from: "rows", where: "id < 0" }, "fuel_exhausted"],
  ["stringLength", 10, "eval", { expr: '"x".PadLeft(11)' }, "text_too_long"],
  ["items", 2_999, "eval", { expr: "rows.ToList().Count()" }, "too_many_items"],
  [
    "resultRows",
    2,
    "query",
    { from: "rows", take: 50 },
    expect.objectContaining({ count: 2, more: true, note: expect.stringContaining("limited to 2 rows") }),
  ],
  [
    "resultBytes",
    400,
    "query",
    { from: "rows", take: 100 },
    expect.objectContaining({ more: true, note: expect.stringContaining("limited to 400 bytes") }),
  ],
  ["wallMs", 1, "eval", { expr: "rows.Any(rows.Any(rows.Any(id < 0)))" }, "deadline"],
];

test.each(cases)("%s", (limit, low, tool, input, met) => {
  expect(ask({ [limit]: low }, tool, { ...input })).toEqual(met);
});

test("counted values are part of the result", () => {
  const reply = ask({ resultBytes: 4_000 }, "query", { from: "rows", select: 'name.PadLeft(300, "x"[0])', take: 100 });
  expect(reply).toMatchObject({ more: true, note: expect.stringContaining("limited to 4000 bytes") });
  expect(JSON.stringify(reply).length).toBeLessThan(4_500);
});

test("a result that is one value is refused whole", () => {
  expect(ask({ resultBytes: 400 }, "eval", { expr: "rows", depth: 2 })).toBe("result_too_large");
  expect(ask({ resultBytes: 400 }, "explore", { target: "rows", limit: 50 })).toBe("result_too_large");
});

test("there is a case for every limit, and the configuration knows them all by their defaults", () => {
  expect(new Set(cases.map(([limit]) => limit))).toEqual(new Set(Object.keys(defaultLimits)));
  expect(inspectorConfig.parse({}).limits).toEqual(defaultLimits);
  for (const limit of Object.keys(defaultLimits))
    expect(inspectorConfig.safeParse({ limits: { [limit]: 0 } }).success).toBe(false);
});

const many = Array.from({ length: 1_000_000 }, (_, id) => ({ id, name: `n${id % 1_000}`, big: id >= 500_000 }));

test.each(
  (
    [
      ["query", { from: "many", where: "id % 500000 == 1", select: "id" }, { rows: [1, 500_001], matched: 2 }],
      ["query", { from: "many", select: "name", distinct: true, orderBy: "name desc", take: 1 }, { rows: ["n999"] }],
      ["query", { from: "many", orderBy: "name, id", skip: 500_000, take: 1, select: "id" }, { rows: [549] }],
      ["query", { from: "many.Where(big)", groupBy: "1", select: "Sum(id)" }, { rows: [374_999_750_000] }],
      ["eval", { expr: "many.Count(big)" }, 500_000],
      ["eval", { expr: "many.Where(big).Sum(id)" }, 374_999_750_000],
      ["eval", { expr: "many.Select(name).Distinct().Count()" }, 1_000],
      ["eval", { expr: "many.OrderByDescending(name).First().id" }, 999],
      ["eval", { expr: "many.GroupBy(name).Count()" }, 1_000],
    ] as const
  ).filter((_, at) => inLongTier || at % 12 === 0),
)("a million rows are admitted without configuration: %s %j", (tool, input, met) => {
  open = inspect({ many }, { limits: { wallMs: 60_000 } });
  expect(open.ask(tool, input)).toMatchObject({ value: met });
});

test("an element is a row: what is nested in it is its own, in one method or in all", () => {
  const fuel = { fuelPerRow: 5_000 };
  expect(ask(fuel, "eval", { expr: "rows.Where(id >= 0).Where(id >= 0).Count(id >= 0)" })).toBe(3_000);
  expect(ask(fuel, "eval", { expr: "rows.Take(9).Count(rows.Any(id == 2999))" })).toBe(9);
  expect(ask(fuel, "eval", { expr: "rows.Take(1).Count(rows.Any(rows.Any(id < 0)))" })).toBe("fuel_exhausted");
  expect(ask({ fuelPerQuery: 5_000 }, "eval", { expr: "rows.Where(id >= 0).Count(id >= 0)" })).toBe("fuel_exhausted");
});

if (inLongTier) {
  test("keys made of whole lists are paid for by their length", () => {
    const nested = "rows.GroupBy(new(id, rows.GroupBy(id) as all)).Count()";
    expect(ask({ wallMs: 600_000 }, "eval", { expr: nested })).toBe("fuel_exhausted");
    expect(ask({}, "eval", { expr: "rows.GroupBy(new(id, name)).Count()" })).toBe(3_000);
  });
}
