/** The words of a ticket's commit, and the name of the branch that it is parked on. */
import { type Revision, requireRevision } from "../git/arguments.ts";
import type { UnsettledTicket } from "../state/tree.ts";
import type { TicketId } from "../value/id.ts";

export const parkedBranch = (id: TicketId): Revision => requireRevision(`promptwheel/parked/${id}`);

/** Title, description and trailers: run, ticket, who verified it, which hooks it passed. */
export const formatMessage = ({ id, runId, title, description, verification, hooks }: UnsettledTicket): string =>
  [
    toLine(title).slice(0, 72),
    description.trim() === "" ? undefined : description.trim().slice(0, 2_000),
    [
      `Run: ${runId}`,
      `Ticket: ${id}`,
      `Verification: ${verification}`,
      `Hooks: ${hooks.length === 0 ? "skipped" : hooks.join(", ")}`,
    ].join("\n"),
  ]
    .filter((part) => part !== undefined)
    .join("\n\n")
    .replaceAll("\0", "");

const toLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, " ").trim() || "A ticket";
