/** Which tickets leave work in the working tree, what of it is theirs, and who has verified it. Pure. */
import type { RunState, TicketWork } from "./run-state.ts";
import type { UnsettledTicket } from "./tree.ts";
import { listPassedHooks, summarizeVerification } from "./verification.ts";

/** A ticket as it waits for its end; `undefined` where the session does not own the tree. */
export const describeUnsettled = (
  state: RunState,
  work: TicketWork,
  { outcome, at }: Pick<UnsettledTicket, "outcome" | "at">,
): UnsettledTicket | undefined =>
  state.settings.ownTree && !state.trees.some(({ ticket_id }) => ticket_id === work.ticket.id)
    ? {
        id: work.ticket.id,
        runId: state.runId,
        title: work.ticket.title,
        description: work.ticket.description,
        outcome,
        files: [...new Set([...(work.plannedFiles ?? []), ...work.reportedFiles])],
        verification: summarizeVerification(work),
        commands: work.ticket.verificationCommands,
        hooks: outcome === "done" ? listPassedHooks(work) : [],
        at,
      }
    : undefined;

/** The tickets that are being worked on, as they would end with the session now. */
export const describeOpenWork = (state: RunState): readonly UnsettledTicket[] =>
  [...(state.current === null ? [] : [state.current]), ...state.workers].flatMap(
    (work) => describeUnsettled(state, work, { outcome: "aborted", at: state.startedAt }) ?? [],
  );
