import fc from "fast-check";
import { expect, test } from "vitest";
import { sortRows, toTable, visibleRange } from "./row-table.ts";
import { parseOffset, shortText, typeName } from "./value-text.ts";

test("rows of objects have the columns of all of them, other rows one", () => {
  expect(toTable([{ a: 1 }, { b: 2, a: 3 }])).toEqual({
    columns: ["a", "b"],
    rows: [
      [1, undefined],
      [3, 2],
    ],
  });
  expect(toTable([1, "x", [2]])).toEqual({ columns: ["value"], rows: [[1], ["x"], [[2]]] });
  expect(toTable([])).toEqual({ columns: [], rows: [] });
});

test("numbers are sorted by size, texts by letters, and nothing comes last", () => {
  const table = toTable([{ a: 10 }, { a: null }, { a: 9 }, { a: "x" }]);
  expect(sortRows(table, 0, false)[3]).toBe(1);
  expect(sortRows(toTable([10, 9, 100]), 0, false)).toEqual([1, 0, 2]);
  expect(sortRows(toTable([10, 9, 100]), 0, true)).toEqual([2, 0, 1]);
});

test("each row is shown once in any order", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.boolean(), (values, isDescending) => {
      const table = toTable(values);
      expect([...sortRows(table, 0, isDescending)].toSorted((a, b) => a - b)).toEqual(values.map((_, index) => index));
    }),
  );
});

test("what is drawn has what is seen, and stays within the rows", () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(1_000), (top, rows) => {
      const { first, last } = visibleRange(top, 400, { rows, rowHeight: 28 });
      expect(first).toBeGreaterThanOrEqual(0);
      expect(last).toBeLessThanOrEqual(rows);
      expect(last - first).toBeLessThan(40);
    }),
  );
  expect(visibleRange(2_800, 280, { rows: 1_000, rowHeight: 28 })).toEqual({ first: 92, last: 118 });
});

test("types lose their namespaces, values are cut, offsets are numbers", () => {
  expect(typeName("System.Collections.Dictionary<A.B.Key, C.Value>")).toBe("Dictionary<Key, Value>");
  expect(shortText({ a: "x".repeat(50) }, 10)).toBe('{"a":"xxx…');
  expect([parseOffset("0x1C"), parseOffset("")]).toEqual([28, Number.NaN]);
});
