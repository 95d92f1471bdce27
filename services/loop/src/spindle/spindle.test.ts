import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assessRisk,
  countSignals,
  detectLoop,
  emptySpindle,
  recordFailure,
  recordIteration,
  recordOutput,
  type Spindle,
} from "./spindle.ts";
import { defaultThresholds, windows } from "./threshold.ts";

const iterate = (...diffs: readonly (string | null)[]): Spindle =>
  diffs.reduce<Spindle>((spindle, diff) => recordIteration(spindle, diff, ["src/a.ts"]), emptySpindle);
const fail = (...errors: readonly string[]): Spindle =>
  errors.reduce<Spindle>((spindle, error) => recordFailure(spindle, "npm test", error), emptySpindle);

const signal = (spindle: Spindle, change = {}) => detectLoop(spindle, { ...defaultThresholds, ...change })?.signal;

describe("spindle detection", () => {
  it("sees stalling at five iterations without a change, not at four", () => {
    expect(signal(iterate("x", null, null, null, null))).toBeUndefined();
    expect(signal(iterate("x", null, null, null, null, null))).toBe("stall");
    expect(signal(iterate("x", "x", "x", "x", "x", "x"))).toBe("stall");
    expect(signal(iterate(null, null, null, null, "x", null))).toBeUndefined();
  });

  it("sees diffs that swing, anywhere in the window", () => {
    expect(signal(iterate("a", "b", "a"))).toBe("oscillation");
    expect(signal(iterate("a", "b", "a", "c", "d"))).toBe("oscillation");
    expect(signal(iterate("a", "b", "c"))).toBeUndefined();
    expect(signal(iterate("a", "b", "a"), { oscillation: 4 })).toBeUndefined();
    expect(signal(iterate("a", "b", "a", "b"), { oscillation: 4 })).toBe("oscillation");
  });

  it("sees equal outputs", () => {
    const say = (...texts: readonly string[]) =>
      texts.reduce((spindle, text) => recordOutput(spindle, text, "a"), emptySpindle);
    expect(signal(say("same", "same"))).toBeUndefined();
    expect(signal(say("same", "same ", "same"))).toBe("repetition");
    expect(signal(say("same", "same", "other"))).toBeUndefined();
    expect(signal(say("", "", "", ""))).toBeUndefined();
  });

  it("sees two failures that take turns", () => {
    expect(signal(fail("a", "b", "a", "b", "a", "b"), { repeated_failure: 0 })).toBe("ping_pong");
    expect(signal(fail("a", "b", "a", "b", "a"), { repeated_failure: 0 })).toBeUndefined();
  });

  it("sees the same failure three times, by its first 200 characters", () => {
    const long = "x".repeat(200);
    expect(signal(fail("a", "b", "a"))).toBeUndefined();
    expect(signal(fail("a", "c", "a", "b", "a"))).toBe("repeated_failure");
    expect(signal(fail(`${long}1`, `${long}2`, `${long}3`))).toBe("repeated_failure");
  });

  it("is switched off by 0, each signal by itself", () => {
    const spindle = { ...fail("a", "a", "a"), iterationsSinceChange: 9 };
    expect(signal(spindle)).toBe("stall");
    expect(signal(spindle, { stall: 0 })).toBe("repeated_failure");
    expect(signal(spindle, { stall: 0, repeated_failure: 0 })).toBeUndefined();
  });

  it("explains itself: what was seen, the threshold, and the setting", () => {
    expect(detectLoop(iterate("x", null, null, null, null, null), defaultThresholds)?.explanation).toBe(
      "5 iterations in a row changed nothing; the threshold is 5 (spindle.stall of the session)",
    );
  });

  it("has a risk that grows before anything stops", () => {
    expect(assessRisk(iterate("x"), defaultThresholds).risk).toBe("none");
    expect(assessRisk(iterate("x", null, null), defaultThresholds)).toMatchObject({
      risk: "low",
      reasons: [expect.stringContaining("2 iterations")],
    });
    expect(assessRisk(iterate("x", null, null, null, null), defaultThresholds).risk).toBe("medium");
    expect(assessRisk(iterate("x", null, null, null, null, null), defaultThresholds).risk).toBe("high");
    expect(assessRisk(iterate("a", "b", "c"), defaultThresholds).reasons).toEqual(["src/a.ts was edited 3 times"]);
  });

  it("stays bounded however long a ticket runs", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(fc.string()), fc.array(fc.string(), { maxLength: 5 }), fc.string()), {
          maxLength: 80,
        }),
        (turns) => {
          const spindle = turns.reduce<Spindle>(
            (so, [diff, files, text]) =>
              recordFailure(recordOutput(recordIteration(so, diff, files), text, diff), "c", text),
            emptySpindle,
          );
          expect(spindle.diffHashes.length).toBeLessThanOrEqual(windows.hashes);
          expect(spindle.outputHashes.length).toBeLessThanOrEqual(windows.hashes);
          expect(spindle.failureSignatures.length).toBeLessThanOrEqual(windows.signatures);
          expect(spindle.openFailures.length).toBeLessThanOrEqual(windows.signatures);
          expect(Object.keys(spindle.fileEdits).length).toBeLessThanOrEqual(windows.files);
          expect(Object.values(countSignals(spindle)).every((seen) => seen >= 0)).toBe(true);
        },
      ),
    );
  });
});
