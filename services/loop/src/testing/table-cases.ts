/** The cells of the machine's table as examples: every guard of every cell that does more than note an event. Data. */

import { emptySpindle } from "../spindle/spindle.ts";
import type { LoopEvent } from "../state/event.ts";
import { eventTypes } from "../state/event.ts";
import { terminalPhases, workPhases } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { advanceEvent, plainEvent, type TableCase, verifiedWork, withState } from "./case.ts";
import { parallelCases } from "./parallel-cases.ts";
import { pauseCases } from "./pause-cases.ts";
import { planCases } from "./plan-cases.ts";
import { sampleEvent, samplePayloads, sampleStateIn, sampleTicket, ticketId } from "./sample.ts";
import { scoutCases } from "./scout-cases.ts";

const looping = { ...emptySpindle, iterationsSinceChange: 5 };
const failing = { ...emptySpindle, failureSignatures: ["a", "a", "a"], openFailures: ["a", "a", "a"] };
const ready = [sampleTicket(1), sampleTicket(2)];
const bad = (type: "PLAN_SUBMITTED" | "TICKET_RESULT"): LoopEvent =>
  type === "PLAN_SUBMITTED"
    ? sampleEvent(type, {
        ...samplePayloads[type],
        files_to_touch: [{ path: "other/x.ts", reason: "", action: "modify" }],
      })
    : sampleEvent(type, { ...samplePayloads[type], changed_files: ["other/x.ts"] });
/** Something outside the scope lies in the working tree. */
const straying = (type: "QA_PASSED" | "PR_CREATED"): LoopEvent =>
  sampleEvent(type, samplePayloads[type], {
    measured: { files: ["other/x.ts"], linesAdded: 1, linesRemoved: 0, diffHash: "abcdef012345" },
  });
const _scout = (change: Partial<RunState["scout"]>, settings = {}): RunState => {
  const state = sampleStateIn("SCOUT", {}, settings);
  return { ...state, scout: { ...state.scout, ...change } };
};

