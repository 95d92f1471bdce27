/** Whose an edit is by its time, whatever the order of marks. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolMark } from "../hook/edit-log.ts";
import { countUntil, readToolTimes } from "./edit-times.ts";

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

/** A mark of each kind, at whatever time: what an agent may have written. */
const anyMark: fc.Arbitrary<ToolMark> = fc
  .record({
    at: fc.nat(60_000),
    when: fc.constantFrom("before" as const, "after" as const),
    call: fc.constantFrom("a", "b", "c"),
    path: fc.constantFrom("a.ts", "b.ts", undefined),
    changed: fc.option(fc.nat(60_000), { nil: undefined }),
    ended: fc.option(fc.nat(60_000), { nil: undefined }),
  })
  .map(({ at, when, call, path, changed, ended }) => ({
    ...{ at, when, call },
    ...(path !== undefined && { path }),
    ...(changed !== undefined && { changed }),
    ...(ended !== undefined && { ended }),
  }));

/** The same by looking at everything for each time. */
const isAgentsPlainly = (marks: readonly ToolMark[], end: number, time: number): boolean => {
  const open: ToolMark[] = [];
  const spans: [number, number][] = [];
  for (const mark of marks) {
    const start = open.findLastIndex(({ call }) => call === mark.call);
    if (mark.when === "before") open.push(mark);
    else spans.push([start < 0 ? mark.at : (open.splice(start, 1)[0]?.at ?? 0), mark.at]);
  }
  const begins = marks.filter(({ when }) => when === "before").map(({ at }) => at);
  const ends = [end, ...marks.flatMap(({ ended }) => ended ?? [])];
  for (const { at, path } of open) {
    const stops = [...begins.filter((next) => next >= at + 1_000), ...ends.filter((one) => one >= at)];
    spans.push([at, path === undefined ? Math.min(...stops, Number.POSITIVE_INFINITY) : at]);
  }
  return spans.some(([from, to]) => time >= from - 50 && time <= to + 5_000);
};

it("whatever the marks are, a time is the agent's where a tool was at work", () => {
  fc.assert(
    fc.property(fc.array(anyMark, { maxLength: 12 }), fc.nat(60_000), fc.nat(70_000), (marks, end, time) => {
      const known = readToolTimes([begin, ...marks], ticket, end);
      fc.pre(known !== undefined);
      expect(known?.isForeign("never named.ts", time)).toBe(time > begin.at && !isAgentsPlainly(marks, end, time));
    }),
  );
});

it("a log that is full of commands that have not ended is read, and of one file that was seen again and again", () => {
  const marks = Array.from({ length: 20_000 }, (_, index): readonly ToolMark[] => [
    { at: 2_000 + index, when: "before", call: "shell" },
    { at: 2_000 + index, when: "before", call: "edit", path: "a.ts", changed: 2_000 + index },
  ]).flat();
  const times = readToolTimes([begin, ...marks], ticket, 30_000);
  expect([21_999, 34_999, 35_001].map((at) => times?.isForeign("a.ts", at))).toEqual([false, false, true]);
});

it("a time is searched for in as many steps as its place has bits", () => {
  const times = Array.from({ length: 20_000 }, (_, at) => at);
  fc.assert(
    fc.property(fc.nat(20_000), (place) => {
      let steps = 0;
      const found = countUntil(times, (time) => {
        steps += 1;
        return time < place;
      });
      expect(found).toBe(place);
      expect(steps).toBeLessThanOrEqual(15);
    }),
  );
});
