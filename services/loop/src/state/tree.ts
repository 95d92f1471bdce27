/** How tickets end in the working tree of a session that owns it: what waits for its end, and what each end was. Shapes only. */
import type { ClosedTicket } from "../ticket/ticket.ts";
import type { RunId, TicketId } from "../value/id.ts";

/** Who has run the commands that a ticket was verified by. */
export type Verification = "server" | "client" | "none";

/** A closed ticket whose work still lies in the working tree. */
export interface UnsettledTicket {
  readonly id: TicketId;
  readonly runId: RunId;
  readonly title: string;
  readonly description: string;
  readonly outcome: ClosedTicket["outcome"];
  /** Files that its plan or one of its results names. */
  readonly files: readonly string[];
  readonly verification: Verification;
  /** What had to pass. */
  readonly commands: readonly string[];
  /** Names of the hooks that it has passed. */
  readonly hooks: readonly string[];
  /** When it was closed, in milliseconds since the epoch. */
  readonly at: number;
}

/** Where the work of a ticket is. */
export interface TreeSettlement {
  readonly ticket_id: TicketId;
  readonly title: string;
  readonly outcome: ClosedTicket["outcome"];
  /** On the session's branch, on a branch of its own, parked, or nowhere. */
  readonly tree: "commit" | "branch" | "parked" | "unchanged";
  /** The commit that holds it. */
  readonly commit: string | null;
  /** The branch of its own, or the one that it is parked on. */
  readonly branch: string | null;
  readonly files: readonly string[];
  /** Files that changed meanwhile and are not the ticket's alone: left as they are. */
  readonly unattributed: readonly string[];
  /** The ref that holds edits which were there before the ticket, where one of them is not as it was any more. */
  readonly before: string | null;
  /** Files in which its branch is in conflict with the session's. */
  readonly conflicts: readonly string[];
  /** Why its branch was not merged, or its worktree is kept. */
  readonly note: string | null;
  readonly verification: Verification;
}
