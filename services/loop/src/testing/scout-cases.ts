import type { LoopEvent } from "../state/event.ts";
import type { RunState } from "../state/run-state.ts";
import { advanceEvent, plainEvent, type TableCase, withState } from "./case.ts";
import { sampleEvent, sampleProposal, sampleState, sampleStateIn, sampleTicket } from "./sample.ts";

const unreviewed = [sampleProposal("Close the file")];
const ready = [sampleTicket(1), sampleTicket(2)];
const empty = (): LoopEvent =>
  sampleEvent("SCOUT_OUTPUT", { proposals: [], explored_dirs: [], exploration_summary: "" });
const scout = (change: Partial<RunState["scout"]>, settings = {}): RunState => {
  const state = sampleStateIn("SCOUT", {}, settings);
  return { ...state, scout: { ...state.scout, ...change } };
};

export const scoutCases: readonly TableCase[] = [
  { name: "first prompt", state: sampleState(), event: advanceEvent(), next: "SCOUT" },
  { name: "prompt asked for again", state: scout({ promptOpen: true }), event: advanceEvent(), next: "SCOUT" },
  { name: "review waits", state: scout({ pending: unreviewed }), event: advanceEvent(), next: "SCOUT" },
  { name: "tickets are ready", state: withState(scout({}), { ready }), event: advanceEvent(), next: "PLAN" },
  {
    name: "no steps left",
    state: withState(scout({}), { stepCount: 200 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  {
    name: "out of time",
    state: sampleStateIn("SCOUT", {}, { expiresAt: 1 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  { name: "accepted", state: scout({ promptOpen: true }), event: plainEvent("SCOUT_OUTPUT"), next: "NEXT_TICKET" },
  { name: "review asked for", state: scout({}, { review: true }), event: plainEvent("SCOUT_OUTPUT"), next: "SCOUT" },
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
    state: withState(scout({ retries: 1 }), { sectors: [{ path: "src", files: 9, scanned: true }] }),
    event: empty(),
    next: "DONE",
  },
  { name: "nothing to review", state: scout({}), event: plainEvent("PROPOSALS_REVIEWED"), next: "SCOUT" },
  {
    name: "a verdict about nothing",
    state: scout({ pending: unreviewed }),
    event: sampleEvent("PROPOSALS_REVIEWED", { reviewed_proposals: [{ title: "Close a file", confidence: 0 }] }),
    next: "SCOUT",
  },
  {
    name: "reviewed",
    state: scout({ pending: unreviewed }),
    event: plainEvent("PROPOSALS_REVIEWED"),
    next: "NEXT_TICKET",
  },
  {
    name: "review drops all",
    state: scout({ pending: unreviewed }),
    event: sampleEvent("PROPOSALS_REVIEWED", { reviewed_proposals: [{ title: "Close the file", confidence: 0 }] }),
    next: "SCOUT",
  },
  { name: "filtered, none ready", state: scout({}), event: plainEvent("PROPOSALS_FILTERED"), next: "DONE" },
  {
    name: "filtered, some ready",
    state: withState(scout({}), { ready }),
    event: plainEvent("PROPOSALS_FILTERED"),
    next: "NEXT_TICKET",
  },
  { name: "none to take", state: scout({}), event: plainEvent("TICKET_TAKEN"), next: "SCOUT" },
  { name: "taken from SCOUT", state: withState(scout({}), { ready }), event: plainEvent("TICKET_TAKEN"), next: "PLAN" },
];
