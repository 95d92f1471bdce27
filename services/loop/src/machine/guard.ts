/** The guards of the table: named, pure questions about the state and the facts about the event. The first that holds decides. */

import { maxRejections } from "../plan/check.ts";
import { needsNoPlan } from "../plan/file-risk.ts";
import { detectLoop } from "../spindle/spindle.ts";
import { computeCoverage } from "../state/coverage.ts";
import { findTicketId } from "../state/event.ts";
import { parallelBatch } from "../state/parallel-batch.ts";
import type { RunState } from "../state/run-state.ts";
import { findSpentUsage } from "../state/usage.ts";
import { payloadIf, type Transition } from "./action/transition.ts";

/** Results of one ticket that left the scope, after which the session fails. */
const maxScopeRefusals = 3;
/** Spindle events of a session that are recovered from. */
const maxRecoveries = 2;
/** Scout retries in a cycle; fewer once nearly everything was explored. */
const retries = { usual: 3, covered: 1, coveredPercent: 90 } as const;
/** Barren cycles in a row that end the session. */
const maxBarren = 2;

interface TransitionGuard {
  /** Completes "when ...", for the documentation. */
  readonly when: string;
  readonly holds: (transition: Transition) => boolean;
}

const guard = (when: string, holds: TransitionGuard["holds"]): TransitionGuard => ({ when, holds });

