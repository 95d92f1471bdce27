/** Queries: every step alone and together, what is cut is said, and the generated pass agrees with the careful one. */
import "../testing/natives.ts";
import {
  defaultLimits,
  type HostAccess,
  LinqError,
  QueryError,
  type QueryResult,
  type QueryText,
  runQuery,
} from "@fairlead/linq";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { hostAccess } from "../host/access.ts";
import { properties } from "../host/declaration.ts";
import { Registry } from "../host/registry.ts";
import { fixture } from "../testing/fixture.ts";
import { plainValue } from "../testing/plain-value.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const ask = (query: QueryText): QueryResult => runQuery(query, { host: fixture });
const rows = (query: QueryText): unknown => {
  const result = ask(query);
  return result.rows.map((row) => plainValue(row, result.type));
};

describe("steps", () => {
  test.each<readonly [Omit<QueryText, "from">, unknown]>([
    [{ select: "Id" }, [1, 2, 3, 4, 5]],
    [{ where: "Level > 20", select: "Id" }, [3, 4, 5]],
    [{ where: "m => m.Level > 20", select: "m => m.Id" }, [3, 4, 5]],
    [{ select: "Id", take: 2 }, [1, 2]],
    [{ select: "Id", skip: 3 }, [4, 5]],
    [{ select: "Id", skip: 1, take: 2 }, [2, 3]],
    [{ select: "Id", take: 0 }, []],
    [{ orderBy: "Level desc", select: "Id" }, [5, 4, 3, 2, 1]],
    [{ orderBy: "Rarity, Id desc", select: "Id" }, [4, 5, 1, 2, 3]],
    [{ orderBy: "Hp", select: "Id", take: 2 }, [2, 1]],
    [{ orderBy: "Name descending", select: "Id" }, [2, 5, 4, 1, 3]],
    [{ orderBy: "Id % 2, Id", select: "Id" }, [2, 4, 1, 3, 5]],
    [{ select: "Rarity", distinct: true }, ["Magic", "Rare", "Unique", "White"]],
    [{ select: "Rarity", distinct: true, orderBy: "Rarity", skip: 1, take: 2 }, ["Magic", "Rare"]],
    [
      { groupBy: "Rarity" },
      [
        { Key: "Magic", Count: 2 },
        { Key: "Rare", Count: 1 },
        { Key: "Unique", Count: 1 },
        { Key: "White", Count: 1 },
      ],
    ],
    [
      { groupBy: "Rarity", orderBy: "Count() desc, Key", take: 2 },
      [
        { Key: "Magic", Count: 2 },
        { Key: "White", Count: 1 },
      ],
    ],
    [
      { groupBy: "Rarity", select: "new { Key, Sum(Level) as Levels, Max(Name) as Last }", take: 1 },
      [{ Key: "Magic", Levels: 60, Last: "Monster 5" }],
    ],
    [
      { groupBy: "IsHostile", select: "new { Key, Average(Level) as A, Min(Id) as M, Count(Level > 20) as N }" },
      [
        { Key: false, A: 30, M: 1, N: 2 },
        { Key: true, A: 30, M: 2, N: 1 },
      ],
    ],
    [
      { groupBy: "new { IsHostile, Rarity }", select: "new { Key.Rarity, Count }", take: 1 },
      [{ Rarity: "Magic", Count: 2 }],
    ],
    [{ groupBy: "IsHostile", select: "First().Name" }, ["Monster 1", "hillock"]],
    [
      { groupBy: "Rarity", having: "Count() == 1", orderBy: "Key desc", skip: 1 },
      [
        { Key: "Rare", Count: 1 },
        { Key: "White", Count: 1 },
      ],
    ],
    [{ groupBy: "Rarity", having: "Sum(Level) > 50", select: "Key" }, ["Magic"]],
    [{ groupBy: "Rarity", having: "false" }, []],
    [{ groupBy: "Rarity", having: 'g => g.Key != "Magic"', select: "1", distinct: true }, [1]],
    [{ where: "Distance(Player) < 60", select: "Id" }, [4, 5]],
    [
      { where: "Buffs.Any(Timer > parent.Id - 1)", select: "new { id, Buffs.Count() as n }", take: 1 },
      [{ Id: 1, n: 2 }],
    ],
    [{ where: 'Friend?.Name == "Friend"', select: "Id" }, [1]],
    [{ where: "np(Friend.Name) == null", select: "Id" }, [2, 3, 4, 5]],
  ])("%j", (query, expected) => {
    expect(rows({ from: "Entities", ...query })).toEqual(expected);
  });

  test.each<readonly [string, unknown]>([
    ["Numbers", [3, 1, 2, 2]],
    [
      "Stats",
      [
        { Key: "life", Value: 5 },
        { Key: "mana", Value: 7 },
      ],
    ],
    ["Stats.Values", [5, 7]],
    ["Entities.Where(Id > 3).Select(Id)", [4, 5]],
    ["First.Buffs.Select(Name)", ["haste", "slow"]],
    ["Anything.list", [1, "two", null]],
  ])("from %s", (from, expected) => {
    expect(rows({ from })).toEqual(expected);
  });
});

