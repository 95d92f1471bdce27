/** How often the detector is right, over all families of traces: the figures are in the name of the test. */
import { describe, expect, it } from "vitest";
import { families } from "../testing/traces/families.ts";
import { createNoise, type Trace } from "../testing/traces/traces.ts";
import {
  detectLoop,
  emptySpindle,
  recordFailure,
  recordIteration,
  recordOutput,
  recordSuccess,
  type Spindle,
} from "./spindle.ts";
import { defaultThresholds } from "./threshold.ts";

/** Each family is played with so many seeds. */
const variants = 5;

/** Whether a loop is seen at some step of the trace, as the machine records it. */
const isDetected = (trace: Trace): boolean => {
  let spindle: Spindle = emptySpindle;
  for (const step of trace) {
    if (step.kind === "result")
      spindle = recordOutput(recordIteration(spindle, step.diff, ["src/a.ts"]), step.summary, step.diff);
    else if (step.kind === "idle") spindle = recordIteration(spindle, null, []);
    else if (step.kind === "failure") spindle = recordFailure(spindle, step.command, step.output);
    else spindle = recordSuccess(spindle, step.command);
    if (detectLoop(spindle, defaultThresholds) !== null) return true;
  }
  return false;
};

const outcomes = families.flatMap(({ name, loop, nearMiss }) =>
  Array.from({ length: variants }, (_, seed) => ({
    name,
    found: isDetected(loop(createNoise(seed))),
    falseAlarm: isDetected(nearMiss(createNoise(seed + 1_000))),
  })),
);

const found = outcomes.filter((outcome) => outcome.found).length;
const falseAlarms = outcomes.filter((outcome) => outcome.falseAlarm).length;
const precision = found / Math.max(1, found + falseAlarms);
const recall = found / outcomes.length;

const names = (some: typeof outcomes): readonly string[] => [...new Set(some.map(({ name }) => name))];

describe("families of traces", () => {
  it("are forty or more, each with its near-miss and a name of its own", () => {
    expect(families.length).toBeGreaterThanOrEqual(40);
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
  });

  it(`have precision ${precision.toFixed(3)} and recall ${recall.toFixed(3)}`, () => {
    const wrong = {
      missed: names(outcomes.filter((outcome) => !outcome.found)),
      falseAlarms: names(outcomes.filter((outcome) => outcome.falseAlarm)),
    };
    expect(precision, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.97);
    expect(recall, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.9);
  });
});
