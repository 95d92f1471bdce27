import fc from "fast-check";
import { expect, test } from "vitest";
import { type RankedRow, Top } from "./top.ts";

test("property: the first k of a stable sort, whatever comes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      (keys, size, descending) => {
        const sign = descending ? -1 : 1;
        const ranking = (a: RankedRow, b: RankedRow): number =>
          (Number(a.keys[0]) - Number(b.keys[0])) * sign || a.index - b.index;
        const top = new Top(size, ranking);
        const rows = keys.map((key, index): RankedRow => ({ row: `${key}#${index}`, keys: [key], index }));
        for (const row of rows) top.offer(row);
        expect(top.sorted()).toEqual(rows.toSorted(ranking).slice(0, size));
        expect(top.seen).toBe(keys.length);
      },
    ),
  );
});

test("many rows are the first of the same order, however often they are cut", () => {
  const ranking = (a: RankedRow, b: RankedRow): number => Number(a.keys[0]) - Number(b.keys[0]) || a.index - b.index;
  const rows = Array.from(
    { length: 30_000 },
    (_, index): RankedRow => ({ row: index, keys: [(index * 7919) % 6_007], index }),
  );
  const top = new Top(5_000, ranking);
  for (const row of rows) top.offer(row);
  expect(top.sorted()).toEqual(rows.toSorted(ranking).slice(0, 5_000));
});
