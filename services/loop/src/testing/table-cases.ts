/** The cells of the machine's table as examples: every guard of every cell that does more than note an event. Data. */

import { freshSpindle } from "../spindle/spindle.ts";
import type { LoopEvent } from "../state/event.ts";
import { eventTypes } from "../state/event.ts";
import { terminalPhases, workPhases } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { advance, type Case, plain, verified, with_ } from "./case.ts";
import { parallelCases } from "./parallel-cases.ts";
import { payloads, sampleEvent, sampleProposal, sampleState, sampleTicket, stateIn, ticketId } from "./sample.ts";

const looping = { ...freshSpindle, iterationsSinceChange: 5 };
const failing = { ...freshSpindle, failureSignatures: ["a", "a", "a"] };
const unreviewed = [sampleProposal("Close the file")];
const ready = [sampleTicket(1), sampleTicket(2)];
const bad = (type: "PLAN_SUBMITTED" | "TICKET_RESULT"): LoopEvent =>
  type === "PLAN_SUBMITTED"
    ? sampleEvent(type, {
        ...payloads[type],
        files_to_touch: [{ path: "other/x.ts", reason: "", action: "modify" }],
      })
    : sampleEvent(type, { ...payloads[type], changed_files: ["other/x.ts"] });
/** Something outside the scope lies in the working tree. */
const straying = (type: "QA_PASSED" | "PR_CREATED"): LoopEvent =>
  sampleEvent(type, payloads[type], {
    measured: { files: ["other/x.ts"], linesAdded: 1, linesRemoved: 0, diffHash: "abcdef012345" },
  });
const empty = (): LoopEvent =>
  sampleEvent("SCOUT_OUTPUT", { proposals: [], explored_dirs: [], exploration_summary: "" });
const scout = (change: Partial<RunState["scout"]>, settings = {}): RunState => {
  const state = stateIn("SCOUT", {}, settings);
  return { ...state, scout: { ...state.scout, ...change } };
};

