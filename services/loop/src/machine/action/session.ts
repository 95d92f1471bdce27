/** Actions on the session as a whole: counting steps, warning of budgets, hints, stopping, and what changes nothing. */

import { budgetWarnings } from "../../state/budget.ts";
import { isTerminal } from "../../state/phase.ts";
import { limits } from "../../value/limits.ts";
import { abortBlocked, abortOpen } from "./ticket.ts";
import { payloadOf, say, type Turn, withEffects, withState, withWork } from "./transition.ts";

/** One prompt more is handed out. */
export const countStep = (turn: Turn): Turn => {
  const counted = withState(turn, { stepCount: turn.state.stepCount + 1 });
  const warnings = budgetWarnings(counted.state, turn.event.at);
  return warnings.length === 0
    ? counted
    : withEffects(counted, { kind: "log", type: "BUDGET_WARNING", payload: { warnings } });
};

export const countTicketStep = (turn: Turn): Turn => withWork(turn, { steps: (turn.state.current?.steps ?? 0) + 1 });

export const queueHint = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "USER_OVERRIDE");
  if (payload === undefined || !("hint" in payload)) return turn;
  const hints = [...turn.state.hints, payload.hint].slice(-limits.hints);
  const { phase, scout, settings } = turn.state;
  const last = phase !== "SCOUT" && scout.cycles >= settings.maxCycles;
  return say(
    withState(turn, { hints }),
    last
      ? "the hint is kept, but no scout cycle is left that could show it (max_cycles)"
      : `the hint will be in the next scout prompt (${hints.length} waiting)`,
  );
};

const stop = (turn: Turn, stopReason: string): Turn => say(withState(turn, { stopReason }), stopReason);

export const cancel = (turn: Turn): Turn =>
  stop(abortOpen(turn, "the session was cancelled"), "the session was cancelled");

export const stopOnBudget = (turn: Turn): Turn => {
  const { stepCount, settings } = turn.state;
  return stop(
    turn,
    stepCount >= settings.stepBudget
      ? `all ${settings.stepBudget} steps are used (step_budget)`
      : "the session's time is over (hours)",
  );
};

export const stopOnPrLimit = (turn: Turn): Turn =>
  stop(turn, `${turn.state.prsCreated} PRs were created, the session's limit (max_prs)`);

export const stopWhenFinished = (turn: Turn): Turn =>
  stop(turn, `no ticket is left and all ${turn.state.settings.maxCycles} scout cycles were used (max_cycles)`);

export const stopWithoutWork = (turn: Turn): Turn =>
  stop(turn, `nothing to do was found; ${turn.message || "no ticket is ready"}`);

export const endSession = (turn: Turn): Turn => {
  const reason = turn.state.stopReason ?? "the session was ended by its caller";
  const why = "the session was ended";
  return say(
    withState(abortBlocked(abortOpen(turn, why), why), { ended: true, stopReason: reason }),
    "the session is ended",
  );
};

const expected = {
  SCOUT: "SCOUT_OUTPUT",
  NEXT_TICKET: "a call of advance",
  PLAN: "PLAN_SUBMITTED",
  EXECUTE: "TICKET_RESULT",
  QA: "QA_COMMAND_RESULT, QA_PASSED or QA_FAILED",
  PR: "PR_CREATED",
  PARALLEL_EXECUTE: "events with a ticket_id",
} as const;

/** The event is recorded and means nothing in this phase. */
export const note = (turn: Turn): Turn => {
  const { phase } = turn.state;
  const hint = isTerminal(phase) ? "" : `, which expects ${expected[phase]}`;
  return say(
    withEffects(turn, { kind: "log", type: "EVENT_IGNORED", payload: { type: turn.event.type, phase } }),
    `${turn.event.type} is noted and changes nothing: the session is in ${phase}${hint}`,
  );
};

export const absorb = (turn: Turn): Turn =>
  say(turn, `the session has stopped in ${turn.state.phase}: ${turn.state.stopReason ?? "no reason noted"}`);

export const refuseOtherTicket = (turn: Turn): Turn =>
  say(
    { ...turn, processed: false },
    `the event names another ticket; the current one is ${turn.state.current?.ticket.id ?? "none"}`,
  );

export const refuseUnknownWorker = (turn: Turn): Turn =>
  say(
    { ...turn, processed: false },
    `the event must name one of the tickets being worked on: ${turn.state.workers.map(({ ticket }) => ticket.id).join(", ")}`,
  );

/** The state as the parallel workers left it; their effects and message become the turn's. */
export const takeWorkers = (turn: Turn): Turn => {
  const outcome = turn.facts.workers;
  if (outcome === undefined) return turn;
  return {
    ...turn,
    state: outcome.state,
    effects: [...turn.effects, ...outcome.effects],
    processed: outcome.processed,
    message: outcome.message,
  };
};