describe("what was cut is said", () => {
  test("by take", () => {
    expect(ask({ from: "Entities", take: 2 })).toMatchObject({ more: true, counted: false });
    expect(ask({ from: "Entities", take: 5 })).toMatchObject({ more: false, counted: true, matched: 5 });
    expect(ask({ from: "Entities", take: 2, orderBy: "Id" })).toMatchObject({ more: true, counted: true, matched: 5 });
    expect(ask({ from: "Entities", groupBy: "Rarity", take: 1 })).toMatchObject({ more: true, matched: 4 });
    const having = "Count() == 1";
    expect(ask({ from: "Entities", groupBy: "Rarity", having, take: 1 })).toMatchObject({ more: true, matched: 3 });
  });
  test("by the limit on rows", () => {
    const limits = { ...defaultLimits, resultRows: 3 };
    expect(runQuery({ from: "Entities", take: 100 }, { host: fixture, limits })).toMatchObject({
      more: true,
      rows: { length: 3 },
    });
  });
});

describe("errors name their part", () => {
  test.each<readonly [Omit<QueryText, "from"> & { readonly from?: string }, string, string, number]>([
    [{ from: "Entitys" }, "from", "unknown_name", 0],
    [{ from: "Player" }, "from", "not_a_collection", 0],
    [{ from: '"text"' }, "from", "not_a_collection", 0],
    [{ where: "Level >" }, "where", "expected", 7],
    [{ where: "Levl > 1" }, "where", "unknown_member", 0],
    [{ where: "Name" }, "where", "not_boolean", 0],
    [{ where: "Friend.Level > 1" }, "where", "null_reference", 7],
    [{ select: "new { Level + 1 }" }, "select", "missing_as", 6],
    [{ select: "Level / (Id - 1)" }, "select", "divide_by_zero", 6],
    [{ orderBy: "Level up" }, "orderBy", "syntax", 6],
    [{ orderBy: "1 / (Id - 1)" }, "orderBy", "divide_by_zero", 2],
    [{ groupBy: "Raritee" }, "groupBy", "unknown_member", 0],
    [{ groupBy: "Rarity", select: "Level" }, "select", "unknown_member", 0],
    [{ groupBy: "Rarity", having: "Level > 1" }, "having", "unknown_member", 0],
    [{ groupBy: "Rarity", having: "Count()" }, "having", "not_boolean", 0],
    [{ groupBy: "Rarity", having: "1 / (Count() - 1) > 0" }, "having", "divide_by_zero", 2],
    [{ having: "Count() > 1" }, "having", "not_allowed", 0],
  ])("%j", (query, part, code, position) => {
    try {
      ask({ from: "Entities", ...query });
    } catch (error) {
      expect(error).toBeInstanceOf(QueryError);
      expect(error).toMatchObject({ part, code, position });
      return;
    }
    expect.unreachable("it ran");
  });
});

interface Shape {
  readonly id: number;
  readonly kind: string | null;
  readonly level: number;
  readonly size: number | null;
}

class Thing implements Shape {
  readonly id: number;
  readonly kind: string | null;
  readonly level: number;
  readonly size: number | null;
  constructor(from: Shape) {
    this.id = from.id;
    this.kind = from.kind;
    this.level = from.level;
    this.size = from.size;
  }
}

