/** Slices: all steps run in the end, a step without an end is told from a machine that stands still. */
import { expect, test } from "vitest";
import type { LinqError } from "../linq/error.ts";
import type { Turns } from "../linq/turns.ts";
import { type Slice, sliced } from "./slices.ts";

const codeOf = (error: LinqError): string => error.code;

/** Slices until there is a value. */
const ended = <T>(slice: Slice<T>, ms: number): T => {
  for (;;) {
    const done = slice(ms);
    if (done !== undefined) return done.value;
  }
};

/** Holds the thread without using the processor, as a machine that does something else. */
const standStill = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const spin = (): never => {
  for (;;) Math.sqrt(2);
};

test("steps run in their order, none twice", () => {
  const seen: number[] = [];
  const slice = sliced(function* () {
    for (let step = 0; step < 1_000; step++) {
      seen.push(step);
      yield;
    }
    return "all";
  }, codeOf);
  expect(ended(slice, 5_000)).toBe("all");
  expect(seen).toEqual(Array.from({ length: 1_000 }, (_, step) => step));
});

test("a slice ends at a step although there is more to do", () => {
  let steps = 0;
  const slice = sliced(function* () {
    for (;;) {
      steps++;
      standStill(30);
      yield;
    }
  }, codeOf);
  expect(slice(40)).toBe(undefined);
  expect(steps).toBeLessThan(3);
});

test("a step that never ends is ended, however often it begins anew", () => {
  let begun = 0;
  const slice = sliced(function* () {
    begun++;
    yield;
    return spin();
  }, codeOf);
  expect(ended(slice, 60)).toBe("deadline");
  expect(begun).toBeLessThan(13);
});

test("a machine that stands still is no failure: the work begins anew, and is given up in the end", () => {
  let begun = 0;
  const once = sliced(function* (): Turns<string> {
    begun++;
    if (begun === 1) standStill(60_000);
    yield;
    return "done";
  }, codeOf);
  expect(ended(once, 200)).toBe("done");
  expect(begun).toBeGreaterThan(1);
  const always = sliced(function* (): Turns<string> {
    standStill(60_000);
    yield;
    return "never";
  }, codeOf);
  expect(ended(always, 5)).toBe("deadline");
});
