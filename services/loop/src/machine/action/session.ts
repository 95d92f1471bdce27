/** Actions on the session as a whole: counting steps, warning of budgets, hints, stopping, and what changes nothing. */

import { budgetWarnings } from "../../state/budget.ts";
import { describePause } from "../../state/pause.ts";
import { isTerminal } from "../../state/phase.ts";
import { findSpentUsage } from "../../state/usage.ts";
import { toProposal } from "../../ticket/ticket.ts";
import { limits } from "../../value/limits.ts";
import { abortBlocked, abortOpen } from "./ticket.ts";
import { payloadIf, type Transition, withEffects, withMessage, withState, withWork } from "./transition.ts";

/** Counts one more prompt. */
export const countStep = (transition: Transition): Transition => {
  const counted = withState(transition, { stepCount: transition.state.stepCount + 1 });
  const warnings = budgetWarnings(counted.state, transition.event.at);
  return warnings.length === 0
    ? counted
    : withEffects(counted, { kind: "log", type: "BUDGET_WARNING", payload: { warnings } });
};

export const countTicketStep = (transition: Transition): Transition =>
  withWork(transition, { steps: (transition.state.current?.steps ?? 0) + 1 });

export const queueHint = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "USER_OVERRIDE");
  if (payload === undefined || !("hint" in payload)) return transition;
  const hints = [...transition.state.hints, payload.hint].slice(-limits.hints);
  const { phase, scout, settings } = transition.state;
  const last = phase !== "SCOUT" && scout.cycles >= settings.maxCycles;
  return withMessage(
    withState(transition, { hints }),
    last
      ? "the hint is kept, but no scout cycle is left that could show it (max_cycles)"
      : `the hint will be in the next scout prompt (${hints.length} waiting)`,
  );
};

/** Prompts are handed out again once a person resumes it, or answers. */
export const pause = (transition: Transition): Transition => {
  const why = payloadIf(transition, "SESSION_PAUSED");
  return why === undefined
    ? transition
    : withMessage(withState(transition, { pause: { by: why.by, text: why.text } }), describePause(why));
};

export const resume = (transition: Transition): Transition => {
  const answer = payloadIf(transition, "SESSION_RESUMED")?.answer ?? "";
  const { pause: waiting, answers } = transition.state;
  const given =
    answer === "" ? answers : [...answers, { question: waiting?.by === "agent" ? waiting.text : "", answer }];
  return withMessage(
    withState(transition, { pause: null, answers: given.slice(-limits.answers) }),
    answer === "" ? "the session goes on" : "the session goes on; its prompts have the answer",
  );
};

/** No prompt, and no step of a budget. */
export const waitOutPause = (transition: Transition): Transition =>
  transition.state.pause === null ? transition : withMessage(transition, describePause(transition.state.pause));

const stop = (transition: Transition, stopReason: string): Transition =>
  withMessage(withState(transition, { stopReason }), stopReason);

export const cancel = (transition: Transition): Transition =>
  stop(abortOpen(transition, "the session was cancelled"), "the session was cancelled");

export const stopOnBudget = (transition: Transition): Transition => {
  const { stepCount, settings, usage } = transition.state;
  const spent = findSpentUsage(usage, settings);
  if (spent !== undefined) return stop(transition, spent);
  return stop(
    transition,
    stepCount >= settings.stepBudget
      ? `all ${settings.stepBudget} steps are used (step_budget)`
      : "the session's time is over (hours)",
  );
};

export const stopOnPrLimit = (transition: Transition): Transition =>
  stop(transition, `${transition.state.prsCreated} PRs were created, the session's limit (max_prs)`);

export const stopWhenFinished = (transition: Transition): Transition =>
  stop(
    transition,
    `no ticket is left and all ${transition.state.settings.maxCycles} scout cycles were used (max_cycles)`,
  );

export const stopWithoutWork = (transition: Transition): Transition =>
  stop(transition, `nothing to do was found; ${transition.message || "no ticket is ready"}`);

export const endSession = (transition: Transition): Transition => {
  const reason = transition.state.stopReason ?? "the session was ended by its caller";
  const why = "the session was ended";
  return withMessage(
    withState(abortBlocked(abortOpen(keepBacklog(transition), why), why), { ended: true, stopReason: reason }),
    "the session is ended",
  );
};

/** What a person has cancelled is not open any more, and comes back no more. */
const keepBacklog = (transition: Transition): Transition => {
  const { settings, ready, current, workers } = transition.state;
  const open = [...(current === null ? [] : [current.ticket]), ...workers.map(({ ticket }) => ticket), ...ready];
  return settings.backlog === "drop" || open.length === 0
    ? transition
    : withEffects(transition, { kind: "backlog", proposals: open.map(toProposal) });
};

const expected = {
  SCOUT: "SCOUT_OUTPUT",
  NEXT_TICKET: "promptwheel_advance",
  PLAN: "PLAN_SUBMITTED",
  EXECUTE: "TICKET_RESULT",
  QA: "QA_COMMAND_RESULT, QA_PASSED or QA_FAILED",
  PR: "PR_CREATED",
  PARALLEL_EXECUTE: "events with a ticket_id",
} as const;

/** The event is recorded and has no effect in this phase. */
export const note = (transition: Transition): Transition => {
  const { phase } = transition.state;
  const hint = isTerminal(phase) ? "" : `, which expects ${expected[phase]}`;
  return withMessage(
    withEffects(transition, { kind: "log", type: "EVENT_IGNORED", payload: { type: transition.event.type, phase } }),
    `${transition.event.type} is noted and changes nothing: the session is in ${phase}${hint}`,
  );
};

export const absorb = (transition: Transition): Transition =>
  withMessage(
    transition,
    `the session has stopped in ${transition.state.phase}: ${transition.state.stopReason ?? "no reason noted"}`,
  );

export const refuseOtherTicket = (transition: Transition): Transition =>
  withMessage(
    { ...transition, processed: false },
    `the event names another ticket; the current one is ${transition.state.current?.ticket.id ?? "none"}`,
  );

export const refuseUnknownWorker = (transition: Transition): Transition =>
  withMessage(
    { ...transition, processed: false },
    `the event must name one of the tickets being worked on: ${transition.state.workers.map(({ ticket }) => ticket.id).join(", ")}`,
  );

/** Takes over the state, the effects and the message of the parallel workers. */
export const mergeWorkers = (transition: Transition): Transition => {
  const outcome = transition.facts.workers;
  if (outcome === undefined) return transition;
  return {
    ...transition,
    state: outcome.state,
    effects: [...transition.effects, ...outcome.effects],
    processed: outcome.processed,
    message: outcome.message,
  };
};
