/** What a case of the machine's table is, and the pieces that several files of them share. */
import type { EventType, LoopEvent } from "../state/event.ts";
import type { Phase } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { payloads, sampleEvent } from "./sample.ts";

/** One cell, one guard: the state, the event, and the phase it must lead to. */
export interface Case {
  readonly name: string;
  readonly state: RunState;
  readonly event: LoopEvent;
  readonly next: Phase;
}

/** An event of that type with a harmless payload. */
export const plain = (type: EventType): LoopEvent => sampleEvent(type, payloads[type]);
export const advance = (): LoopEvent => plain("ADVANCE_CALLED");

export const with_ = (state: RunState, change: Partial<RunState>): RunState => ({ ...state, ...change });

/** Every command of the sample ticket was reported as passed. */
export const verified = { qaResults: [{ command: "npm test", success: true, tail: "" }] };
