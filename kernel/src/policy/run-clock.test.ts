import { expect, it } from "vitest";
import { RunClock } from "./admission.ts";

/** A clock, a loop and its timer of the test's own. */
const open = () => {
  let now = 1_000;
  const ticks = new Set<() => void>();
  const clock = new RunClock({
    now: () => now,
    every: (_, tick) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const tick of ticks) tick();
  };
  return { clock, pass, isTicking: () => ticks.size > 0 };
};

it("counts a pause of the process as one short tick, and work as it is", () => {
  const { clock, pass } = open();
  clock.tickWhile(() => true);
  const began = clock.now();
  for (let at = 0; at < 30; at += 1) pass(10);
  expect(clock.now() - began).toBe(300);
  pass(60_000);
  expect(clock.now() - began).toBe(350);
});

it("counts a turn of the event loop as it is where that matters to a caller, and a pause as one long one", () => {
  const { clock, pass } = open();
  clock.tickWhile(() => true);
  const began = clock.elapsed();
  for (let at = 0; at < 4; at += 1) pass(250);
  expect(clock.elapsed() - began).toBe(1_000);
  pass(60_000);
  expect(clock.elapsed() - began).toBe(2_000);
});

it("ticks while somebody needs it", () => {
  const { clock, pass, isTicking } = open();
  const needs = { first: true, second: true };
  const isFirst = (): boolean => needs.first;
  clock.tickWhile(isFirst);
  clock.tickWhile(isFirst);
  clock.tickWhile(() => needs.second);
  needs.first = false;
  pass(10);
  expect(isTicking()).toBe(true);
  needs.second = false;
  pass(10);
  expect(isTicking()).toBe(false);
  needs.first = true;
  clock.tickWhile(isFirst);
  expect(isTicking()).toBe(true);
});
