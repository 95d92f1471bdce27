/** Slices: all steps run in the end and none twice; a step without an end is ended, and the work with it. */
import type { LinqError, Resumable } from "@fairlead/linq";
import { expect, test } from "vitest";
import type { Slice } from "../protocol/registered-inspector.ts";
import { SliceClock } from "./slice-clock.ts";
import { createSlices } from "./slices.ts";

const slicing = { clock: new SliceClock(), holdMs: 600_000, failed: (error: LinqError): string => error.code };

/** Slices until there is a value. */
const ended = <T>(slice: Slice<T>, ms: number): T => {
  for (;;) {
    const done = slice(ms);
    if (done !== undefined) return done.value;
  }
};

/** Holds the thread without using the processor, as a machine that does something else. */
const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("steps run in their order, none twice, however slow the machine", () => {
  const seen: number[] = [];
  const work = function* (): Resumable<string> {
    for (let step = 0; step < 1_000; step++) {
      seen.push(step);
      if (step % 100 === 0) standStill(20);
      yield;
    }
    return "all";
  };
  expect(ended(createSlices(work(), slicing), 1)).toBe("all");
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, step) => step));
});

test("a slice ends at a step although there is more to do", () => {
  let steps = 0;
  const work = function* (): Resumable<string> {
    for (;;) {
      steps++;
      standStill(30);
      yield;
    }
  };
  expect(createSlices(work(), slicing)(10)).toBe(undefined);
  expect(steps).toBe(1);
});

test("a step that never ends is ended, and not begun again", () => {
  let begun = 0;
  const work = function* (): Resumable<string> {
    begun++;
    yield;
    for (;;) Math.sqrt(2);
  };
  expect(ended(createSlices(work(), { ...slicing, holdMs: 1_000 }), 0)).toBe("deadline");
  expect(begun).toBe(1);
});
