/** Samples for tests: settings, proposals, tickets, states in every phase, and events with ids that count. */

import { defaultThresholds } from "../spindle/threshold.ts";
import type { EventPayload, EventType, LoopEvent } from "../state/event.ts";
import type { SessionPhase } from "../state/phase.ts";
import { initialState, initialWork, type RunState, type TicketWork } from "../state/run-state.ts";
import type { SessionSettings } from "../state/settings.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { defaultCategories } from "../value/category.ts";
import type { TicketId } from "../value/id.ts";

const noon = Date.UTC(2026, 0, 1, 12);

const sampleSettings: SessionSettings = {
  scope: "**",
  categories: defaultCategories,
  minConfidence: 55,
  minImpact: 5,
  maxProposals: 5,
  stepBudget: 200,
  ticketStepBudget: 12,
  maxCostUsd: null,
  maxTokens: null,
  maxPrs: 5,
  maxCycles: 1,
  expiresAt: null,
  createPrs: false,
  draftPrs: false,
  parallel: 1,
  direct: true,
  ownTree: false,
  mergeBranches: false,
  startBranch: null,
  review: false,
  learnings: true,
  learningsBudget: 2_000,
  qa: "client",
  planApproval: "stop",
  fileRisk: false,
  backlog: "drop",
  scopeBreach: "session",
  qaCommands: [],
  excludeDirs: [],
  customTools: false,
  formula: null,
  client: "claude",
  guidelines: null,
  spindle: defaultThresholds,
};

export const ticketId = (number: number): TicketId => `tkt_${number.toString(36).padStart(12, "0")}`;

export const sampleProposal = (
  title: string,
  change: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  category: "fix",
  title,
  description: `${title}, because it is broken`,
  files: [`src/${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.ts`],
  confidence: 80,
  impact_score: 7,
  acceptance_criteria: [`${title} is done`],
  verification_commands: ["npm test"],
  risk: "low",
  ...change,
});

export const sampleTicket = (number = 1, change: Partial<Ticket> = {}): Ticket => ({
  id: ticketId(number),
  title: `Mend part ${number}`,
  description: "It is broken",
  category: "fix",
  status: "ready",
  priority: 56,
  order: number,
  allowedPaths: [],
  files: [`src/part-${number}.ts`],
  verificationCommands: ["npm test"],
  acceptanceCriteria: ["It works"],
  risk: "low",
  complexity: "simple",
  confidence: 80,
  impact: 7,
  rationale: "",
  rollbackNote: "git revert",
  targetSymbols: [],
  ...change,
});

export const sampleState = (change: Partial<RunState> = {}, settings: Partial<SessionSettings> = {}): RunState => ({
  ...initialState(
    {
      runId: "run_000000000001",
      sessionId: "ses_000000000001",
      project: "sample",
      settings: { ...sampleSettings, ...settings },
      memory: { learnings: [], remembered: [] },
      carried: [],
      sectors: [],
    },
    noon,
  ),
  ...change,
});

/** A state in a phase, with a ticket at work where the phase has one. */
export const sampleStateIn = (
  phase: SessionPhase,
  work: Partial<TicketWork> = {},
  settings: Partial<SessionSettings> = {},
): RunState => {
  const current = { ...initialWork(sampleTicket()), plannedFiles: ["src/part-1.ts"], ...work };
  const parallel = phase === "PARALLEL_EXECUTE";
  const alone = phase === "PLAN" || phase === "EXECUTE" || phase === "QA" || phase === "PR";
  return sampleState(
    {
      phase,
      current: alone ? current : null,
      workers: parallel
        ? [1, 2].map((number) => ({ ...initialWork(sampleTicket(number)), phase: "PLAN", lastEventStep: 0 }))
        : [],
      scout: {
        cycles: 1,
        retries: 0,
        barren: 0,
        promptOpen: false,
        shownHints: [],
        tried: [],
        exploredDirs: [],
        pending: null,
      },
    },
    parallel ? { parallel: 2, direct: false, ...settings } : settings,
  );
};

let eventCount = 0;

/** An event of a type; ids count up, ids for tickets are drawn. */
export const sampleEvent = <T extends EventType>(
  type: T,
  payload: EventPayload<T>,
  extra: Partial<LoopEvent> = {},
): LoopEvent => {
  eventCount += 1;
  const envelope = {
    id: `evt_${eventCount.toString(36).padStart(12, "0")}`,
    at: noon + eventCount * 1_000,
    ticketIds: Array.from({ length: 10 }, (_, index) => ticketId(eventCount * 100 + index)),
    ...extra,
    type,
    payload,
  };
  return envelope as LoopEvent;
};

/** A harmless payload of each type. */
export const samplePayloads: { readonly [T in EventType]: EventPayload<T> } = {
  SCOUT_OUTPUT: { proposals: [sampleProposal("Close the file")], explored_dirs: [], exploration_summary: "" },
  PROPOSALS_REVIEWED: { reviewed_proposals: [{ title: "Close the file", review_note: "fine" }] },
  PROPOSALS_FILTERED: {},
  PLAN_SUBMITTED: {
    files_to_touch: [{ path: "src/part-1.ts", reason: "", action: "modify" }],
    expected_tests: [],
    risk_level: "low",
    estimated_lines: 20,
  },
  TICKET_RESULT: {
    status: "done",
    changed_files: ["src/part-1.ts"],
    lines_added: 3,
    lines_removed: 1,
    summary: "done",
  },
  QA_COMMAND_RESULT: { command: "npm test", success: true, output: "ok" },
  QA_PASSED: { summary: "all good", unmet_criteria: [] },
  QA_FAILED: { error: "AssertionError: expected 1" },
  PR_CREATED: { url: "https://example.com/pr/1", branch: "promptwheel/x" },
  USER_OVERRIDE: { hint: "look at the parser" },
  ADVANCE_CALLED: {},
  TICKET_TAKEN: {},
  TICKET_ABANDONED: { ticket_id: ticketId(1), reason: "too hard" },
  SESSION_END: {},
  PLAN_DECIDED: { ticket_id: ticketId(1), decision: "approve", reason: "" },
  SESSION_PAUSED: { by: "person", text: "not now" },
  SESSION_RESUMED: { answer: "" },
  ANSWER_REFUSED: { reason: "it has no block that can be read" },
  TREE_SETTLED: {
    ticket_id: ticketId(9),
    title: "Mend part 9",
    outcome: "done",
    tree: "unchanged",
    commit: null,
    branch: null,
    files: [],
    unattributed: [],
    before: null,
    conflicts: [],
    note: null,
    verification: "none",
  },
  SCOPE_CHECKED: { ticket_id: ticketId(1), files: ["src/part-1.ts"], reason: "" },
};
