/** One event on its way through the table: the state so far, the facts about the event, and the effects to carry out. */
import type { PlanCheck } from "../../plan/check.ts";
import type { FilterResult } from "../../proposal/filter.ts";
import type { FailureClass } from "../../qa/failure-class.ts";
import type { ScopeViolation } from "../../scope/check.ts";
import type { MachineEffect } from "../../state/effect.ts";
import type { EventPayload, EventType, LoopEvent } from "../../state/event.ts";
import type { RunState, TicketWork } from "../../state/run-state.ts";

/** A result as the server checks it: reported and measured files together. */
export interface ResultCheck {
  readonly files: readonly string[];
  readonly lines: number;
  readonly violations: readonly ScopeViolation[];
  /** Fingerprint of what changed; null when nothing did. */
  readonly diffHash: string | null;
}

export interface QaFailure {
  readonly error: string;
  readonly failureClass: FailureClass;
  /** Which attempt this was, from 1. */
  readonly attempt: number;
  readonly attempts: number;
}

/** The session after its parallel workers have handled the event. */
export interface WorkersResult {
  readonly state: RunState;
  readonly effects: readonly MachineEffect[];
  readonly processed: boolean;
  readonly message: string;
  /** True when the event was for one of the workers, or for all. */
  readonly addressed: boolean;
}

/** Facts about the event in this phase; only those that the phase needs are set. */
export interface EventFacts {
  readonly proposals?: FilterResult;
  /** Titles of a review that no proposal has. */
  readonly unmatchedTitles?: readonly string[];
  readonly plan?: PlanCheck;
  readonly result?: ResultCheck;
  /** Why QA cannot have passed; empty when it can. */
  readonly unmet?: readonly string[];
  readonly failure?: QaFailure;
  readonly workers?: WorkersResult;
}

export interface Transition {
  readonly event: LoopEvent;
  readonly state: RunState;
  readonly facts: EventFacts;
  readonly effects: readonly MachineEffect[];
  /** False when the event was understood but refused. */
  readonly processed: boolean;
  /** What happened, as text for people. */
  readonly message: string;
}

/** The payload when the transition's event is of that type. */
export const payloadIf = <T extends EventType>({ event }: Transition, type: T): EventPayload<T> | undefined =>
  hasType(event, type) ? event.payload : undefined;

const hasType = <T extends EventType>(
  event: LoopEvent,
  type: T,
): event is Extract<LoopEvent, { type: T }> & { payload: EventPayload<T> } => event.type === type;

export const withState = (transition: Transition, change: Partial<RunState>): Transition => ({
  ...transition,
  state: { ...transition.state, ...change },
});

export const withWork = (transition: Transition, change: Partial<TicketWork>): Transition =>
  transition.state.current === null
    ? transition
    : withState(transition, { current: { ...transition.state.current, ...change } });

export const withEffects = (transition: Transition, ...effects: readonly MachineEffect[]): Transition => ({
  ...transition,
  effects: [...transition.effects, ...effects],
});

export const withMessage = (transition: Transition, message: string): Transition => ({ ...transition, message });
