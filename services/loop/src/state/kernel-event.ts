/**
 * Which lines of a session's log are events of the kernel, too, so that whoever follows the kernel sees how its sessions go. Pure. They
 * name things and hold no text of an agent or a person: who may follow the kernel need not be one who may read the session.
 */
import { parseTicketId, type RunId } from "../value/id.ts";
import type { SessionPhase } from "./phase.ts";

/** Lines that say how the session stands; what an agent reports is in the log alone. */
const published: ReadonlySet<string> = new Set([
  "SESSION_START",
  "PHASE_CHANGED",
  "TICKET_ASSIGNED",
  "TICKET_DONE",
  "TICKET_FAILED",
  "TICKET_BLOCKED",
  "TICKET_ABORTED",
  "PLAN_HELD",
  "SESSION_PAUSED",
  "SESSION_RESUMED",
  "BUDGET_WARNING",
  "SPINDLE_ABORT",
  "SESSION_END",
]);

interface LoggedLine {
  readonly seq: number;
  readonly type: string;
  /** JSON. */
  readonly payload: string;
}

interface SessionPlace {
  readonly project: string;
  readonly runId: RunId;
  /** After the lines. */
  readonly phase: SessionPhase;
}

interface PublishedLine {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const toKernelEvents = (
  lines: readonly LoggedLine[],
  { project, runId, phase }: SessionPlace,
): readonly PublishedLine[] =>
  lines
    .filter(({ type }) => published.has(type))
    .map(({ seq, type, payload }) => {
      const ticket = findTicket(payload);
      return {
        type: `session.${type.replace(/^SESSION_/, "").toLowerCase()}`,
        data: { project, run_id: runId, seq, phase, ...(ticket !== undefined && { ticket_id: ticket }) },
      };
    });

const findTicket = (payload: string) => {
  const { ticket_id } = JSON.parse(payload) as { readonly ticket_id?: unknown };
  return typeof ticket_id === "string" ? parseTicketId(ticket_id) : undefined;
};
