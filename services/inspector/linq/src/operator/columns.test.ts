/** Keys, columns and the sort that pauses, against a map, an array and the engine's own sort. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Frame } from "../core/frame.ts";
import { defaultLimits } from "../core/limits.ts";
import { runToEnd } from "../core/resumable.ts";
import { plainHost } from "../type/plain-host.ts";
import { Column } from "./column.ts";
import { GroupTable } from "./group-table.ts";
import { KeyTable } from "./key-table.ts";
import { columnOrder, sortPlaces } from "./sort.ts";

const frame = (): Frame => new Frame(defaultLimits, { elapsed: () => 0 });
const mixed = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double(), fc.constantFrom("a", "b", "ab", null, true));

test("property: a column gives back what came, numbers or not", () => {
  fc.assert(
    fc.property(fc.array(mixed), (values) => {
      const column = new Column();
      for (const value of values) column.push(value);
      expect(values.map((_, index) => column.at(index))).toEqual(values);
      expect(column.length).toBe(values.length);
    }),
  );
});

test("a column of many pieces, one of which is not of numbers", () => {
  const values = Array.from({ length: 10_000 }, (_, index) => (index === 5_000 ? "x" : index));
  const column = new Column();
  for (const value of values) column.push(value);
  expect(values.map((_, index) => column.at(index))).toEqual(values);
});

test("property: places are sorted as a stable sort does it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 200 }), fc.boolean(), (keys, descending) => {
      const column = new Column();
      for (const key of keys) column.push(key);
      const sign = descending ? -1 : 1;
      const places = runToEnd(sortPlaces(keys.length, columnOrder([column], [sign], plainHost({})), frame()));
      const expected = keys.map((key, index) => ({ key, index })).sort((a, b) => (a.key - b.key) * sign);
      expect([...places]).toEqual(expected.map(({ index }) => index));
    }),
  );
});

test("keys are numbered as they come, those in the small maps too", () => {
  const table = new KeyTable();
  const keys = Array.from({ length: 60_000 }, (_, index) =>
    index % 3 === 0 ? index : index % 3 === 1 ? `key ${index}` : index / 7,
  );
  const numbers = new Map([...new Set(keys)].map((key, index) => [key, index]));
  for (const key of [...keys, ...keys]) expect(table.add(key) === numbers.get(key)).toBe(true);
  expect(table.size).toBe(numbers.size);
  expect(table.get("nothing")).toBe(undefined);
});

test("groups have their elements in the order in which they came", () => {
  const groups = new GroupTable(frame());
  for (let index = 0; index < 5_000; index++) groups.push(groups.find(index % 1_500, `k${index % 1_500}`), index);
  expect(groups.size).toBe(1_500);
  expect(groups.key(7)).toBe("k7");
  expect(groups.group(7).items).toEqual([7, 1_507, 3_007, 4_507]);
  expect(groups.group(7).elements.at(1)).toBe(1_507);
});
