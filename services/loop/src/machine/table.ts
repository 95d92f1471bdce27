/**
 * The machine, as data: for every phase and every event, what may happen. The first rule whose guard holds decides the next
 * phase and the actions; `again` puts the same event to the next phase as well. The documentation is made from this table.
 */

import type { EventType } from "../state/event.ts";
import type { SessionPhase } from "../state/phase.ts";
import type { ActionName } from "./action/actions.ts";
import type { GuardName } from "./guard.ts";

export interface TransitionRule {
  readonly when: GuardName;
  /** `same`: the phase does not change. */
  readonly next: SessionPhase | "same";
  readonly run: readonly ActionName[];
  /** The event is put to the next phase too. */
  readonly again?: true;
}

/** Rules in the order they are tried; the last one always holds. */
type TableCell = readonly [...TransitionRule[], TransitionRule & { readonly when: "always" }];

type TableRow = Readonly<Record<EventType, TableCell>>;

const noteCell: TableCell = [{ when: "always", next: "same", run: ["note"] }];
const absorbCell: TableCell = [{ when: "always", next: "same", run: ["absorb"] }];

const overrideCell: TableCell = [
  { when: "cancel", next: "DONE", run: ["cancel"] },
  { when: "always", next: "same", run: ["queueHint"] },
];

const treeCell: TableCell = [{ when: "always", next: "same", run: ["recordTree"] }];

const endCell: TableCell = [{ when: "always", next: "DONE", run: ["endSession"] }];

/** Every event is noted and changes nothing, but for those every phase of work understands. */
const defaultRow = {
  ADVANCE_CALLED: noteCell,
  SCOUT_OUTPUT: noteCell,
  PROPOSALS_REVIEWED: noteCell,
  PROPOSALS_FILTERED: noteCell,
  PLAN_SUBMITTED: noteCell,
  TICKET_RESULT: noteCell,
  QA_COMMAND_RESULT: noteCell,
  QA_PASSED: noteCell,
  QA_FAILED: noteCell,
  PR_CREATED: noteCell,
  TICKET_TAKEN: noteCell,
  TICKET_ABANDONED: noteCell,
  PLAN_DECIDED: noteCell,
  SESSION_PAUSED: [{ when: "always", next: "same", run: ["pause"] }],
  SESSION_RESUMED: [
    { when: "notPaused", next: "same", run: ["note"] },
    { when: "always", next: "same", run: ["resume"] },
  ],
  // What it has cost is counted with each event.
  ANSWER_REFUSED: [{ when: "always", next: "same", run: [] }],
  USER_OVERRIDE: overrideCell,
  SESSION_END: endCell,
  SCOPE_CHECKED: [{ when: "always", next: "same", run: ["recordScopeCheck"] }],
  TREE_SETTLED: treeCell,
} as const satisfies TableRow;

const proposalCell: TableCell = [
  { when: "proposalAccepted", next: "NEXT_TICKET", run: ["recordScout", "createTickets"] },
  { when: "scoutRetryLeft", next: "same", run: ["recordScout", "retryScout"] },
  { when: "cycleLeft", next: "same", run: ["recordScout", "endBarrenCycle"] },
  { when: "always", next: "DONE", run: ["recordScout", "endBarrenCycle", "stopWithoutWork"] },
];

const otherTicketRule: TransitionRule = { when: "otherTicket", next: "same", run: ["refuseOtherTicket"] };

const abandonCell: TableCell = [otherTicketRule, { when: "always", next: "NEXT_TICKET", run: ["abandonTicket"] }];

