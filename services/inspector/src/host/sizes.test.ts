/**
 * What sizes, look-ups and first elements cost: what they cost in the language, however large the collection is. Ten elements may be
 * copied here and few steps taken, so a copy of a large collection ends the question.
 */
import { afterEach, describe, expect, test } from "vitest";
import { type InspectionHandle, inspect } from "../host.ts";

const many = 100_000;
const roots = {
  Rows: Array.from({ length: many }, (_, id) => ({ id, name: `n${id}` })),
  Set: new Set(Array.from({ length: many }, (_, id) => id)),
  Names: new Set(["a", "b", 7n, new Date(0)]),
  Map: new Map(Array.from({ length: many }, (_, id) => [`k${id}`, id])),
  Bytes: new Uint8Array(many).fill(3),
};

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const ask = (tool: "explore" | "eval" | "query", input: Readonly<Record<string, unknown>>, limits: object): unknown => {
  open = inspect(roots, { limits });
  const reply = open.ask(tool, input);
  if (reply.ok) return reply.value;
  return "problem" in reply ? reply.problem.code : reply;
};

const tight = { items: 10, fuelPerRow: 5_000, fuelPerQuery: 5_000 };

describe("without a copy", () => {
  test.each([
    ["Map.Count", many],
    ["Map.Count()", many],
    ["Map.Any()", true],
    ["Map.First().Key", "k0"],
    ['Map["k99999"]', 99_999],
    ['Map.ContainsKey("k99999")', true],
    ["Map.Take(2).Select(Value)", { count: 2, items: [0, 1] }],
    ["Set.Count", many],
    ["Set.LongCount()", many],
    ["Set.Contains(99999)", true],
    ["Set.Contains(-1)", false],
    ["Set.First()", 0],
    ["Set.First(it > 2)", 3],
    ["Set.FirstOrDefault(it > 2)", 3],
    ["Set.All(it > 2)", false],
    ["Set.Any(it == 2)", true],
    ["Set[3]", 3],
    ["Bytes.Length", many],
    ["Bytes.First()", 3],
    ["Rows.Count() > 3", true],
    ["Rows.First().id", 0],
    ["Rows.First(id == 9).name", "n9"],
    ["Rows.Take(3).Count()", 3],
    ['Names.Contains("b") && !Names.Contains("c") && Names.Contains(7)', true],
    ['Names.Contains("1970-01-01")', true],
  ])("%s", (expr, value) => {
    expect(ask("eval", { expr }, tight)).toEqual(value);
  });

  test("a query reads as many elements as it gives", () => {
    for (const from of ["Map", "Set", "Bytes"])
      expect(ask("query", { from }, { ...tight, items: many })).toMatchObject({ count: 100, more: true });
    expect(ask("query", { from: "Map" }, { items: 10 })).toBe("too_many_items");
  });

  test("explore opens as much as it shows", () => {
    for (const target of ["Map", "Set", "Bytes", "Rows"])
      expect(ask("explore", { target, limit: 2 }, tight)).toMatchObject({ count: many, items: { length: 2 } });
    expect(ask("explore", { target: "Map", limit: 1, offset: 3 }, tight)).toMatchObject({ items: [{ key: "k3" }] });
  });

  test("in each of 20,000 rows", () => {
    const query = { from: "Rows", where: "Rows.Count() > 3 && Set.Contains(id)", take: 20_000, select: "new (id)" };
    // A copy costs fuel; time is not a measure of it on a busy machine.
    const limits = { resultRows: 20_000, fuelPerRow: 5_000, wallMs: 600_000 };
    expect(ask("query", query, limits)).toMatchObject({ count: 20_000 });
  });
});

describe("a copy is paid for before it is made", () => {
  test.each([
    ["eval", { expr: "Map.ToList().Count()" }],
    ["eval", { expr: "Set.Where(it < 0)" }],
    ["eval", { expr: 'Rows.Contains("x")' }],
    ["eval", { expr: 'Rows.Select(id).Contains("x")' }],
  ] as const)("%s %j", (tool, input) => {
    expect(ask(tool, input, { fuelPerRow: 5_000, fuelPerQuery: 5_000 })).toBe("fuel_exhausted");
    expect(["too_many_items", "fuel_exhausted"]).toContain(ask(tool, input, { items: 10 }));
  });
});