const kinds = ["a", "B", null, "ä"] as const;
const data = Array.from(
  { length: 2_600 },
  (_, id): Shape => ({
    id,
    kind: kinds[(id * 7) % 4] ?? null,
    level: (id * 31) % 50,
    size: id % 11 === 0 ? null : (id % 13) / 4,
  }),
);
const registry = new Registry([
  {
    kind: "class",
    name: "Thing",
    constructs: Thing,
    members: properties({ id: "Int32", kind: "String", level: "Int32", size: "Double?" }),
  },
]);
const root = (name: string, type: string, value: unknown) => ({ name, type: registry.type(type), read: () => value });
const host = hostAccess({
  registry,
  now: () => 0,
  roots: [
    root(
      "Things",
      "List<Thing>",
      data.map((row) => new Thing(row)),
    ),
    root("Data", "object", data),
  ],
});
/** The same world, read one property at a time. */
const { direct: _, rowsInPlace: __, ...careful } = host;

test("property: generated and careful passes give the same rows, errors included", () => {
  const wheres = [
    "level > 25",
    "size > 1.5",
    'kind == "a"',
    'kind != null && kind.Contains("B")',
    "level % 2 == 0 && size != null",
    "size == null",
    "level in (1, 2, 31)",
    "!(size > 1)",
    "(size ?? 9) > 3",
    "level / (level - 7) > 2",
    "kind.Length == 1",
    "iif(level > 3, size > 1, true)",
  ];
  const selects = [
    undefined,
    "id",
    "new { id, kind }",
    "level + size",
    "new { id, size ?? 0 as s }",
    'kind + "!"',
    "level * 1000000007",
  ];
  const orders = [undefined, "level", "level desc, id", "kind, size desc", "size desc", "id desc"];
  const groups = [undefined, undefined, undefined, "kind", "level % 3", "size"];
  const query = fc.record({
    where: fc.option(fc.constantFrom(...wheres), { nil: undefined }),
    select: fc.constantFrom(...selects),
    orderBy: fc.constantFrom(...orders),
    groupBy: fc.constantFrom(...groups),
    distinct: fc.boolean(),
    skip: fc.constantFrom(0, 0, 3, 2_400),
    take: fc.constantFrom(1, 10, 100, 1_000),
  });
  const outcome = (from: string, given: Omit<QueryText, "from">, asked: HostAccess): unknown => {
    const shaped =
      given.groupBy === undefined
        ? given
        : { ...given, select: undefined, orderBy: given.orderBy === undefined ? undefined : "Count() desc, Key" };
    try {
      const { rows: found, more, matched, counted, type } = runQuery({ from, ...shaped }, { host: asked });
      const hostRows = shaped.select === undefined && shaped.groupBy === undefined;
      return {
        more,
        matched,
        counted,
        rows: found.map((row) => (hostRows ? (row as Shape).id : plainValue(row, type))),
      };
    } catch (error) {
      if (error instanceof LinqError) return { code: error.code, position: error.position };
      throw error;
    }
  };
  fc.assert(
    fc.property(query, (given) => {
      for (const from of ["Things", "Data"]) expect(outcome(from, given, host)).toEqual(outcome(from, given, careful));
    }),
    { numRuns: inLongTier ? 200 : 15 },
  );
  for (const from of ["Things", "Data"]) {
    expect(runQuery({ from, where: "level > 25" }, { host }).path).toBe("generated");
    expect(runQuery({ from, where: "level > 25" }, { host: careful }).path).toBe("careful");
  }
});

