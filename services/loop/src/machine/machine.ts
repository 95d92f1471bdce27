/**
 * The step function: a state and an event give the next state and the effects that the caller must carry out. Pure and total. What may
 * happen in a phase is in the table; this file only reads it.
 *
 * Parallel tickets: each worker is a small session of its own, seen through `viewAsSession`, and takes the same table.
 */

import type { MachineEffect } from "../state/effect.ts";
import { findTicketId, type LoopEvent } from "../state/event.ts";
import { isTicketPhase, type SessionPhase } from "../state/phase.ts";
import type { RunState, TicketWork, TicketWorker } from "../state/run-state.ts";
import { addUsage } from "../state/usage.ts";
import type { TicketId } from "../value/id.ts";
import { actions } from "./action/actions.ts";
import type { Transition, WorkersResult } from "./action/transition.ts";
import { collectFacts } from "./facts.ts";
import { guards } from "./guard.ts";
import { type TransitionRule, table } from "./table.ts";

/** What one event did. */
export interface SessionStepResult {
  readonly state: RunState;
  readonly effects: readonly MachineEffect[];
  /** False when the event was understood and refused. */
  readonly processed: boolean;
  readonly message: string;
}

/** Steps without an event after which a parallel worker has failed. */
const maxSilentSteps = 50;

/** Phases are entered at most this often by one event; the longest chain there is has five. */
const maxHops = 12;

export const step = (state: RunState, event: LoopEvent): SessionStepResult => {
  const { rules: _, ...outcome } = applyEvent(addUsage(state, event.usage), event, true);
  return outcome;
};

/** The rules an event takes, in order; for explaining and for tests. */
export const traceRules = (state: RunState, event: LoopEvent): readonly TransitionRule[] =>
  applyEvent(state, event, true).rules;

const applyEvent = (
  state: RunState,
  event: LoopEvent,
  isSession: boolean,
): SessionStepResult & { readonly rules: readonly TransitionRule[] } => {
  const rules: TransitionRule[] = [];
  let transition: Transition = { event, state, facts: {}, effects: [], processed: true, message: "" };
  for (let hop = 0; hop < maxHops; hop += 1) {
    transition = { ...transition, facts: factsInPhase(transition.state, event) };
    const rule = selectRule(transition);
    rules.push(rule);
    transition = enterPhase(
      rule.run.reduce((before, name) => actions[name](before), transition),
      rule,
      isSession,
    );
    if (rule.again !== true || (!isSession && !isTicketPhase(transition.state.phase))) break;
  }
  const { effects, processed, message } = transition;
  return { state: transition.state, effects, processed, message, rules };
};

/** The first rule of the cell whose guard holds. */
const selectRule = (transition: Transition): TransitionRule => {
  const cell = table[transition.state.phase][transition.event.type];
  return cell.find(({ when }) => guards[when].holds(transition)) ?? cell[cell.length - 1] ?? cell[0];
};

const enterPhase = (transition: Transition, { next }: TransitionRule, isSession: boolean): Transition => {
  const from = transition.state.phase;
  if (next === "same" || next === from) return transition;
  const state = { ...transition.state, phase: next, phaseEntryStep: transition.state.stepCount };
  return isSession
    ? { ...transition, state, effects: [...transition.effects, phaseChanged(from, next, state.stopReason)] }
    : { ...transition, state };
};

const phaseChanged = (from: SessionPhase, to: SessionPhase, reason: string | null): MachineEffect => ({
  kind: "log",
  type: "PHASE_CHANGED",
  payload: { from, to, ...(reason !== null && { reason }) },
});

const factsInPhase = (state: RunState, event: LoopEvent): Transition["facts"] =>
  state.phase === "PARALLEL_EXECUTE" ? { workers: applyToWorkers(state, event) } : collectFacts(state, event);

/** Applies an event to the workers: advance is for all of them, the rest for the one it names. */
const applyToWorkers = (state: RunState, event: LoopEvent): WorkersResult => {
  const ticketId = findTicketId(event);
  const targets =
    event.type === "ADVANCE_CALLED" ? state.workers : state.workers.filter(({ ticket }) => ticket.id === ticketId);
  let outcome: WorkersResult = { state, effects: [], processed: true, message: "", addressed: targets.length > 0 };
  for (const worker of targets) {
    const result = applyToWorker(outcome.state, worker, event);
    outcome = { ...result, effects: [...outcome.effects, ...result.effects], addressed: true };
  }
  return outcome;
};

const applyToWorker = (state: RunState, worker: TicketWorker, event: LoopEvent): SessionStepResult => {
  const silent =
    event.type === "ADVANCE_CALLED" &&
    worker.heldPlan === null &&
    state.stepCount - worker.lastEventStep >= maxSilentSteps;
  const result = silent
    ? applyEvent(viewAsSession(state, worker), createTimeoutEvent(worker, event), false)
    : applyEvent(viewAsSession(state, worker), event, false);
  return {
    ...result,
    state: mergeWorker(state, result.state, worker, event),
    effects: result.effects.map((effect) => prefixArtifact(effect, worker.ticket.id)),
  };
};

/** Several tickets report in one step: the ticket id in the name keeps their artifacts apart. */
const prefixArtifact = (effect: MachineEffect, id: TicketId): MachineEffect =>
  effect.kind === "artifact" ? { ...effect, name: `${id}-${effect.name}` } : effect;

const createTimeoutEvent = ({ ticket }: TicketWorker, { id, at }: LoopEvent): LoopEvent => ({
  id,
  at,
  type: "TICKET_ABANDONED",
  payload: { ticket_id: ticket.id, reason: `nothing was heard of it for ${maxSilentSteps} steps` },
});

/** The session as one worker sees it: its ticket is the current one, without limits on steps, time and cost. */
const viewAsSession = (state: RunState, { phase, lastEventStep: _, ...work }: TicketWorker): RunState => ({
  ...state,
  phase,
  current: work,
  workers: [],
  settings: {
    ...state.settings,
    stepBudget: Number.MAX_SAFE_INTEGER,
    expiresAt: null,
    maxCostUsd: null,
    maxTokens: null,
  },
});

/** The session with a worker's changes: counts and memory are kept, an open ticket is put back among the workers. */
const mergeWorker = (before: RunState, after: RunState, worker: TicketWorker, event: LoopEvent): RunState => {
  const { phase, current } = after;
  const lastEventStep = event.type === "ADVANCE_CALLED" ? worker.lastEventStep : before.stepCount;
  const next = current !== null && isTicketPhase(phase) ? { ...current, phase, lastEventStep } : null;
  return {
    ...after,
    settings: before.settings,
    phase: before.phase,
    phaseEntryStep: before.phaseEntryStep,
    stepCount: before.stepCount,
    stopReason: before.stopReason,
    current: before.current,
    workers: replaceWorker(before.workers, worker.ticket.id, next),
  };
};

const replaceWorker = (
  workers: readonly TicketWorker[],
  id: TicketWork["ticket"]["id"],
  next: TicketWorker | null,
): readonly TicketWorker[] =>
  workers.flatMap((worker) => (worker.ticket.id !== id ? [worker] : next === null ? [] : [next]));
