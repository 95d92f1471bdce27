/** Sessions of thousands of steps: what a step has to read and write does not grow with what lies behind it. */
import { expect, it } from "vitest";
import type { LoopEvent } from "../state/event.ts";
import type { RunState } from "../state/run-state.ts";
import { payloads, sampleEvent, sampleProposal, sampleState } from "../testing/sample.ts";
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
const reports = (state: RunState, turn: number): readonly LoopEvent[] => {
  const file = state.current?.ticket.files[0] ?? "";
  switch (state.phase) {
    case "SCOUT":
      return [
        sampleEvent("SCOUT_OUTPUT", {
          proposals: Array.from({ length: 10 }, (_, index) => sampleProposal(title(turn * 10 + index))),
          explored_dirs: [`src/${turn}`],
          exploration_summary: "",
        }),
      ];
    case "PLAN":
      return [
        sampleEvent("PLAN_SUBMITTED", {
          ...payloads.PLAN_SUBMITTED,
          files_to_touch: [{ path: file, reason: "", action: "modify" }],
        }),
      ];
    case "EXECUTE":
      return [sampleEvent("TICKET_RESULT", { ...payloads.TICKET_RESULT, changed_files: [file], summary: `${turn}` })];
    case "QA":
      return turn % 4 === 0
        ? [sampleEvent("QA_FAILED", { error: `AssertionError ${turn}` })]
        : [sampleEvent("QA_COMMAND_RESULT", payloads.QA_COMMAND_RESULT), sampleEvent("QA_PASSED", payloads.QA_PASSED)];
    default:
      return [];
  }
};

it("keep their state, and what a step adds to it, as large as they were after the first thousand", () => {
  let state = sampleState({}, settings);
  const sizes: number[] = [];
  let largest = 0;
  for (let turn = 1; turn <= 4_200; turn += 1) {
    const outcomes = [step(state, sampleEvent("ADVANCE_CALLED", {}))];
    for (const event of reports(outcomes[0]?.state ?? state, turn))
      outcomes.push(step(outcomes.at(-1)?.state ?? state, event));
    state = outcomes.at(-1)?.state ?? state;
    if (turn % 7 === 0)
      largest = Math.max(largest, JSON.stringify([state, outcomes.map(({ effects }) => effects)]).length);
    if (turn % 1_400 === 0) {
      sizes.push(largest);
      largest = 0;
    }
  }
  expect(state.stepCount).toBe(4_200);
  expect(state.ticketsCompleted).toBeGreaterThan(700);
  const [, second = 0, third = 0] = sizes;
  expect(third).toBeLessThan(second * 1.05);
});
