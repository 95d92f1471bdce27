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

it("a shell command ends when its hook says so, and where it has failed when the next tool begins", () => {
  const shell = (at: number, ended?: number): ToolMark => ({
    at,
    when: "before",
    call: `shell ${at}`,
    ...(ended !== undefined && { ended }),
  });
  const foreign = (marks: readonly ToolMark[], at: readonly number[], end?: number) =>
    at.map((time) => readToolTimes([begin, ...edit(2_000, 2_100), ...marks], ticket, end)?.isForeign("a.ts", time));
  // It succeeded at 40 s, and the next one began at 90.
  expect(foreign([shell(20_000), shell(90_000, 40_000)], [30_000, 44_000, 60_000], 90_100)).toEqual([
    false,
    false,
    true,
  ]);
  // It failed: until the next one began.
  expect(foreign([shell(20_000), shell(90_000)], [30_000, 60_000, 99_000], 90_100)).toEqual([false, false, true]);
  // Two at once, of which the first has ended last.
  expect(foreign([shell(20_000), shell(20_300), shell(90_000, 50_000)], [49_000, 60_000], 90_100)).toEqual([
    false,
    true,
  ]);
  // The last one of all: while it is at work.
  expect(foreign([shell(20_000)], [900_000])).toEqual([false]);
  expect(foreign([shell(20_000)], [22_000, 900_000], 21_000)).toEqual([false, true]);
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