export const guards = {
  always: guard("always", () => true),
  cancel: guard("it says cancel", (transition) => "cancel" in (payloadIf(transition, "USER_OVERRIDE") ?? {})),
  readyTicket: guard("a ticket is ready", ({ state }) => state.ready.length > 0),
  paused: guard("the session is paused, or a question waits for a person", ({ state }) => state.pause !== null),
  notPaused: guard("the session is not paused", ({ state }) => state.pause === null),
  budgetSpent: guard("the budget of steps, time, money or tokens is spent", ({ state, event }) =>
    budgetSpent(state, event.at),
  ),
  ticketBudgetSpent: guard("the ticket's step budget is spent", ({ state }) => {
    const { ticketStepBudget } = state.settings;
    return ticketStepBudget !== null && (state.current?.steps ?? 0) >= ticketStepBudget;
  }),
  prLimitReached: guard(
    "PRs are on and the PR limit is reached",
    ({ state }) => state.settings.createPrs && state.prsCreated >= state.settings.maxPrs,
  ),
  nothingLeft: guard(
    "no ticket is ready and no scout cycle is left",
    ({ state }) => state.ready.length === 0 && state.scout.cycles >= state.settings.maxCycles,
  ),
  parallelBatchReady: guard(
    "parallel work is on and two ready tickets cannot meet",
    ({ state }) => parallelBatch(state).length >= 2,
  ),
  planNotRequired: guard(
    "the best ticket needs no plan (docs)",
    ({ state: { ready, settings } }) => ready[0] !== undefined && needsNoPlan(ready[0], settings),
  ),
  reviewPending: guard("proposals wait for their review", ({ state }) => state.scout.pending !== null),
  nothingPending: guard("no proposals wait for a review", ({ state }) => state.scout.pending === null),
  verdictUnmatched: guard(
    "a verdict names a proposal that is not there",
    ({ facts }) => (facts.unmatchedTitles?.length ?? 0) > 0,
  ),
  scoutPromptOpen: guard("a scout prompt waits for its output", ({ state }) => state.scout.promptOpen),
  needsReview: guard(
    "the session asks for a review pass and a proposal has no review note",
    (transition) =>
      transition.state.settings.review && (payloadIf(transition, "SCOUT_OUTPUT")?.proposals ?? []).some(unreviewed),
  ),
  proposalAccepted: guard(
    "at least one proposal is accepted",
    ({ facts }) => (facts.proposals?.accepted.length ?? 0) > 0,
  ),
  scoutRetryLeft: guard(
    "a scout retry is left in this cycle",
    ({ state }) => state.scout.retries < scoutRetries(state),
  ),
  cycleLeft: guard(
    "cycles are left and fewer than two in a row were barren",
    ({ state }) => state.scout.cycles < state.settings.maxCycles && state.scout.barren + 1 < maxBarren,
  ),
  otherTicket: guard("it names another ticket than the current one", (transition) => {
    const ticketId = findTicketId(transition.event);
    return ticketId !== undefined && ticketId !== transition.state.current?.ticket.id;
  }),
  planOutOfScope: guard("the plan breaks the scope policy", ({ facts }) => (facts.plan?.violations.length ?? 0) > 0),
  planNeedsApproval: guard("the plan's risk is high", ({ facts }) => facts.plan?.needsApproval === true),
  planIsHeld: guard(
    "the plan's risk is high, and the session holds such plans for a person",
    ({ state, facts }) => facts.plan?.needsApproval === true && state.settings.planApproval === "hold",
  ),
  planWaits: guard("a plan waits for a person", ({ state }) => (state.current?.heldPlan ?? null) !== null),
  noPlanWaits: guard("no plan waits for a person", ({ state }) => (state.current?.heldPlan ?? null) === null),
  planIsRejected: guard(
    "the person rejects it",
    (transition) => payloadIf(transition, "PLAN_DECIDED")?.decision === "reject",
  ),
  plansEndTicket: guard(
    `${maxRejections} plans were rejected, in a session in which a breach of scope ends the ticket`,
    ({ state }) => state.settings.scopeBreach === "ticket" && (state.current?.planRejections ?? 0) >= maxRejections,
  ),
  planRejectedTooOften: guard(
    `${maxRejections} plans were rejected`,
    ({ state }) => (state.current?.planRejections ?? 0) >= maxRejections,
  ),
  resultFailed: guard(
    "its status is failed",
    (transition) => payloadIf(transition, "TICKET_RESULT")?.status === "failed",
  ),
  scopeEndsTicket: guard(
    `what was changed leaves the scope for the ${maxScopeRefusals}rd time, in a session in which a breach of scope ends the ticket`,
    ({ state, facts }) =>
      state.settings.scopeBreach === "ticket" &&
      (facts.result?.violations.length ?? 0) > 0 &&
      (state.current?.scopeRefusals ?? 0) + 1 >= maxScopeRefusals,
  ),
  resultOutOfScopeAgain: guard(
    `what was changed leaves the scope for the ${maxScopeRefusals}rd time`,
    ({ state, facts }) =>
      (facts.result?.violations.length ?? 0) > 0 && (state.current?.scopeRefusals ?? 0) + 1 >= maxScopeRefusals,
  ),
  resultOutOfScope: guard(
    "what was changed leaves the scope",
    ({ facts }) => (facts.result?.violations.length ?? 0) > 0,
  ),
  serverQaFailed: guard(
    "a command failed that the server ran, in a session in which it verifies, and an attempt is left",
    ({ facts }) => facts.failure !== undefined && facts.failure.attempt < facts.failure.attempts,
  ),
  serverQaFailedLast: guard("such a command failed and no attempt is left", ({ facts }) => facts.failure !== undefined),
  qaIncomplete: guard(
    "a verification command was not reported as passed, or a criterion is unmet",
    ({ facts }) => (facts.unmet?.length ?? 0) > 0,
  ),
  prsOn: guard("PRs are on", ({ state }) => state.settings.createPrs),
  attemptsLeft: guard(
    "an attempt is left for this class of failure",
    ({ facts }) => facts.failure !== undefined && facts.failure.attempt < facts.failure.attempts,
  ),
  spindleEndsSession: guard(
    `the ticket goes in circles, ${maxRecoveries} were recovered from, and the signal aborts`,
    ({ state }) => state.spindleRecoveries >= maxRecoveries && verdict(state)?.effect === "abort",
  ),
  spindleNeedsPerson: guard(
    `the ticket goes in circles, ${maxRecoveries} were recovered from, and the signal blocks`,
    ({ state }) => state.spindleRecoveries >= maxRecoveries && verdict(state)?.effect === "block",
  ),
  spindleTriggered: guard("the ticket goes in circles", ({ state }) => verdict(state) !== null),
  unknownWorker: guard("it names no ticket that is being worked on", ({ facts }) => facts.workers?.addressed !== true),
  noWorkerLeft: guard(
    "no worker is left",
    ({ facts }) => facts.workers !== undefined && facts.workers.state.workers.length === 0,
  ),
} as const satisfies Readonly<Record<string, TransitionGuard>>;

export type GuardName = keyof typeof guards;

/** Retries that a scout cycle has. */
export const scoutRetries = ({ sectors }: RunState): number =>
  computeCoverage(sectors).percent >= retries.coveredPercent ? retries.covered : retries.usual;

const budgetSpent = ({ stepCount, settings, usage }: RunState, at: number): boolean =>
  stepCount >= settings.stepBudget ||
  (settings.expiresAt !== null && at >= settings.expiresAt) ||
  findSpentUsage(usage, settings) !== undefined;

const verdict = ({ current, settings }: RunState) =>
  current === null ? null : detectLoop(current.spindle, settings.spindle);

const unreviewed = (proposal: unknown): boolean =>
  !(
    typeof proposal === "object" &&
    proposal !== null &&
    "review_note" in proposal &&
    typeof proposal.review_note === "string" &&
    proposal.review_note !== ""
  );
