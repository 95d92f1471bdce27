import fc from "fast-check";
import { expect, test } from "vitest";
import { Frame } from "../core/frame.ts";
import { defaultLimits } from "../core/limits.ts";
import { runToEnd } from "../core/resumable.ts";
import { plainHost } from "../type/plain-host.ts";
import { type RankedRow, rankRows, Top } from "./top.ts";

const order = (sign: 1 | -1) => ({
  signs: [sign],
  host: plainHost({}),
  frame: new Frame(defaultLimits, { elapsed: () => 0 }),
});

test("property: the first k of a stable sort, whatever comes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      (keys, size, descending) => {
        const by = order(descending ? -1 : 1);
        const top = new Top(size, by);
        const rows = keys.map((key, index): RankedRow => ({ row: `${key}#${index}`, keys: [key], index }));
        for (const row of rows) top.offer(row);
        const sorted = rows.toSorted(rankRows(by)).map(({ row }) => row);
        expect(runToEnd(top.best(0, size))).toEqual(sorted.slice(0, size));
        expect(runToEnd(top.best(1, size))).toEqual(sorted.slice(1, size));
        expect(top.seen).toBe(keys.length);
      },
    ),
  );
});

test("many rows are the first of the same order", () => {
  const by = order(1);
  const rows = Array.from(
    { length: 30_000 },
    (_, index): RankedRow => ({ row: index, keys: [(index * 7919) % 6_007], index }),
  );
  const top = new Top(5_000, by);
  for (const row of rows) top.offer(row);
  const sorted = rows.toSorted(rankRows(by)).map(({ row }) => row);
  expect(runToEnd(top.best(100, 4_900))).toEqual(sorted.slice(100, 5_000));
});
