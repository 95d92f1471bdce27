import { expect, it } from "vitest";
import { Overload } from "./overload.ts";

/** Windows of a tenth of a second, one turn of the loop each. */
const run = (
  overload: Overload,
  windows: readonly { readonly arrived: number; readonly waiting: number }[],
  waitedMs = 0,
): boolean => {
  let now = 0;
  for (const { arrived, waiting } of windows) {
    for (let at = 0; at < arrived; at += 1) overload.arrived();
    for (let at = 0; at < 20; at += 1) overload.begun(waitedMs);
    overload.look(now, waiting);
    now += 100;
  }
  overload.look(now, windows.at(-1)?.waiting ?? 0);
  return overload.isOver;
};
const windows = (count: number, arrived: number, waiting = 100) =>
  Array.from({ length: count }, () => ({ arrived, waiting }));

it("is overload when a long queue has grown for half a second without a stop", () => {
  expect(run(new Overload({ growthMs: 500 }), windows(6, 40))).toBe(true);
  expect(run(new Overload({ growthMs: 500 }), windows(4, 40))).toBe(false);
});

it("is none where the queue keeps its length, is short, was empty once, or stopped growing", () => {
  const growth = windows(3, 40);
  expect(run(new Overload({ growthMs: 500 }), windows(50, 20))).toBe(false);
  expect(run(new Overload({ growthMs: 500 }), windows(50, 40, 63))).toBe(false);
  expect(run(new Overload({ growthMs: 500 }), [...growth, ...windows(1, 40, 0), ...growth])).toBe(false);
  expect(run(new Overload({ growthMs: 500 }), [...growth, ...windows(1, 20), ...growth])).toBe(false);
});

it("is overload when a queue keeps its length, where all wait long and others still come", () => {
  const judge = (arrived: number, waiting: number, waitedMs: number): boolean =>
    run(new Overload({ growthMs: 500 }), windows(8, arrived, waiting), waitedMs);
  expect(judge(20, 128, 251)).toBe(true);
  expect([judge(20, 127, 10_000), judge(20, 2_000, 250), judge(17, 2_000, 10_000)]).toEqual([false, false, false]);
});

it("lasts until it is ended", () => {
  const overload = new Overload({ growthMs: 500 });
  run(overload, windows(6, 40));
  overload.look(10_000, 0);
  expect(overload.isOver).toBe(true);
  overload.end();
  expect(overload.isOver).toBe(false);
});
