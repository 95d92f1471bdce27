import { expect, it } from "vitest";
import { Surplus } from "./surplus.ts";

interface Load {
  /** Milliseconds. */
  readonly ms: number;
  /** Calls, and places that become free, each millisecond. */
  readonly came: number;
  readonly freed: number;
}

/** When it is there for the first time, in milliseconds. */
const play = (loads: readonly Load[], surplus = new Surplus()): number | undefined => {
  let now = 0;
  for (const { ms, came, freed } of loads) {
    for (let at = 0; at < ms; at += 1) {
      now += 1;
      for (let each = 0; each < freed; each += 1) surplus.freed();
      for (let each = 0; each < came; each += 1) surplus.came(now);
      if (surplus.isThere) return now;
    }
  }
  return undefined;
};

it("is there after two windows in which many more came than got a place", () => {
  expect(play([{ ms: 1_000, came: 6, freed: 3 }])).toBe(51);
  expect(play([{ ms: 1_000, came: 5, freed: 4 }])).toBeUndefined();
});

it("is not there for a burst, however large, nor for callers who wait for each answer", () => {
  expect(
    play([
      { ms: 1, came: 5_000, freed: 0 },
      { ms: 1_000, came: 0, freed: 3 },
      { ms: 1_000, came: 3, freed: 3 },
    ]),
  ).toBeUndefined();
});

it("waits for places that become free, where calls are slow", () => {
  expect(play([{ ms: 1_000, came: 5, freed: 0 }])).toBeUndefined();
});

it("ends with a window without a surplus, and when no call waits", () => {
  const surplus = new Surplus();
  play([{ ms: 60, came: 6, freed: 3 }], surplus);
  expect(surplus.isThere).toBe(true);
  for (let at = 0; at < 40; at += 1) surplus.freed();
  surplus.came(1_000);
  expect(surplus.isThere).toBe(false);
  play([{ ms: 60, came: 6, freed: 3 }], surplus);
  surplus.end();
  expect(surplus.isThere).toBe(false);
});