const spindleRules: readonly TransitionRule[] = [
  { when: "spindleEndsSession", next: "FAILED_SPINDLE", run: ["blockOnSpindle"] },
  { when: "spindleNeedsPerson", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnSpindle"] },
  { when: "spindleTriggered", next: "NEXT_TICKET", run: ["blockOnSpindle", "recoverFromSpindle"], again: true },
];

/** First in every phase of work. */
const pauseRule: TransitionRule = { when: "paused", next: "same", run: ["waitOutPause"] };

const budgetRules: readonly TransitionRule[] = [
  { when: "ticketBudgetSpent", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnTicketBudget"] },
  { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
];

const scopeRule: TransitionRule = { when: "resultOutOfScope", next: "same", run: ["refuseResult"] };

const workerCell: TableCell = [
  { when: "unknownWorker", next: "same", run: ["refuseUnknownWorker"] },
  { when: "noWorkerLeft", next: "NEXT_TICKET", run: ["mergeWorkers"] },
  { when: "always", next: "same", run: ["mergeWorkers"] },
];

const terminalRow: TableRow = {
  ADVANCE_CALLED: absorbCell,
  SCOUT_OUTPUT: absorbCell,
  PROPOSALS_REVIEWED: absorbCell,
  PROPOSALS_FILTERED: absorbCell,
  PLAN_SUBMITTED: absorbCell,
  TICKET_RESULT: absorbCell,
  QA_COMMAND_RESULT: absorbCell,
  QA_PASSED: absorbCell,
  QA_FAILED: absorbCell,
  PR_CREATED: absorbCell,
  USER_OVERRIDE: absorbCell,
  TICKET_TAKEN: absorbCell,
  TICKET_ABANDONED: absorbCell,
  PLAN_DECIDED: absorbCell,
  SESSION_PAUSED: absorbCell,
  SESSION_RESUMED: absorbCell,
  ANSWER_REFUSED: absorbCell,
  SCOPE_CHECKED: absorbCell,
  TREE_SETTLED: treeCell,
  SESSION_END: [{ when: "always", next: "same", run: ["endSession"] }],
};

export const table: Readonly<Record<SessionPhase, TableRow>> = {
  SCOUT: {
    ...defaultRow,
    ADVANCE_CALLED: [
      pauseRule,
      { when: "readyTicket", next: "NEXT_TICKET", run: [], again: true },
      { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
      { when: "reviewPending", next: "same", run: ["countStep", "askReview"] },
      { when: "scoutPromptOpen", next: "same", run: ["countStep", "askScout"] },
      { when: "always", next: "same", run: ["countStep", "openScout", "askScout"] },
    ],
    SCOUT_OUTPUT: [{ when: "needsReview", next: "same", run: ["holdForReview"] }, ...proposalCell],
    PROPOSALS_REVIEWED: [
      { when: "nothingPending", next: "same", run: ["note"] },
      { when: "verdictUnmatched", next: "same", run: ["refuseReview"] },
      ...proposalCell,
    ],
    PROPOSALS_FILTERED: [
      { when: "readyTicket", next: "NEXT_TICKET", run: ["note"] },
      { when: "always", next: "DONE", run: ["stopWithoutWork"] },
    ],
    TICKET_TAKEN: [
      { when: "paused", next: "same", run: ["waitOutPause"] },
      { when: "readyTicket", next: "NEXT_TICKET", run: [], again: true },
      { when: "always", next: "same", run: ["note"] },
    ],
  },
  NEXT_TICKET: {
    ...defaultRow,
    ADVANCE_CALLED: [
      pauseRule,
      { when: "prLimitReached", next: "DONE", run: ["stopOnPrLimit"] },
      { when: "nothingLeft", next: "DONE", run: ["stopWhenFinished"] },
      { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
      { when: "parallelBatchReady", next: "PARALLEL_EXECUTE", run: ["takeBatch"], again: true },
      { when: "planNotRequired", next: "EXECUTE", run: ["takeTicket"], again: true },
      { when: "readyTicket", next: "PLAN", run: ["takeTicket"], again: true },
      { when: "always", next: "SCOUT", run: ["resetCycle"], again: true },
    ],
    TICKET_TAKEN: [
      { when: "paused", next: "same", run: ["waitOutPause"] },
      { when: "prLimitReached", next: "DONE", run: ["stopOnPrLimit"] },
      { when: "planNotRequired", next: "EXECUTE", run: ["takeTicket"] },
      { when: "readyTicket", next: "PLAN", run: ["takeTicket"] },
      { when: "always", next: "same", run: ["note"] },
    ],
  },
  PLAN: {
    ...defaultRow,
    ADVANCE_CALLED: [
      pauseRule,
      { when: "planWaits", next: "same", run: ["waitForPerson"] },
      { when: "plansEndTicket", next: "NEXT_TICKET", run: ["endTicketOnPlans"], again: true },
      { when: "planRejectedTooOften", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnPlans"] },
      ...budgetRules,
      { when: "always", next: "same", run: ["countStep", "countTicketStep", "askPlan"] },
    ],
    PLAN_SUBMITTED: [
      otherTicketRule,
      { when: "planOutOfScope", next: "same", run: ["rejectPlan"] },
      { when: "planIsHeld", next: "same", run: ["holdPlan"] },
      { when: "planNeedsApproval", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnRisk"] },
      { when: "always", next: "EXECUTE", run: ["approvePlan"] },
    ],
    PLAN_DECIDED: [
      otherTicketRule,
      { when: "noPlanWaits", next: "same", run: ["note"] },
      { when: "planIsRejected", next: "same", run: ["rejectWaitingPlan"] },
      { when: "planOutOfScope", next: "same", run: ["refuseDecision"] },
      { when: "always", next: "EXECUTE", run: ["approveWaitingPlan"] },
    ],
    TICKET_ABANDONED: abandonCell,
  },
  EXECUTE: {
    ...defaultRow,
    ADVANCE_CALLED: [
      pauseRule,
      ...spindleRules,
      ...budgetRules,
      { when: "always", next: "same", run: ["countStep", "countTicketStep", "askExecute"] },
    ],
    TICKET_RESULT: [
      otherTicketRule,
      { when: "resultFailed", next: "NEXT_TICKET", run: ["recordResult", "failTicket"] },
      { when: "scopeEndsTicket", next: "NEXT_TICKET", run: ["recordResult", "refuseResult", "endTicketOnScope"] },
      {
        when: "resultOutOfScopeAgain",
        next: "FAILED_VALIDATION",
        run: ["recordResult", "refuseResult", "blockOnScope"],
      },
      { when: "resultOutOfScope", next: "same", run: ["recordResult", "refuseResult"] },
      { when: "always", next: "QA", run: ["recordResult", "acceptResult"] },
    ],
    TICKET_ABANDONED: abandonCell,
  },
  QA: {
    ...defaultRow,
    ADVANCE_CALLED: [
      pauseRule,
      ...spindleRules,
      ...budgetRules,
      { when: "always", next: "same", run: ["countStep", "countTicketStep", "askQa"] },
    ],
    QA_COMMAND_RESULT: [otherTicketRule, { when: "always", next: "same", run: ["recordCommand"] }],
    QA_PASSED: [
      otherTicketRule,
      { when: "scopeEndsTicket", next: "NEXT_TICKET", run: ["refuseResult", "endTicketOnScope"] },
      { when: "resultOutOfScopeAgain", next: "FAILED_VALIDATION", run: ["refuseResult", "blockOnScope"] },
      scopeRule,
      { when: "serverQaFailed", next: "EXECUTE", run: ["refuteQa"] },
      { when: "serverQaFailedLast", next: "NEXT_TICKET", run: ["refuteQa", "failOnQa"] },
      { when: "qaIncomplete", next: "same", run: ["refuseQa"] },
      { when: "prsOn", next: "PR", run: ["recordChange", "recordQaPassed"] },
      { when: "always", next: "NEXT_TICKET", run: ["recordChange", "recordQaPassed", "completeTicket"] },
    ],
    QA_FAILED: [
      otherTicketRule,
      { when: "attemptsLeft", next: "EXECUTE", run: ["recordQaFailed"] },
      { when: "always", next: "NEXT_TICKET", run: ["recordQaFailed", "failOnQa"] },
    ],
    TICKET_ABANDONED: abandonCell,
  },
  PR: {
    ...defaultRow,
    ADVANCE_CALLED: [
      pauseRule,
      ...budgetRules,
      { when: "always", next: "same", run: ["countStep", "countTicketStep", "askPr"] },
    ],
    PR_CREATED: [
      otherTicketRule,
      { when: "scopeEndsTicket", next: "NEXT_TICKET", run: ["recordPr", "refuseResult", "endTicketOnScope"] },
      { when: "resultOutOfScopeAgain", next: "FAILED_VALIDATION", run: ["recordPr", "refuseResult", "blockOnScope"] },
      scopeRule,
      { when: "always", next: "NEXT_TICKET", run: ["recordChange", "recordPr", "completeTicket"] },
    ],
    TICKET_ABANDONED: abandonCell,
  },
  PARALLEL_EXECUTE: {
    ...defaultRow,
    ADVANCE_CALLED: [
      pauseRule,
      { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
      { when: "noWorkerLeft", next: "NEXT_TICKET", run: ["mergeWorkers"], again: true },
      { when: "always", next: "same", run: ["mergeWorkers", "countStep"] },
    ],
    PLAN_SUBMITTED: workerCell,
    TICKET_RESULT: workerCell,
    QA_COMMAND_RESULT: workerCell,
    QA_PASSED: workerCell,
    QA_FAILED: workerCell,
    PR_CREATED: workerCell,
    PLAN_DECIDED: workerCell,
    TICKET_ABANDONED: workerCell,
  },
  DONE: terminalRow,
  BLOCKED_NEEDS_HUMAN: terminalRow,
  FAILED_BUDGET: terminalRow,
  FAILED_VALIDATION: terminalRow,
  FAILED_SPINDLE: terminalRow,
};
