/**
 * The machine, as data: for every phase and every event, what may happen. The first rule whose guard holds decides the next
 * phase and the actions; `again` puts the same event to the next phase as well. The documentation is made from this table.
 */

import type { EventType } from "../state/event.ts";
import type { Phase } from "../state/phase.ts";
import type { ActionName } from "./action/actions.ts";
import type { GuardName } from "./guard.ts";

export interface Rule {
  readonly when: GuardName;
  /** `same`: the phase does not change. */
  readonly next: Phase | "same";
  readonly run: readonly ActionName[];
  /** The event is put to the next phase too. */
  readonly again?: true;
}

/** Rules in the order they are tried; the last one always holds. */
export type Cell = readonly [...Rule[], Rule & { readonly when: "always" }];

export type Row = Readonly<Record<EventType, Cell>>;

const noted: Cell = [{ when: "always", next: "same", run: ["note"] }];
const absorbed: Cell = [{ when: "always", next: "same", run: ["absorb"] }];

const override: Cell = [
  { when: "cancel", next: "DONE", run: ["cancel"] },
  { when: "always", next: "same", run: ["queueHint"] },
];

const ended: Cell = [{ when: "always", next: "DONE", run: ["endSession"] }];

/** Every event is noted and changes nothing, but for those every phase of work understands. */
const quiet = {
  ADVANCE_CALLED: noted,
  SCOUT_OUTPUT: noted,
  PROPOSALS_REVIEWED: noted,
  PROPOSALS_FILTERED: noted,
  PLAN_SUBMITTED: noted,
  TICKET_RESULT: noted,
  QA_COMMAND_RESULT: noted,
  QA_PASSED: noted,
  QA_FAILED: noted,
  PR_CREATED: noted,
  TICKET_TAKEN: noted,
  TICKET_ABANDONED: noted,
  USER_OVERRIDE: override,
  SESSION_END: ended,
} as const satisfies Row;

const sifted: Cell = [
  { when: "yieldsTickets", next: "NEXT_TICKET", run: ["recordScout", "createTickets"] },
  { when: "scoutRetryLeft", next: "same", run: ["recordScout", "retryScout"] },
  { when: "anotherCycle", next: "same", run: ["recordScout", "endBarrenCycle"] },
  { when: "always", next: "DONE", run: ["recordScout", "endBarrenCycle", "stopWithoutWork"] },
];

const otherTicketRefused: Rule = { when: "otherTicket", next: "same", run: ["refuseOtherTicket"] };

const abandoned: Cell = [otherTicketRefused, { when: "always", next: "NEXT_TICKET", run: ["abandonTicket"] }];