describe("rows that are not alike", () => {
  const row = (id: number): Record<string, unknown> => ({ id, kind: "a", level: id % 5, size: 1 });
  const fired: string[] = [];
  const asked = (rows: readonly unknown[], more: Omit<QueryText, "from"> = {}, by: Partial<HostAccess> = {}) => {
    const mixed = { name: "Mixed", type: registry.type("object"), read: () => rows };
    const access = { ...hostAccess({ registry, now: () => 0, roots: [mixed] }), ...by };
    return runQuery({ from: "Mixed", where: "id == 2999 || id == 10", select: "id", ...more }, { host: access });
  };
  const many = (): unknown[] => Array.from({ length: 3_000 }, (_, id) => row(id));
  const armed = <T extends object>(target: T, name: string): T =>
    Object.defineProperty(target, name, { get: () => fired.push(name), enumerable: true, configurable: true });
  afterEach(() => {
    expect(fired.splice(0)).toEqual([]);
  });

  test("a row that was read before and now has a getter is not read", () => {
    const rows = many();
    expect(asked(rows)).toMatchObject({ rows: [10, 2999], path: "generated" });
    armed(rows[5] as object, "id");
    expect(() => asked(rows)).toThrow(/getter/);
    rows[5] = { id: 10, kind: "a", level: 1, size: 1 };
    expect(asked(rows).rows).toEqual([10, 10, 2999]);
  });

  test("all rows armed alike, a proxy, a getter in the class, slow objects that share a hidden class", () => {
    expect(() => asked(Array.from({ length: 3_000 }, (_, id) => armed(row(id), "id")))).toThrow(/getter/);
    const proxied = many();
    proxied[2_999] = new Proxy(row(1), {
      get: () => fired.push("get"),
      getOwnPropertyDescriptor: () => void fired.push("descriptor"),
    });
    expect(() => asked(proxied)).toThrow(/proxy/);
    class Sly {
      readonly other = 1;
      get id(): number {
        return fired.push("class getter");
      }
    }
    expect(() => asked(Array.from({ length: 3_000 }, () => new Sly()))).toThrow("'id' is a getter, which would run");
    const slow = (id: number): Record<string, unknown> => {
      const made: Record<string, unknown> = { extra: 1, ...row(id) };
      delete made.extra;
      return made;
    };
    const slows: unknown[] = Array.from({ length: 3_000 }, (_, id) => slow(id));
    slows[7] = armed(slow(7), "id");
    expect(() => asked(slows)).toThrow(/getter/);
  });

  test("an element that is a getter, a hole that would ask Array.prototype, a list with its own prototype", () => {
    const rows = many();
    Object.defineProperty(rows, 20, { get: () => fired.push("element") });
    expect(() => asked(rows)).toThrow(/getter/);
    class Own extends Array<unknown> {}
    expect(asked(Own.from(many())).rows).toEqual([10, 2999]);
    const holed = many();
    delete holed[20];
    Object.defineProperty(Array.prototype, 20, { get: () => fired.push("hole"), configurable: true });
    try {
      expect(asked(holed, { where: "it == null || id == 10", select: "it?.id ?? -1" }).rows).toEqual([10, -1]);
    } finally {
      Reflect.deleteProperty(Array.prototype, 20);
    }
  });

  test("members that some rows lack, or spell differently, are what the careful way finds", () => {
    const careful = { direct: () => undefined, rowsInPlace: () => undefined };
    const rows: unknown[] = Array.from({ length: 6_000 }, (_, id) =>
      id % 3 === 0 ? { id } : id % 3 === 1 ? { id, size: 2 } : { ID: id, Size: 3, note: "x" },
    );
    for (const where of ["size == 2", "Size > 2", "SIZE == null", 'note == "x"', "id > 5990", "toString == null"]) {
      const given = { where, select: undefined, take: 1_000 };
      const fast = asked(rows, given);
      const slow = asked(rows, given, careful);
      expect([where, fast.rows, fast.matched]).toEqual([where, slow.rows, slow.matched]);
    }
    const twice = Array.from({ length: 3_000 }, (_, id) => (id % 2 === 0 ? { id } : { id, note: "y" }));
    expect(asked(twice, { where: 'note == "y" && id < 4' })).toMatchObject({ rows: [1, 3], path: "generated" });
  });
});

describe("limits", () => {
  const limited = (more: Partial<typeof defaultLimits>, query: QueryText, clock?: { elapsed(): number }): string => {
    try {
      runQuery(query, { host, limits: { ...defaultLimits, ...more }, ...(clock === undefined ? {} : { clock }) });
    } catch (error) {
      if (error instanceof LinqError) return error.code;
      throw error;
    }
    return "ran";
  };
  test("fuel a query, fuel a row", () => {
    expect(limited({ fuelPerQuery: 2_000 }, { from: "Things", where: "level < 0" })).toBe("fuel_exhausted");
    expect(limited({ fuelPerQuery: 3_600 }, { from: "Things", where: "level < 0" })).toBe("ran");
    expect(limited({ fuelPerRow: 2_000 }, { from: "Things", where: "Things.Any(id < 0)" })).toBe("fuel_exhausted");
    expect(limited({ fuelPerRow: 2_000 }, { from: "Things", where: "Things.Any(id == 100)" })).toBe("ran");
  });
  test("wall time, by a clock that is given", () => {
    let now = 0;
    expect(limited({ wallMs: 1 }, { from: "Things", where: "level < 0" }, { elapsed: () => now++ })).toBe("deadline");
  });
  test("items and groups", () => {
    expect(limited({ items: 100 }, { from: "Things", groupBy: "id" })).toBe("too_many_items");
    expect(limited({ items: 100 }, { from: "Things", where: "Things.Select(id).Count() > 0" })).toBe("too_many_items");
  });
});