/** Every cell whose outcome is not "noted" or "absorbed", guard by guard. */
export const cases: readonly TableCase[] = [
  ...scoutCases,
  ...pauseCases,
  ...workPhases.map((phase) => ({
    name: "scope checked",
    state: sampleStateIn(phase),
    event: plainEvent("SCOPE_CHECKED"),
    next: phase,
  })),
  {
    name: "PR limit",
    state: withState(sampleStateIn("NEXT_TICKET", {}, { createPrs: true }), { ready, prsCreated: 5 }),
    event: advanceEvent(),
    next: "DONE",
  },
  { name: "finished", state: sampleStateIn("NEXT_TICKET"), event: advanceEvent(), next: "DONE" },
  {
    name: "another cycle",
    state: sampleStateIn("NEXT_TICKET", {}, { maxCycles: 2 }),
    event: advanceEvent(),
    next: "SCOUT",
  },
  {
    name: "no steps for the next ticket",
    state: withState(sampleStateIn("NEXT_TICKET"), { ready, stepCount: 200 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  {
    name: "plan first",
    state: withState(sampleStateIn("NEXT_TICKET"), { ready }),
    event: advanceEvent(),
    next: "PLAN",
  },
  {
    name: "docs need no plan",
    state: withState(sampleStateIn("NEXT_TICKET"), { ready: [sampleTicket(1, { category: "docs" })] }),
    event: advanceEvent(),
    next: "EXECUTE",
  },
  {
    name: "two at once",
    state: withState(sampleStateIn("NEXT_TICKET", {}, { parallel: 2, direct: false }), { ready }),
    event: advanceEvent(),
    next: "PARALLEL_EXECUTE",
  },
  {
    name: "two that meet",
    state: withState(sampleStateIn("NEXT_TICKET", {}, { parallel: 2, direct: false }), {
      ready: [sampleTicket(1), sampleTicket(2, { files: ["src/part-1.ts"] })],
    }),
    event: advanceEvent(),
    next: "PLAN",
  },
  {
    name: "nothing ready",
    state: sampleStateIn("NEXT_TICKET"),
    event: plainEvent("TICKET_TAKEN"),
    next: "NEXT_TICKET",
  },
  {
    name: "not taken beyond the PR limit",
    state: withState(sampleStateIn("NEXT_TICKET", {}, { createPrs: true }), { ready, prsCreated: 5 }),
    event: plainEvent("TICKET_TAKEN"),
    next: "DONE",
  },
  {
    name: "taken",
    state: withState(sampleStateIn("NEXT_TICKET"), { ready }),
    event: plainEvent("TICKET_TAKEN"),
    next: "PLAN",
  },
  {
    name: "docs taken",
    state: withState(sampleStateIn("NEXT_TICKET"), { ready: [sampleTicket(1, { category: "docs" })] }),
    event: plainEvent("TICKET_TAKEN"),
    next: "EXECUTE",
  },

  { name: "plan prompt", state: sampleStateIn("PLAN"), event: advanceEvent(), next: "PLAN" },
  {
    name: "three rejections",
    state: sampleStateIn("PLAN", { planRejections: 3 }),
    event: advanceEvent(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "ticket budget in PLAN",
    state: sampleStateIn("PLAN", { steps: 12 }),
    event: advanceEvent(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "budget in PLAN",
    state: withState(sampleStateIn("PLAN"), { stepCount: 200 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  ...planCases,
  { name: "plan outside the scope", state: sampleStateIn("PLAN"), event: bad("PLAN_SUBMITTED"), next: "PLAN" },
  {
    name: "plan of another ticket",
    state: sampleStateIn("PLAN"),
    event: sampleEvent("PLAN_SUBMITTED", { ...samplePayloads.PLAN_SUBMITTED, ticket_id: ticketId(9) }),
    next: "PLAN",
  },

  { name: "execute prompt", state: sampleStateIn("EXECUTE"), event: advanceEvent(), next: "EXECUTE" },
  {
    name: "ticket budget",
    state: sampleStateIn("EXECUTE", { steps: 12 }),
    event: advanceEvent(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "budget in EXECUTE",
    state: withState(sampleStateIn("EXECUTE"), { stepCount: 200 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  { name: "circles once", state: sampleStateIn("EXECUTE", { spindle: looping }), event: advanceEvent(), next: "DONE" },
  {
    name: "circles, tickets left",
    state: withState(sampleStateIn("EXECUTE", { spindle: looping }), { ready: [sampleTicket(2)] }),
    event: advanceEvent(),
    next: "PLAN",
  },
  {
    name: "circles a third time",
    state: withState(sampleStateIn("EXECUTE", { spindle: looping }), { spindleRecoveries: 2 }),
    event: advanceEvent(),
    next: "FAILED_SPINDLE",
  },
  {
    name: "same failure a third time",
    state: withState(sampleStateIn("QA", { spindle: failing }), { spindleRecoveries: 2 }),
    event: advanceEvent(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  { name: "result in scope", state: sampleStateIn("EXECUTE"), event: plainEvent("TICKET_RESULT"), next: "QA" },
  {
    name: "result failed",
    state: sampleStateIn("EXECUTE"),
    event: sampleEvent("TICKET_RESULT", { ...samplePayloads.TICKET_RESULT, status: "failed" }),
    next: "NEXT_TICKET",
  },
  { name: "result outside", state: sampleStateIn("EXECUTE"), event: bad("TICKET_RESULT"), next: "EXECUTE" },
  {
    name: "result outside, third time",
    state: sampleStateIn("EXECUTE", { scopeRefusals: 2 }),
    event: bad("TICKET_RESULT"),
    next: "FAILED_VALIDATION",
  },
  {
    name: "the ticket alone: result outside, third time",
    state: sampleStateIn("EXECUTE", { scopeRefusals: 2 }, { scopeBreach: "ticket" }),
    event: bad("TICKET_RESULT"),
    next: "NEXT_TICKET",
  },
  {
    name: "result too long",
    state: sampleStateIn("EXECUTE"),
    event: sampleEvent("TICKET_RESULT", { ...samplePayloads.TICKET_RESULT, lines_added: 600 }),
    next: "EXECUTE",
  },
  {
    name: "result of another ticket",
    state: sampleStateIn("EXECUTE"),
    event: sampleEvent("TICKET_RESULT", { ...samplePayloads.TICKET_RESULT, ticket_id: ticketId(9) }),
    next: "EXECUTE",
  },

  { name: "QA prompt", state: sampleStateIn("QA"), event: advanceEvent(), next: "QA" },
  {
    name: "ticket budget in QA",
    state: sampleStateIn("QA", { steps: 12 }),
    event: advanceEvent(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "budget in QA",
    state: withState(sampleStateIn("QA"), { stepCount: 200 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  { name: "command", state: sampleStateIn("QA"), event: plainEvent("QA_COMMAND_RESULT"), next: "QA" },
  { name: "passed", state: sampleStateIn("QA", verifiedWork), event: plainEvent("QA_PASSED"), next: "NEXT_TICKET" },
  {
    name: "passed with PRs",
    state: sampleStateIn("QA", verifiedWork, { createPrs: true }),
    event: plainEvent("QA_PASSED"),
    next: "PR",
  },
  { name: "passed without a command", state: sampleStateIn("QA"), event: plainEvent("QA_PASSED"), next: "QA" },
  {
    name: "passed with a failed command",
    state: sampleStateIn("QA", { qaResults: [{ command: "npm test", success: false, tail: "", by: "client" }] }),
    event: plainEvent("QA_PASSED"),
    next: "QA",
  },
  ...([0, 2] as const).map((qaRetries) => ({
    name: `passed, but not for the server that verifies, attempt ${qaRetries + 1}`,
    state: sampleStateIn(
      "QA",
      { qaRetries, qaResults: [{ command: "npm test", success: false, tail: "assertion failed", by: "server" }] },
      { qa: "server" },
    ),
    event: plainEvent("QA_PASSED"),
    next: qaRetries === 0 ? ("EXECUTE" as const) : ("NEXT_TICKET" as const),
  })),
  {
    name: "passed with an unmet criterion",
    state: sampleStateIn("QA", verifiedWork),
    event: sampleEvent("QA_PASSED", { summary: "", unmet_criteria: ["It works"] }),
    next: "QA",
  },
  { name: "passed, but outside", state: sampleStateIn("QA", verifiedWork), event: straying("QA_PASSED"), next: "QA" },
  {
    name: "passed, but outside, third time",
    state: sampleStateIn("QA", { ...verifiedWork, scopeRefusals: 2 }),
    event: straying("QA_PASSED"),
    next: "FAILED_VALIDATION",
  },
  {
    name: "the ticket alone: passed, but outside, third time",
    state: sampleStateIn("QA", { ...verifiedWork, scopeRefusals: 2 }, { scopeBreach: "ticket" }),
    event: straying("QA_PASSED"),
    next: "NEXT_TICKET",
  },
  { name: "code failure, first", state: sampleStateIn("QA"), event: plainEvent("QA_FAILED"), next: "EXECUTE" },
  {
    name: "code failure, second",
    state: sampleStateIn("QA", { qaRetries: 1 }),
    event: plainEvent("QA_FAILED"),
    next: "EXECUTE",
  },
  {
    name: "code failure, third",
    state: sampleStateIn("QA", { qaRetries: 2 }),
    event: plainEvent("QA_FAILED"),
    next: "NEXT_TICKET",
  },
  {
    name: "environment failure, first",
    state: sampleStateIn("QA"),
    event: sampleEvent("QA_FAILED", { error: "sh: vitest: command not found" }),
    next: "NEXT_TICKET",
  },
  {
    name: "timeout, second",
    state: sampleStateIn("QA", { qaRetries: 1 }),
    event: sampleEvent("QA_FAILED", { error: "Timed out in 120 s" }),
    next: "NEXT_TICKET",
  },
  ...(["QA_COMMAND_RESULT", "QA_PASSED", "QA_FAILED"] as const).map((type) => ({
    name: `${type} of another ticket`,
    state: sampleStateIn("QA"),
    event: sampleEvent(type, { ...samplePayloads[type], ticket_id: ticketId(9) }),
    next: "QA" as const,
  })),

  { name: "PR prompt", state: sampleStateIn("PR"), event: advanceEvent(), next: "PR" },
  {
    name: "ticket budget in PR",
    state: sampleStateIn("PR", { steps: 12 }),
    event: advanceEvent(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "budget in PR",
    state: withState(sampleStateIn("PR"), { stepCount: 200 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  { name: "PR created", state: sampleStateIn("PR"), event: plainEvent("PR_CREATED"), next: "NEXT_TICKET" },
  { name: "PR outside", state: sampleStateIn("PR"), event: straying("PR_CREATED"), next: "PR" },
  {
    name: "PR outside, third time",
    state: sampleStateIn("PR", { scopeRefusals: 2 }),
    event: straying("PR_CREATED"),
    next: "FAILED_VALIDATION",
  },
  {
    name: "the ticket alone: PR outside, third time",
    state: sampleStateIn("PR", { scopeRefusals: 2 }, { scopeBreach: "ticket" }),
    event: straying("PR_CREATED"),
    next: "NEXT_TICKET",
  },
  {
    name: "PR of another ticket",
    state: sampleStateIn("PR"),
    event: sampleEvent("PR_CREATED", { ...samplePayloads.PR_CREATED, ticket_id: ticketId(9) }),
    next: "PR",
  },
  ...(["PLAN", "EXECUTE", "QA", "PR"] as const).flatMap((phase) => [
    {
      name: "given up",
      state: sampleStateIn(phase),
      event: plainEvent("TICKET_ABANDONED"),
      next: "NEXT_TICKET" as const,
    },
    {
      name: "another given up",
      state: sampleStateIn(phase),
      event: sampleEvent("TICKET_ABANDONED", { ticket_id: ticketId(9), reason: "x" }),
      next: phase,
    },
  ]),

  ...parallelCases,

  ...workPhases.flatMap((phase) => [
    { name: "hint", state: sampleStateIn(phase), event: plainEvent("USER_OVERRIDE"), next: phase },
    {
      name: "cancel",
      state: sampleStateIn(phase),
      event: sampleEvent("USER_OVERRIDE", { cancel: true }),
      next: "DONE" as const,
    },
    { name: "end", state: sampleStateIn(phase), event: plainEvent("SESSION_END"), next: "DONE" as const },
  ]),
  ...terminalPhases.flatMap((phase) =>
    eventTypes.map((type) => ({
      name: `absorbs ${type}`,
      state: sampleStateIn(phase),
      event: plainEvent(type),
      next: phase,
    })),
  ),
];
