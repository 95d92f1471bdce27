/** The guards of the table: named, pure questions about the state and what was found out about the event. The first that holds decides. */

import { maxRejections } from "../plan/check.ts";
import { inspect } from "../spindle/spindle.ts";
import { coverageOf } from "../state/coverage.ts";
import { namedTicket } from "../state/event.ts";
import { parallelBatch } from "../state/parallel-batch.ts";
import type { RunState } from "../state/run-state.ts";
import { payloadOf, type Turn } from "./action/transition.ts";

/** Results of one ticket that left the scope, after which the session fails. */
export const maxScopeRefusals = 3;
/** Spindle events of a session that are recovered from. */
export const maxRecoveries = 2;
/** Scout retries in a cycle; fewer once nearly everything was looked at. */
const retries = { usual: 3, covered: 1, coveredPercent: 90 } as const;
/** Barren cycles in a row that end the session. */
const maxBarren = 2;

interface GuardRow {
  /** Completes "when ...", for the documentation. */
  readonly when: string;
  readonly holds: (turn: Turn) => boolean;
}

const row = (when: string, holds: GuardRow["holds"]): GuardRow => ({ when, holds });

export const guards = {
  always: row("always", () => true),
  cancel: row("it says cancel", (turn) => "cancel" in (payloadOf(turn, "USER_OVERRIDE") ?? {})),
  readyTicket: row("a ticket is ready", ({ state }) => state.ready.length > 0),
  budgetSpent: row("the step budget or the time is spent", ({ state, event }) => budgetSpent(state, event.at)),
  ticketBudgetSpent: row("the ticket's step budget is spent", ({ state }) => {
    const { ticketStepBudget } = state.settings;
    return ticketStepBudget !== null && (state.current?.steps ?? 0) >= ticketStepBudget;
  }),
  prLimitReached: row(
    "PRs are on and the PR limit is reached",
    ({ state }) => state.settings.createPrs && state.prsCreated >= state.settings.maxPrs,
  ),
  nothingLeft: row(
    "no ticket is ready and no scout cycle is left",
    ({ state }) => state.ready.length === 0 && state.scout.cycles >= state.settings.maxCycles,
  ),
  severalIndependent: row(
    "parallel work is on and two ready tickets cannot meet",
    ({ state }) => parallelBatch(state).length >= 2,
  ),
  planNotRequired: row("the best ticket needs no plan (docs)", ({ state }) => state.ready[0]?.category === "docs"),
  reviewPending: row("proposals wait for their review", ({ state }) => state.scout.pending !== null),
  nothingPending: row("no proposals wait for a review", ({ state }) => state.scout.pending === null),
  scoutAsked: row("a scout prompt waits for its output", ({ state }) => state.scout.asked),
  needsReview: row(
    "the session asks for a review pass and a proposal has no review note",
    (turn) => turn.state.settings.review && (payloadOf(turn, "SCOUT_OUTPUT")?.proposals ?? []).some(unreviewed),
  ),
  yieldsTickets: row("at least one proposal is accepted", ({ facts }) => (facts.sifted?.accepted.length ?? 0) > 0),
  scoutRetryLeft: row("a scout retry is left in this cycle", ({ state }) => state.scout.retries < scoutRetries(state)),
  anotherCycle: row(
    "cycles are left and fewer than two in a row were barren",
    ({ state }) => state.scout.cycles < state.settings.maxCycles && state.scout.barren + 1 < maxBarren,
  ),
  otherTicket: row("it names another ticket than the current one", (turn) => {
    const named = namedTicket(turn.event);
    return named !== undefined && named !== turn.state.current?.ticket.id;
  }),
  planViolates: row("the plan breaks the scope policy", ({ facts }) => (facts.plan?.violations.length ?? 0) > 0),
  planNeedsApproval: row("the plan's risk is high", ({ facts }) => facts.plan?.needsApproval === true),
  planRejectedTooOften: row(
    `${maxRejections} plans were rejected`,
    ({ state }) => (state.current?.planRejections ?? 0) >= maxRejections,
  ),
  resultFailed: row("its status is failed", (turn) => payloadOf(turn, "TICKET_RESULT")?.status === "failed"),
  resultViolatesAgain: row(
    `what was changed leaves the scope for the ${maxScopeRefusals}rd time`,
    ({ state, facts }) =>
      (facts.result?.violations.length ?? 0) > 0 && (state.current?.scopeRefusals ?? 0) + 1 >= maxScopeRefusals,
  ),
  resultViolates: row("what was changed leaves the scope", ({ facts }) => (facts.result?.violations.length ?? 0) > 0),
  qaOwed: row(
    "a verification command was not reported as passed, or a criterion is unmet",
    ({ facts }) => (facts.owed?.length ?? 0) > 0,
  ),
  prsOn: row("PRs are on", ({ state }) => state.settings.createPrs),
  attemptsLeft: row(
    "an attempt is left for this class of failure",
    ({ facts }) => facts.failure !== undefined && facts.failure.attempt < facts.failure.attempts,
  ),
  spindleEndsSession: row(
    `the ticket goes in circles, ${maxRecoveries} were recovered from, and the signal aborts`,
    ({ state }) => state.spindleRecoveries >= maxRecoveries && verdict(state)?.effect === "abort",
  ),
  spindleNeedsPerson: row(
    `the ticket goes in circles, ${maxRecoveries} were recovered from, and the signal blocks`,
    ({ state }) => state.spindleRecoveries >= maxRecoveries && verdict(state)?.effect === "block",
  ),
  spindleTurns: row("the ticket goes in circles", ({ state }) => verdict(state) !== null),
  workerUnknown: row("it names no ticket that is being worked on", ({ facts }) => facts.workers?.heard !== true),
  workersEnd: row(
    "no worker is left",
    ({ facts }) => facts.workers !== undefined && facts.workers.state.workers.length === 0,
  ),
} as const satisfies Readonly<Record<string, GuardRow>>;

export type GuardName = keyof typeof guards;

/** Retries that a scout cycle has. */
export const scoutRetries = ({ sectors }: RunState): number =>
  coverageOf(sectors).percent >= retries.coveredPercent ? retries.covered : retries.usual;

export const budgetSpent = ({ stepCount, settings }: RunState, at: number): boolean =>
  stepCount >= settings.stepBudget || (settings.expiresAt !== null && at >= settings.expiresAt);

const verdict = ({ current, settings }: RunState) =>
  current === null ? null : inspect(current.spindle, settings.spindle);

const unreviewed = (proposal: unknown): boolean =>
  !(
    typeof proposal === "object" &&
    proposal !== null &&
    "review_note" in proposal &&
    typeof proposal.review_note === "string" &&
    proposal.review_note !== ""
  );
