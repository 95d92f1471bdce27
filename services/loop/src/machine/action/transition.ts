/** One event on its way through the table: the state so far, what was found out about the event, and what is owed to the edge. */
import type { PlanCheck } from "../../plan/check.ts";
import type { Sifted } from "../../proposal/filter.ts";
import type { FailureClass } from "../../qa/failure-class.ts";
import type { Violation } from "../../scope/check.ts";
import type { Effect } from "../../state/effect.ts";
import type { EventType, LoopEvent, PayloadOf } from "../../state/event.ts";
import type { RunState, Work } from "../../state/run-state.ts";

/** What a result looked like to the server: reported and measured files together. */
export interface ResultCheck {
  readonly files: readonly string[];
  readonly lines: number;
  readonly violations: readonly Violation[];
  /** Fingerprint of what changed; null when nothing did. */
  readonly diffHash: string | null;
}

export interface QaFailure {
  readonly failureClass: FailureClass;
  /** Which attempt this was, from 1. */
  readonly attempt: number;
  readonly attempts: number;
}

/** The session after its parallel workers have dealt with the event. */
export interface WorkersOutcome {
  readonly state: RunState;
  readonly effects: readonly Effect[];
  readonly processed: boolean;
  readonly message: string;
  /** True when the event was for one of the workers, or for all. */
  readonly heard: boolean;
}

/** What was found out about the event in this phase; only what the phase needs is there. */
export interface Facts {
  readonly sifted?: Sifted;
  readonly plan?: PlanCheck;
  readonly result?: ResultCheck;
  /** Why QA cannot have passed; empty when it can. */
  readonly owed?: readonly string[];
  readonly failure?: QaFailure;
  readonly workers?: WorkersOutcome;
}

export interface Turn {
  readonly event: LoopEvent;
  readonly state: RunState;
  readonly facts: Facts;
  readonly effects: readonly Effect[];
  /** False when the event was understood but refused. */
  readonly processed: boolean;
  /** For people: what happened. */
  readonly message: string;
}

/** The payload when the turn's event is of that type. */
export const payloadOf = <T extends EventType>({ event }: Turn, type: T): PayloadOf<T> | undefined =>
  isOf(event, type) ? event.payload : undefined;

const isOf = <T extends EventType>(
  event: LoopEvent,
  type: T,
): event is Extract<LoopEvent, { type: T }> & { payload: PayloadOf<T> } => event.type === type;

export const withState = (turn: Turn, change: Partial<RunState>): Turn => ({
  ...turn,
  state: { ...turn.state, ...change },
});

export const withWork = (turn: Turn, change: Partial<Work>): Turn =>
  turn.state.current === null ? turn : withState(turn, { current: { ...turn.state.current, ...change } });

export const withEffects = (turn: Turn, ...effects: readonly Effect[]): Turn => ({
  ...turn,
  effects: [...turn.effects, ...effects],
});

export const say = (turn: Turn, message: string): Turn => ({ ...turn, message });
