/** The machine of the adaptive limit: its laws for any rates, and what it does to simulated dependencies. No clock runs. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdaptiveLimit, decideLimit, firstState, type LimitState } from "./adaptive-limit.ts";

const rates = fc.array(fc.double({ min: 0.001, max: 100, noNaN: true }), { maxLength: 200 });

/** All states of a history of windows. */
const history = (most: number, windows: readonly number[]): readonly LimitState[] => {
  const states = [firstState(most)];
  for (const rate of windows) states.push(decideLimit(states.at(-1) ?? firstState(most), rate, most));
  return states;
};

describe("decideLimit", () => {
  it("stays within one place and what the contract allows, whatever the rates", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), rates, (most, windows) => {
        for (const { limit } of history(most, windows)) {
          expect(limit).toBeGreaterThanOrEqual(1);
          expect(limit).toBeLessThanOrEqual(most);
          expect(Number.isInteger(limit)).toBe(true);
        }
      }),
    );
  });

  it("has fewer places for more than a window only where their rate was as good", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), rates, (most, windows) => {
        const states = history(most, windows);
        for (const [at, { limit, trial, best }] of states.entries()) {
          const before = states[at - 1];
          if (before?.trial === undefined || trial !== undefined) continue;
          const isKept = limit === before.limit;
          if (isKept && limit < before.trial.from) expect(windows[at - 1]).toBeGreaterThanOrEqual(0.95 * best * 0.999);
          if (!isKept) expect(limit).toBe(before.trial.from);
        }
      }),
    );
  });

  it("tries less and less often where trials fail", () => {
    // The rate follows the places: all are needed.
    let state = firstState(64);
    const trials: number[] = [];
    for (let window = 0; window < 400; window += 1) {
      state = decideLimit(state, state.limit, 64);
      if (state.trial !== undefined) trials.push(window);
      else expect(state.limit).toBe(64);
    }
    expect(trials.length).toBeLessThan(14);
  });
});

describe("a trial", () => {
  const begun: LimitState = { limit: 40, rest: 0, pause: 4, direction: "up", best: 0, trial: { from: 32, rate: 50 } };
  const faded = 100 * 0.99;

  it.each([
    ["fewer places that do as well as the best lately, almost", "down", 0.95 * faded, true],
    ["fewer that do worse", "down", 0.95 * faded - 0.01, false],
    ["more places that do better than before them", "up", 1.05 * 50, true],
    ["more that do hardly better, whatever was best lately", "up", 1.05 * 50 - 0.01, false],
  ] as const)("of %s is kept or taken back", (_, direction, rate, isKept) => {
    const { limit, trial } = decideLimit({ ...begun, direction, best: 100 }, rate, 64);
    expect({ limit, trial }).toEqual({ limit: isKept ? 40 : 32, trial: undefined });
  });
});

interface Dependency {
  /** Milliseconds of one of so many calls at once. */
  readonly callMs: (running: number) => number;
  readonly most: number;
  readonly calls: number;
}

/** Calls that always wait, and places by the limit: calls a millisecond over the second half, and the limits of it. */
const simulate = ({ callMs, most, calls }: Dependency) => {
  let now = 0;
  const limit = new AdaptiveLimit(most, () => now);
  const ends: number[] = [];
  const limits: number[] = [];
  let halfAt = 0;
  const fill = (): void => {
    while (ends.length < limit.places) {
      // Each call is a little longer or shorter than the last: no two end at once.
      ends.push(now + callMs(ends.length + 1) * (1 + 0.1 * Math.sin(ends.length + now)));
      limit.waits(false);
    }
  };
  fill();
  for (let ended = 0; ended < calls; ended += 1) {
    ends.sort((a, b) => a - b);
    now = ends.shift() ?? now;
    limit.ended(true);
    if (ended === calls / 2) halfAt = now;
    if (ended >= calls / 2) limits.push(limit.places);
    fill();
  }
  return { rate: calls / 2 / (now - halfAt), limits: limits.toSorted((a, b) => a - b) };
};

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;

describe("AdaptiveLimit, over a simulated dependency", () => {
  it("leaves all places where a call takes as long whatever runs beside it", () => {
    const { rate, limits } = simulate({ callMs: () => 20, most: 64, calls: 100_000 });
    expect(median(limits)).toBe(64);
    expect(rate).toBeGreaterThan(0.95 * (64 / 20));
  });

  it("finds how many a dependency serves at once that only queues the rest", () => {
    const { rate, limits } = simulate({ callMs: (n) => 20 * Math.max(1, n / 10), most: 64, calls: 100_000 });
    expect(rate).toBeGreaterThan(0.9 * (10 / 20));
    expect(median(limits)).toBeLessThan(20);
  });

  it("wins back what a dependency loses that breaks down under too many", () => {
    const callMs = (n: number): number => 20 * Math.max(1, (n / 10) ** 2);
    const { rate } = simulate({ callMs, most: 64, calls: 100_000 });
    expect(64 / callMs(64)).toBeLessThan(0.2 * (10 / 20));
    expect(rate).toBeGreaterThan(0.85 * (10 / 20));
  });

  it("gives all places back where calls wait and none ends", () => {
    let now = 0;
    const limit = new AdaptiveLimit(64, () => now);
    limit.waits(true);
    for (let calls = 0; calls < 20_000; calls += 1) {
      now += 2.5;
      limit.ended(true);
    }
    expect(limit.places).toBeLessThan(48);
    expect(limit.isFreed()).toBe(false);
    now += 1_500;
    expect(limit.isFreed()).toBe(true);
    expect([limit.places, limit.isFreed()]).toEqual([64, false]);
  });

  it("grows again when the dependency serves more, and forgets after a while without a queue", () => {
    let now = 0;
    const limit = new AdaptiveLimit(64, () => now);
    const run = (callMs: (running: number) => number, windows: number): number => {
      for (let calls = 0; calls < windows * 256; calls += 1) {
        now += callMs(limit.places) / limit.places;
        limit.waits(false);
        limit.ended(true);
      }
      return limit.places;
    };
    expect(run((n) => 20 * Math.max(1, n / 8), 200)).toBeLessThan(16);
    expect(run(() => 20, 400)).toBeGreaterThan(32);
    run((n) => 20 * Math.max(1, n / 8), 200);
    now += 60_000;
    limit.waits(false);
    expect(limit.places).toBe(64);
  });
});
