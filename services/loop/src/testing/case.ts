/** What a case of the machine's table is, and the pieces that several files of them share. */
import type { EventType, LoopEvent } from "../state/event.ts";
import type { SessionPhase } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { sampleEvent, samplePayloads } from "./sample.ts";

/** One cell, one guard: the state, the event, and the phase it must lead to. */
export interface TableCase {
  readonly name: string;
  readonly state: RunState;
  readonly event: LoopEvent;
  readonly next: SessionPhase;
}

/** An event of that type with a harmless payload. */
export const plainEvent = (type: EventType): LoopEvent => sampleEvent(type, samplePayloads[type]);
export const advanceEvent = (): LoopEvent => plainEvent("ADVANCE_CALLED");

export const withState = (state: RunState, change: Partial<RunState>): RunState => ({ ...state, ...change });

/** Every command of the sample ticket was reported as passed. */
export const verifiedWork = { qaResults: [{ command: "npm test", success: true, tail: "", by: "client" as const }] };
