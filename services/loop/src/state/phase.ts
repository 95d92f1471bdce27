/** The phases a session can be in. Terminal phases absorb every event. */
import { phases, terminalPhases, workPhases } from "@fairlead/contracts/loop";

export { phases, terminalPhases, workPhases };

type WorkPhase = (typeof workPhases)[number];
type TerminalPhase = (typeof terminalPhases)[number];
export type SessionPhase = WorkPhase | TerminalPhase;

/** Phases in which one ticket is worked on; the only ones a parallel worker can be in. */
const ticketPhases = ["PLAN", "EXECUTE", "QA", "PR"] as const;
export type TicketPhase = (typeof ticketPhases)[number];

export const isTerminal = (phase: SessionPhase): phase is TerminalPhase =>
  (terminalPhases as readonly SessionPhase[]).includes(phase);

export const isTicketPhase = (phase: SessionPhase): phase is TicketPhase =>
  (ticketPhases as readonly SessionPhase[]).includes(phase);