/** Every cell whose outcome is not "noted" or "absorbed", guard by guard. */
export const cases: readonly Case[] = [
  { name: "first prompt", state: sampleState(), event: advance(), next: "SCOUT" },
  { name: "prompt asked for again", state: scout({ asked: true }), event: advance(), next: "SCOUT" },
  { name: "review waits", state: scout({ pending: unreviewed }), event: advance(), next: "SCOUT" },
  { name: "tickets are ready", state: with_(scout({}), { ready }), event: advance(), next: "PLAN" },
  { name: "no steps left", state: with_(scout({}), { stepCount: 200 }), event: advance(), next: "FAILED_BUDGET" },
  { name: "out of time", state: stateIn("SCOUT", {}, { expiresAt: 1 }), event: advance(), next: "FAILED_BUDGET" },
  { name: "accepted", state: scout({ asked: true }), event: plain("SCOUT_OUTPUT"), next: "NEXT_TICKET" },
  { name: "review asked for", state: scout({}, { review: true }), event: plain("SCOUT_OUTPUT"), next: "SCOUT" },
  { name: "first empty output", state: scout({}), event: empty(), next: "SCOUT" },
  { name: "retries used, cycles left", state: scout({ retries: 3 }, { maxCycles: 3 }), event: empty(), next: "SCOUT" },
  {
    name: "second barren cycle",
    state: scout({ retries: 3, barren: 1 }, { maxCycles: 9 }),
    event: empty(),
    next: "DONE",
  },
  { name: "no cycle left", state: scout({ retries: 3 }), event: empty(), next: "DONE" },
  {
    name: "covered, one retry only",
    state: with_(scout({ retries: 1 }), { sectors: [{ path: "src", files: 9, scanned: true }] }),
    event: empty(),
    next: "DONE",
  },
  { name: "nothing to review", state: scout({}), event: plain("PROPOSALS_REVIEWED"), next: "SCOUT" },
  { name: "reviewed", state: scout({ pending: unreviewed }), event: plain("PROPOSALS_REVIEWED"), next: "NEXT_TICKET" },
  {
    name: "review drops all",
    state: scout({ pending: unreviewed }),
    event: sampleEvent("PROPOSALS_REVIEWED", { reviewed_proposals: [{ title: "Close the file", confidence: 0 }] }),
    next: "SCOUT",
  },
  { name: "filtered, none ready", state: scout({}), event: plain("PROPOSALS_FILTERED"), next: "DONE" },
  {
    name: "filtered, some ready",
    state: with_(scout({}), { ready }),
    event: plain("PROPOSALS_FILTERED"),
    next: "NEXT_TICKET",
  },
  { name: "none to take", state: scout({}), event: plain("TICKET_TAKEN"), next: "SCOUT" },
  { name: "taken from SCOUT", state: with_(scout({}), { ready }), event: plain("TICKET_TAKEN"), next: "PLAN" },

  {
    name: "PR limit",
    state: with_(stateIn("NEXT_TICKET", {}, { createPrs: true }), { ready, prsCreated: 5 }),
    event: advance(),
    next: "DONE",
  },
  { name: "finished", state: stateIn("NEXT_TICKET"), event: advance(), next: "DONE" },
  { name: "another cycle", state: stateIn("NEXT_TICKET", {}, { maxCycles: 2 }), event: advance(), next: "SCOUT" },
  {
    name: "no steps for the next ticket",
    state: with_(stateIn("NEXT_TICKET"), { ready, stepCount: 200 }),
    event: advance(),
    next: "FAILED_BUDGET",
  },
  { name: "plan first", state: with_(stateIn("NEXT_TICKET"), { ready }), event: advance(), next: "PLAN" },
  {
    name: "docs need no plan",
    state: with_(stateIn("NEXT_TICKET"), { ready: [sampleTicket(1, { category: "docs" })] }),
    event: advance(),
    next: "EXECUTE",
  },
  {
    name: "two at once",
    state: with_(stateIn("NEXT_TICKET", {}, { parallel: 2, direct: false }), { ready }),
    event: advance(),
    next: "PARALLEL_EXECUTE",
  },
  {
    name: "two that meet",
    state: with_(stateIn("NEXT_TICKET", {}, { parallel: 2, direct: false }), {
      ready: [sampleTicket(1), sampleTicket(2, { files: ["src/part-1.ts"] })],
    }),
    event: advance(),
    next: "PLAN",
  },
  { name: "nothing ready", state: stateIn("NEXT_TICKET"), event: plain("TICKET_TAKEN"), next: "NEXT_TICKET" },
  {
    name: "not taken beyond the PR limit",
    state: with_(stateIn("NEXT_TICKET", {}, { createPrs: true }), { ready, prsCreated: 5 }),
    event: plain("TICKET_TAKEN"),
    next: "DONE",
  },
  { name: "taken", state: with_(stateIn("NEXT_TICKET"), { ready }), event: plain("TICKET_TAKEN"), next: "PLAN" },
  {
    name: "docs taken",
    state: with_(stateIn("NEXT_TICKET"), { ready: [sampleTicket(1, { category: "docs" })] }),
    event: plain("TICKET_TAKEN"),
    next: "EXECUTE",
  },

  { name: "plan prompt", state: stateIn("PLAN"), event: advance(), next: "PLAN" },
  {
    name: "three rejections",
    state: stateIn("PLAN", { planRejections: 3 }),
    event: advance(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "ticket budget in PLAN",
    state: stateIn("PLAN", { steps: 12 }),
    event: advance(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "budget in PLAN",
    state: with_(stateIn("PLAN"), { stepCount: 200 }),
    event: advance(),
    next: "FAILED_BUDGET",
  },
  { name: "low risk", state: stateIn("PLAN"), event: plain("PLAN_SUBMITTED"), next: "EXECUTE" },
  {
    name: "medium risk",
    state: stateIn("PLAN"),
    event: sampleEvent("PLAN_SUBMITTED", { ...payloads.PLAN_SUBMITTED, risk_level: "medium" }),
    next: "EXECUTE",
  },
  {
    name: "high risk",
    state: stateIn("PLAN"),
    event: sampleEvent("PLAN_SUBMITTED", { ...payloads.PLAN_SUBMITTED, risk_level: "high" }),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  { name: "plan outside the scope", state: stateIn("PLAN"), event: bad("PLAN_SUBMITTED"), next: "PLAN" },
  {
    name: "plan of another ticket",
    state: stateIn("PLAN"),
    event: sampleEvent("PLAN_SUBMITTED", { ...payloads.PLAN_SUBMITTED, ticket_id: ticketId(9) }),
    next: "PLAN",
  },

  { name: "execute prompt", state: stateIn("EXECUTE"), event: advance(), next: "EXECUTE" },
  { name: "ticket budget", state: stateIn("EXECUTE", { steps: 12 }), event: advance(), next: "BLOCKED_NEEDS_HUMAN" },
  {
    name: "budget in EXECUTE",
    state: with_(stateIn("EXECUTE"), { stepCount: 200 }),
    event: advance(),
    next: "FAILED_BUDGET",
  },
  { name: "circles once", state: stateIn("EXECUTE", { spindle: looping }), event: advance(), next: "DONE" },
  {
    name: "circles, tickets left",
    state: with_(stateIn("EXECUTE", { spindle: looping }), { ready: [sampleTicket(2)] }),
    event: advance(),
    next: "PLAN",
  },
  {
    name: "circles a third time",
    state: with_(stateIn("EXECUTE", { spindle: looping }), { spindleRecoveries: 2 }),
    event: advance(),
    next: "FAILED_SPINDLE",
  },
  {
    name: "same failure a third time",
    state: with_(stateIn("QA", { spindle: failing }), { spindleRecoveries: 2 }),
    event: advance(),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  { name: "result in scope", state: stateIn("EXECUTE"), event: plain("TICKET_RESULT"), next: "QA" },
  {
    name: "result failed",
    state: stateIn("EXECUTE"),
    event: sampleEvent("TICKET_RESULT", { ...payloads.TICKET_RESULT, status: "failed" }),
    next: "NEXT_TICKET",
  },
  { name: "result outside", state: stateIn("EXECUTE"), event: bad("TICKET_RESULT"), next: "EXECUTE" },
  {
    name: "result outside, third time",
    state: stateIn("EXECUTE", { scopeRefusals: 2 }),
    event: bad("TICKET_RESULT"),
    next: "FAILED_VALIDATION",
  },
  {
    name: "result too long",
    state: stateIn("EXECUTE"),
    event: sampleEvent("TICKET_RESULT", { ...payloads.TICKET_RESULT, lines_added: 600 }),
    next: "EXECUTE",
  },
  {
    name: "result of another ticket",
    state: stateIn("EXECUTE"),
    event: sampleEvent("TICKET_RESULT", { ...payloads.TICKET_RESULT, ticket_id: ticketId(9) }),
    next: "EXECUTE",
  },

  { name: "QA prompt", state: stateIn("QA"), event: advance(), next: "QA" },
  { name: "ticket budget in QA", state: stateIn("QA", { steps: 12 }), event: advance(), next: "BLOCKED_NEEDS_HUMAN" },
  { name: "budget in QA", state: with_(stateIn("QA"), { stepCount: 200 }), event: advance(), next: "FAILED_BUDGET" },
  { name: "command", state: stateIn("QA"), event: plain("QA_COMMAND_RESULT"), next: "QA" },
  { name: "passed", state: stateIn("QA", verified), event: plain("QA_PASSED"), next: "NEXT_TICKET" },
  {
    name: "passed with PRs",
    state: stateIn("QA", verified, { createPrs: true }),
    event: plain("QA_PASSED"),
    next: "PR",
  },
  { name: "passed without a command", state: stateIn("QA"), event: plain("QA_PASSED"), next: "QA" },
  {
    name: "passed with a failed command",
    state: stateIn("QA", { qaResults: [{ command: "npm test", success: false, tail: "" }] }),
    event: plain("QA_PASSED"),
    next: "QA",
  },
  {
    name: "passed with an unmet criterion",
    state: stateIn("QA", verified),
    event: sampleEvent("QA_PASSED", { summary: "", unmet_criteria: ["It works"] }),
    next: "QA",
  },
  { name: "passed, but outside", state: stateIn("QA", verified), event: straying("QA_PASSED"), next: "QA" },
  {
    name: "passed, but outside, third time",
    state: stateIn("QA", { ...verified, scopeRefusals: 2 }),
    event: straying("QA_PASSED"),
    next: "FAILED_VALIDATION",
  },
  { name: "code failure, first", state: stateIn("QA"), event: plain("QA_FAILED"), next: "EXECUTE" },
  { name: "code failure, second", state: stateIn("QA", { qaRetries: 1 }), event: plain("QA_FAILED"), next: "EXECUTE" },
  {
    name: "code failure, third",
    state: stateIn("QA", { qaRetries: 2 }),
    event: plain("QA_FAILED"),
    next: "NEXT_TICKET",
  },
  {
    name: "environment failure, first",
    state: stateIn("QA"),
    event: sampleEvent("QA_FAILED", { error: "sh: vitest: command not found" }),
    next: "NEXT_TICKET",
  },
  {
    name: "timeout, second",
    state: stateIn("QA", { qaRetries: 1 }),
    event: sampleEvent("QA_FAILED", { error: "Timed out in 120 s" }),
    next: "NEXT_TICKET",
  },
  ...(["QA_COMMAND_RESULT", "QA_PASSED", "QA_FAILED"] as const).map((type) => ({
    name: `${type} of another ticket`,
    state: stateIn("QA"),
    event: sampleEvent(type, { ...payloads[type], ticket_id: ticketId(9) }),
    next: "QA" as const,
  })),

  { name: "PR prompt", state: stateIn("PR"), event: advance(), next: "PR" },
  { name: "ticket budget in PR", state: stateIn("PR", { steps: 12 }), event: advance(), next: "BLOCKED_NEEDS_HUMAN" },
  { name: "budget in PR", state: with_(stateIn("PR"), { stepCount: 200 }), event: advance(), next: "FAILED_BUDGET" },
  { name: "PR created", state: stateIn("PR"), event: plain("PR_CREATED"), next: "NEXT_TICKET" },
  { name: "PR outside", state: stateIn("PR"), event: straying("PR_CREATED"), next: "PR" },
  {
    name: "PR outside, third time",
    state: stateIn("PR", { scopeRefusals: 2 }),
    event: straying("PR_CREATED"),
    next: "FAILED_VALIDATION",
  },
  {
    name: "PR of another ticket",
    state: stateIn("PR"),
    event: sampleEvent("PR_CREATED", { ...payloads.PR_CREATED, ticket_id: ticketId(9) }),
    next: "PR",
  },
  ...(["PLAN", "EXECUTE", "QA", "PR"] as const).flatMap((phase) => [
    { name: "given up", state: stateIn(phase), event: plain("TICKET_ABANDONED"), next: "NEXT_TICKET" as const },
    {
      name: "another given up",
      state: stateIn(phase),
      event: sampleEvent("TICKET_ABANDONED", { ticket_id: ticketId(9), reason: "x" }),
      next: phase,
    },
  ]),

  ...parallelCases,

  ...workPhases.flatMap((phase) => [
    { name: "hint", state: stateIn(phase), event: plain("USER_OVERRIDE"), next: phase },
    {
      name: "cancel",
      state: stateIn(phase),
      event: sampleEvent("USER_OVERRIDE", { cancel: true }),
      next: "DONE" as const,
    },
    { name: "end", state: stateIn(phase), event: plain("SESSION_END"), next: "DONE" as const },
  ]),
  ...terminalPhases.flatMap((phase) =>
    eventTypes.map((type) => ({ name: `absorbs ${type}`, state: stateIn(phase), event: plain(type), next: phase })),
  ),
];
