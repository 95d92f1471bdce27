/** Whose an edit is by its time, whatever the order of marks. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolMark } from "../hook/edit-log.ts";
import { readToolTimes } from "./edit-times.ts";

const ticket = "tkt_000000000001";
const begin: ToolMark = { at: 1_000, when: "begin", call: ticket };
const edit = (from: number, to: number, changed?: number): readonly ToolMark[] => [
  { at: from, when: "before", call: "a", path: "a.ts", ...(changed !== undefined && { changed }) },
  { at: to, when: "after", call: "a", path: "a.ts" },
];

it("nothing is known of another ticket, or where no editing tool has left a mark", () => {
  expect(readToolTimes([begin, ...edit(2_000, 2_100)], "tkt_000000000002")).toBeUndefined();
  expect(readToolTimes(edit(2_000, 2_100), ticket)).toBeUndefined();
  expect(readToolTimes([begin, { at: 1_500, when: "before", call: "b" }], ticket)).toBeUndefined();
});

it("an edit is foreign outside of all tools' times, before the first of them, too, and not where it is older than the ticket", () => {
  const times = readToolTimes([begin, ...edit(20_000, 20_100, 500)], ticket);
  expect([...(times?.edited ?? [])]).toEqual(["a.ts"]);
  const foreign = [20_050, 24_000, 19_980, 30_000, 1_500, 900, undefined].map((at) => times?.isForeign("a.ts", at));
  expect(foreign).toEqual([false, false, false, true, true, false, false]);
  expect(readToolTimes([begin, ...edit(20_000, 20_100, 9_000)], ticket)?.isForeign("a.ts", 20_050)).toBe(true);
});

it("whatever is written while a tool is at work is never foreign", () => {
  const spans = fc.array(fc.tuple(fc.nat(1e6), fc.nat(1e4), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(spans, fc.nat(), (drawn, pick) => {
      const marks = drawn.flatMap(([from, length, call], index): readonly ToolMark[] => [
        { at: 2_000 + from, when: "before", call: `${call} ${index}`, path: "a.ts" },
        { at: 2_000 + from + length, when: "after", call: `${call} ${index}`, path: "a.ts" },
      ]);
      const times = readToolTimes(
        [begin, ...marks.toSorted((a, b) => a.at - b.at || (a.when === "before" ? -1 : 1))],
        ticket,
      );
      const [from = 0, length = 0] = drawn[pick % drawn.length] ?? [];
      expect(times?.isForeign("a.ts", 2_000 + from + Math.floor(length / 2))).toBe(false);
    }),
  );
});
