/** What a transition asks its caller to do, beside the new state. All of it is data; the store writes it in the event's transaction. */

import type { Proposal } from "../proposal/proposal.ts";
import type { Ticket } from "../ticket/ticket.ts";
import type { TicketId } from "../value/id.ts";
import type { PromptKind } from "./prompt-kind.ts";

export type MachineEffect =
  /** A line of the run's log beside the event itself. */
  | { readonly kind: "log"; readonly type: DerivedEventType; readonly payload: Readonly<Record<string, unknown>> }
  /** A file under artifacts/, named without its step. */
  | { readonly kind: "artifact"; readonly name: string; readonly body: string }
  /** The patch of this step, to be kept under diffs/. */
  | { readonly kind: "diff"; readonly ticketId: TicketId }
  /** A ticket in a new status. */
  | { readonly kind: "ticket"; readonly ticket: Ticket; readonly note: string | null }
  /** The run's blocked tickets become aborted ones; each keeps its note. */
  | { readonly kind: "abortBlocked" }
  /** All proposals that wait for a session with a wider scope. */
  | { readonly kind: "defer"; readonly proposals: readonly Proposal[] }
  /** What was not done, for a later session. */
  | { readonly kind: "backlog"; readonly proposals: readonly Proposal[] }
  /** The prompt that advance answers with. */
  | { readonly kind: "prompt"; readonly prompt: PromptKind; readonly ticketId: TicketId | null };

/** Lines the machine adds to the log. */
export type DerivedEventType =
  | "PHASE_CHANGED"
  | "TICKETS_CREATED"
  | "PROPOSALS_REJECTED"
  | "PROPOSALS_HELD_FOR_REVIEW"
  | "TICKET_ASSIGNED"
  | "TICKET_DONE"
  | "TICKET_FAILED"
  | "TICKET_BLOCKED"
  | "TICKET_ABORTED"
  | "PLAN_APPROVED"
  | "PLAN_REJECTED"
  | "PLAN_HELD"
  | "SCOPE_ALLOWED"
  | "SCOPE_BLOCKED"
  | "QA_REFUSED"
  | "SPINDLE_WARNING"
  | "SPINDLE_ABORT"
  | "SPINDLE_RECOVERY"
  | "BUDGET_WARNING"
  | "LEARNING_ADDED"
  | "HINT_CONSUMED"
  | "SCOUT_BARREN"
  | "EVENT_IGNORED";
