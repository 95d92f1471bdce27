/**
 * The step function: a state and an event give the next state and what is owed to the edge. Pure and total; the table says
 * everything about phases, this file only reads it.
 *
 * Parallel tickets: each worker is a small session of its own, seen through `asSession`, and takes the same table.
 */

import type { Effect } from "../state/effect.ts";
import { type LoopEvent, namedTicket } from "../state/event.ts";
import { isTicketPhase, type Phase } from "../state/phase.ts";
import type { RunState, Work, Worker } from "../state/run-state.ts";
import { withUsage } from "../state/usage.ts";
import type { TicketId } from "../value/id.ts";
import { actions } from "./action/actions.ts";
import type { Turn, WorkersOutcome } from "./action/transition.ts";
import { findFacts } from "./facts.ts";
import { guards } from "./guard.ts";
import { type Rule, table } from "./table.ts";

/** What one event did. */
export interface Outcome {
  readonly state: RunState;
  readonly effects: readonly Effect[];
  /** False when the event was understood and refused. */
  readonly processed: boolean;
  readonly message: string;
}

/** Steps without an event after which a parallel worker has failed. */
const silentSteps = 50;

/** Phases are entered at most this often by one event; the longest chain there is has five. */
const mostHops = 12;

export const step = (state: RunState, event: LoopEvent): Outcome => {
  const { rules: _, ...outcome } = run(withUsage(state, event.usage), event, true);
  return outcome;
};

/** The rules an event takes, in order; for explaining and for tests. */
export const rulesTaken = (state: RunState, event: LoopEvent): readonly Rule[] => run(state, event, true).rules;

const run = (state: RunState, event: LoopEvent, isSession: boolean): Outcome & { readonly rules: readonly Rule[] } => {
  const rules: Rule[] = [];
  let turn: Turn = { event, state, facts: {}, effects: [], processed: true, message: "" };
  for (let hop = 0; hop < mostHops; hop += 1) {
    turn = { ...turn, facts: factsOf(turn.state, event) };
    const rule = ruleFor(turn);
    rules.push(rule);
    turn = enter(
      rule.run.reduce((before, name) => actions[name](before), turn),
      rule,
      isSession,
    );
    if (rule.again !== true || (!isSession && !isTicketPhase(turn.state.phase))) break;
  }
  const { effects, processed, message } = turn;
  return { state: turn.state, effects, processed, message, rules };
};

/** The first rule of the cell whose guard holds. */
const ruleFor = (turn: Turn): Rule => {
  const cell = table[turn.state.phase][turn.event.type];
  return cell.find(({ when }) => guards[when].holds(turn)) ?? cell[cell.length - 1] ?? cell[0];
};

const enter = (turn: Turn, { next }: Rule, isSession: boolean): Turn => {
  const from = turn.state.phase;
  if (next === "same" || next === from) return turn;
  const state = { ...turn.state, phase: next, phaseEntryStep: turn.state.stepCount };
  return isSession
    ? { ...turn, state, effects: [...turn.effects, phaseChanged(from, next, state.stopReason)] }
    : { ...turn, state };
};

const phaseChanged = (from: Phase, to: Phase, reason: string | null): Effect => ({
  kind: "log",
  type: "PHASE_CHANGED",
  payload: { from, to, ...(reason !== null && { reason }) },
});

const factsOf = (state: RunState, event: LoopEvent): Turn["facts"] =>
  state.phase === "PARALLEL_EXECUTE" ? { workers: workersHear(state, event) } : findFacts(state, event);

/** The workers deal with an event: advance is for all of them, the rest for the one it names. */
const workersHear = (state: RunState, event: LoopEvent): WorkersOutcome => {
  const named = namedTicket(event);
  const listeners =
    event.type === "ADVANCE_CALLED" ? state.workers : state.workers.filter(({ ticket }) => ticket.id === named);
  let outcome: WorkersOutcome = { state, effects: [], processed: true, message: "", heard: listeners.length > 0 };
  for (const worker of listeners) {
    const heard = oneHears(outcome.state, worker, event);
    outcome = { ...heard, effects: [...outcome.effects, ...heard.effects], heard: true };
  }
  return outcome;
};

const oneHears = (state: RunState, worker: Worker, event: LoopEvent): Outcome => {
  const silent = event.type === "ADVANCE_CALLED" && state.stepCount - worker.heardAt >= silentSteps;
  const heard = silent
    ? run(asSession(state, worker), silenced(worker, event), false)
    : run(asSession(state, worker), event, false);
  return {
    ...heard,
    state: asWorker(state, heard.state, worker, event),
    effects: heard.effects.map((effect) => ofTicket(effect, worker.ticket.id)),
  };
};

/** Several tickets report in one step: their artifacts are told apart by their ids. */
const ofTicket = (effect: Effect, id: TicketId): Effect =>
  effect.kind === "artifact" ? { ...effect, name: `${id}-${effect.name}` } : effect;

const silenced = ({ ticket }: Worker, { id, at }: LoopEvent): LoopEvent => ({
  id,
  at,
  type: "TICKET_ABANDONED",
  payload: { ticket_id: ticket.id, reason: `nothing was heard of it for ${silentSteps} steps` },
});

/** The session as one worker sees it: its ticket is the current one, steps and time are not its business. */
const asSession = (state: RunState, { phase, heardAt: _, ...work }: Worker): RunState => ({
  ...state,
  phase,
  current: work,
  workers: [],
  settings: { ...state.settings, stepBudget: Number.MAX_SAFE_INTEGER, expiresAt: null },
});

/** Back from a worker's view: what it changed for all stays, its ticket goes back among the workers, or is gone when closed. */
const asWorker = (before: RunState, after: RunState, worker: Worker, event: LoopEvent): RunState => {
  const { phase, current } = after;
  const heardAt = event.type === "ADVANCE_CALLED" ? worker.heardAt : before.stepCount;
  const next = current !== null && isTicketPhase(phase) ? { ...current, phase, heardAt } : null;
  return {
    ...after,
    settings: before.settings,
    phase: before.phase,
    phaseEntryStep: before.phaseEntryStep,
    stepCount: before.stepCount,
    stopReason: before.stopReason,
    current: before.current,
    workers: replaced(before.workers, worker.ticket.id, next),
  };
};

const replaced = (workers: readonly Worker[], id: Work["ticket"]["id"], next: Worker | null): readonly Worker[] =>
  workers.flatMap((worker) => (worker.ticket.id !== id ? [worker] : next === null ? [] : [next]));