const spindleRules: readonly Rule[] = [
  { when: "spindleEndsSession", next: "FAILED_SPINDLE", run: ["blockOnSpindle"] },
  { when: "spindleNeedsPerson", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnSpindle"] },
  { when: "spindleTurns", next: "NEXT_TICKET", run: ["blockOnSpindle", "recoverFromSpindle"], again: true },
];

const budgetRules: readonly Rule[] = [
  { when: "ticketBudgetSpent", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnTicketBudget"] },
  { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
];

const scopeRefused: Rule = { when: "resultViolates", next: "same", run: ["refuseResult"] };

const workerEvent: Cell = [
  { when: "workerUnknown", next: "same", run: ["refuseUnknownWorker"] },
  { when: "workersEnd", next: "NEXT_TICKET", run: ["takeWorkers"] },
  { when: "always", next: "same", run: ["takeWorkers"] },
];

const terminal: Row = {
  ADVANCE_CALLED: absorbed,
  SCOUT_OUTPUT: absorbed,
  PROPOSALS_REVIEWED: absorbed,
  PROPOSALS_FILTERED: absorbed,
  PLAN_SUBMITTED: absorbed,
  TICKET_RESULT: absorbed,
  QA_COMMAND_RESULT: absorbed,
  QA_PASSED: absorbed,
  QA_FAILED: absorbed,
  PR_CREATED: absorbed,
  USER_OVERRIDE: absorbed,
  TICKET_TAKEN: absorbed,
  TICKET_ABANDONED: absorbed,
  SESSION_END: [{ when: "always", next: "same", run: ["endSession"] }],
};

export const table: Readonly<Record<Phase, Row>> = {
  SCOUT: {
    ...quiet,
    ADVANCE_CALLED: [
      { when: "readyTicket", next: "NEXT_TICKET", run: [], again: true },
      { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
      { when: "reviewPending", next: "same", run: ["countStep", "askReview"] },
      { when: "scoutAsked", next: "same", run: ["countStep", "askScout"] },
      { when: "always", next: "same", run: ["countStep", "openScout", "askScout"] },
    ],
    SCOUT_OUTPUT: [{ when: "needsReview", next: "same", run: ["holdForReview"] }, ...sifted],
    PROPOSALS_REVIEWED: [{ when: "nothingPending", next: "same", run: ["note"] }, ...sifted],
    PROPOSALS_FILTERED: [
      { when: "readyTicket", next: "NEXT_TICKET", run: ["note"] },
      { when: "always", next: "DONE", run: ["stopWithoutWork"] },
    ],
    TICKET_TAKEN: [
      { when: "readyTicket", next: "NEXT_TICKET", run: [], again: true },
      { when: "always", next: "same", run: ["note"] },
    ],
  },
  NEXT_TICKET: {
    ...quiet,
    ADVANCE_CALLED: [
      { when: "prLimitReached", next: "DONE", run: ["stopOnPrLimit"] },
      { when: "nothingLeft", next: "DONE", run: ["stopWhenFinished"] },
      { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
      { when: "severalIndependent", next: "PARALLEL_EXECUTE", run: ["takeBatch"], again: true },
      { when: "planNotRequired", next: "EXECUTE", run: ["takeTicket"], again: true },
      { when: "readyTicket", next: "PLAN", run: ["takeTicket"], again: true },
      { when: "always", next: "SCOUT", run: ["freshCycle"], again: true },
    ],
    TICKET_TAKEN: [
      { when: "prLimitReached", next: "DONE", run: ["stopOnPrLimit"] },
      { when: "planNotRequired", next: "EXECUTE", run: ["takeTicket"] },
      { when: "readyTicket", next: "PLAN", run: ["takeTicket"] },
      { when: "always", next: "same", run: ["note"] },
    ],
  },
  PLAN: {
    ...quiet,
    ADVANCE_CALLED: [
      { when: "planRejectedTooOften", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnPlans"] },
      ...budgetRules,
      { when: "always", next: "same", run: ["countStep", "countTicketStep", "askPlan"] },
    ],
    PLAN_SUBMITTED: [
      otherTicketRefused,
      { when: "planViolates", next: "same", run: ["rejectPlan"] },
      { when: "planNeedsApproval", next: "BLOCKED_NEEDS_HUMAN", run: ["blockOnRisk"] },
      { when: "always", next: "EXECUTE", run: ["approvePlan"] },
    ],
    TICKET_ABANDONED: abandoned,
  },
  EXECUTE: {
    ...quiet,
    ADVANCE_CALLED: [
      ...spindleRules,
      ...budgetRules,
      { when: "always", next: "same", run: ["countStep", "countTicketStep", "askExecute"] },
    ],
    TICKET_RESULT: [
      otherTicketRefused,
      { when: "resultFailed", next: "NEXT_TICKET", run: ["recordResult", "failTicket"] },
      {
        when: "resultViolatesAgain",
        next: "FAILED_VALIDATION",
        run: ["recordResult", "refuseResult", "blockOnScope"],
      },
      { when: "resultViolates", next: "same", run: ["recordResult", "refuseResult"] },
      { when: "always", next: "QA", run: ["recordResult", "acceptResult"] },
    ],
    TICKET_ABANDONED: abandoned,
  },
  QA: {
    ...quiet,
    ADVANCE_CALLED: [
      ...spindleRules,
      ...budgetRules,
      { when: "always", next: "same", run: ["countStep", "countTicketStep", "askQa"] },
    ],
    QA_COMMAND_RESULT: [otherTicketRefused, { when: "always", next: "same", run: ["recordCommand"] }],
    QA_PASSED: [
      otherTicketRefused,
      { when: "resultViolatesAgain", next: "FAILED_VALIDATION", run: ["refuseResult", "blockOnScope"] },
      scopeRefused,
      { when: "qaOwed", next: "same", run: ["refuseQa"] },
      { when: "prsOn", next: "PR", run: ["recordChange", "recordQaPassed"] },
      { when: "always", next: "NEXT_TICKET", run: ["recordChange", "recordQaPassed", "completeTicket"] },
    ],
    QA_FAILED: [
      otherTicketRefused,
      { when: "attemptsLeft", next: "EXECUTE", run: ["recordQaFailed"] },
      { when: "always", next: "NEXT_TICKET", run: ["recordQaFailed", "blockOnQa"] },
    ],
    TICKET_ABANDONED: abandoned,
  },
  PR: {
    ...quiet,
    ADVANCE_CALLED: [...budgetRules, { when: "always", next: "same", run: ["countStep", "countTicketStep", "askPr"] }],
    PR_CREATED: [
      otherTicketRefused,
      { when: "resultViolatesAgain", next: "FAILED_VALIDATION", run: ["recordPr", "refuseResult", "blockOnScope"] },
      scopeRefused,
      { when: "always", next: "NEXT_TICKET", run: ["recordChange", "recordPr", "completeTicket"] },
    ],
    TICKET_ABANDONED: abandoned,
  },
  PARALLEL_EXECUTE: {
    ...quiet,
    ADVANCE_CALLED: [
      { when: "budgetSpent", next: "FAILED_BUDGET", run: ["stopOnBudget"] },
      { when: "workersEnd", next: "NEXT_TICKET", run: ["takeWorkers"], again: true },
      { when: "always", next: "same", run: ["takeWorkers", "countStep"] },
    ],
    PLAN_SUBMITTED: workerEvent,
    TICKET_RESULT: workerEvent,
    QA_COMMAND_RESULT: workerEvent,
    QA_PASSED: workerEvent,
    QA_FAILED: workerEvent,
    PR_CREATED: workerEvent,
    TICKET_ABANDONED: workerEvent,
  },
  DONE: terminal,
  BLOCKED_NEEDS_HUMAN: terminal,
  FAILED_BUDGET: terminal,
  FAILED_VALIDATION: terminal,
  FAILED_SPINDLE: terminal,
};
