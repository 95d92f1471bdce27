/** Sessions of thousands of steps: what a step has to read and write does not grow with what lies behind it. */
import { expect, it } from "vitest";
import type { LoopEvent } from "../state/event.ts";
import type { RunState } from "../state/run-state.ts";
import { sampleEvent, samplePayloads, sampleProposal, sampleState } from "../testing/sample.ts";
import { shortHash } from "../value/hash.ts";
import { step } from "./machine.ts";

const settings = {
  stepBudget: 1_000_000,
  maxCycles: 1_000_000,
  ticketStepBudget: null,
  maxProposals: 10,
  spindle: { stall: 0, oscillation: 0, repetition: 0, ping_pong: 0, repeated_failure: 0 },
};

/** Letters only, and unlike every other one. */
const title = (number: number): string =>
  shortHash(`${number}`).replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)));

/** What a helpful client reports in the phase, each fourth result after a failed verification. */
const reports = (state: RunState, round: number): readonly LoopEvent[] => {
  const file = state.current?.ticket.files[0] ?? "";
  switch (state.phase) {
    case "SCOUT":
      return [
        sampleEvent("SCOUT_OUTPUT", {
          proposals: Array.from({ length: 10 }, (_, index) => sampleProposal(title(round * 10 + index))),
          explored_dirs: [`src/${round}`],
          exploration_summary: "",
        }),
      ];
    case "PLAN":
      return [
        sampleEvent("PLAN_SUBMITTED", {
          ...samplePayloads.PLAN_SUBMITTED,
          files_to_touch: [{ path: file, reason: "", action: "modify" }],
        }),
      ];
    case "EXECUTE":
      return [
        sampleEvent("TICKET_RESULT", { ...samplePayloads.TICKET_RESULT, changed_files: [file], summary: `${round}` }),
      ];
    case "QA":
      return round % 4 === 0
        ? [sampleEvent("QA_FAILED", { error: `AssertionError ${round}` })]
        : [
            sampleEvent("QA_COMMAND_RESULT", samplePayloads.QA_COMMAND_RESULT),
            sampleEvent("QA_PASSED", samplePayloads.QA_PASSED),
          ];
    default:
      return [];
  }
};

it("keep their state, and what a step adds to it, as large as they were after the first thousand", () => {
  let state = sampleState({}, settings);
  const sizes: number[] = [];
  let largest = 0;
  for (let round = 1; round <= 4_200; round += 1) {
    const outcomes = [step(state, sampleEvent("ADVANCE_CALLED", {}))];
    for (const event of reports(outcomes[0]?.state ?? state, round))
      outcomes.push(step(outcomes.at(-1)?.state ?? state, event));
    state = outcomes.at(-1)?.state ?? state;
    if (round % 7 === 0)
      largest = Math.max(largest, JSON.stringify([state, outcomes.map(({ effects }) => effects)]).length);
    if (round % 1_400 === 0) {
      sizes.push(largest);
      largest = 0;
    }
  }
  expect(state.stepCount).toBe(4_200);
  expect(state.ticketsCompleted).toBeGreaterThan(700);
  const [, second = 0, third = 0] = sizes;
  expect(third).toBeLessThan(second * 1.05);
});
