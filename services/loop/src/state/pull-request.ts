/** Pull requests that a client has reported, and what the server knows of them. Shapes only. */
import type { TicketId } from "../value/id.ts";

/** What the server saw: a remote has it as it is here, its branch has commits here, or the client's word is all there is. */
export interface PrCheck {
  readonly pr: "verified" | "local" | "unverified";
  readonly reason: string;
}

export interface ReportedPr extends PrCheck {
  readonly ticket_id: TicketId;
  readonly url: string;
  readonly branch: string;
}
