/**
 * What can happen to a session: the ten events a client reports, and the ten the service makes from its own tools. Each is
 * recorded before it is acknowledged and applied once; the machine's state is the fold over them.
 */
import { clientEventTypes } from "@fairlead/contracts/loop";
import type { PlanSubmission } from "../plan/submission.ts";
import type { ProposalReview } from "../proposal/review.ts";
import type { EventId, TicketId } from "../value/id.ts";

import type { SessionPause } from "./pause.ts";
import type { PrCheck } from "./pull-request.ts";
import type { TreeSettlement } from "./tree.ts";
import type { SessionUsage } from "./usage.ts";

export { clientEventTypes };

/** Made by advance, next_ticket, fail_ticket, end_session, approvePlan, rejectPlan, pauseSession and resumeSession, by validate_scope and get_scope_policy, when a ticket's work was settled, and when an agent that is driven gave nothing that could be taken. */
const serviceEventTypes = [
  "ADVANCE_CALLED",
  "TICKET_TAKEN",
  "TICKET_ABANDONED",
  "SESSION_END",
  "PLAN_DECIDED",
  "SESSION_PAUSED",
  "SESSION_RESUMED",
  "ANSWER_REFUSED",
  "SCOPE_CHECKED",
  "TREE_SETTLED",
] as const;

export const eventTypes = [...clientEventTypes, ...serviceEventTypes] as const;

export type ClientEventType = (typeof clientEventTypes)[number];
export type EventType = (typeof eventTypes)[number];

/** What the server itself saw in the working tree when a result was reported; absent outside git. */
export interface Measurement {
  /** Files that differ from when the ticket was taken. */
  readonly files: readonly string[];
  readonly linesAdded: number;
  readonly linesRemoved: number;
  /** Fingerprint of the patch; null when nothing differs. */
  readonly diffHash: string | null;
  /** What is known of the branch of a pull request. */
  readonly published?: PrCheck;
  /** What looks like a credential in the lines that were added, by file and kind. */
  readonly credentials?: readonly string[];
}

interface EventPayloads {
  readonly SCOUT_OUTPUT: {
    /** As they were reported; each one is filtered later. */
    readonly proposals: readonly unknown[];
    readonly explored_dirs: readonly string[];
    readonly exploration_summary: string;
  };
  readonly PROPOSALS_REVIEWED: ProposalReview;
  readonly PROPOSALS_FILTERED: Readonly<Record<string, unknown>>;
  readonly PLAN_SUBMITTED: PlanSubmission;
  readonly TICKET_RESULT: {
    readonly ticket_id?: TicketId | undefined;
    readonly status: "done" | "failed";
    readonly changed_files: readonly string[];
    readonly lines_added: number;
    readonly lines_removed: number;
    readonly summary: string;
    readonly diff?: string | undefined;
    readonly reason?: string | undefined;
  };
  readonly QA_COMMAND_RESULT: {
    readonly ticket_id?: TicketId | undefined;
    readonly command: string;
    readonly success: boolean;
    readonly output: string;
    /** How long it ran; only where the server ran it. */
    readonly duration_ms?: number | undefined;
    /** What it did on the files as they were before the ticket; only where the server ran it and it failed. */
    readonly base?: { readonly success: boolean; readonly signature: string } | undefined;
  };
  readonly QA_PASSED: {
    readonly ticket_id?: TicketId | undefined;
    readonly summary: string;
    readonly unmet_criteria: readonly string[];
  };
  readonly QA_FAILED: {
    readonly ticket_id?: TicketId | undefined;
    readonly error: string;
  };
  readonly PR_CREATED: {
    readonly ticket_id?: TicketId | undefined;
    readonly url: string;
    readonly branch: string;
  };
  readonly USER_OVERRIDE: { readonly hint: string } | { readonly cancel: true };
  readonly ADVANCE_CALLED: Readonly<Record<never, never>>;
  readonly TICKET_TAKEN: Readonly<Record<never, never>>;
  readonly TICKET_ABANDONED: { readonly ticket_id: TicketId; readonly reason: string };
  readonly SESSION_END: Readonly<Record<never, never>>;
  readonly PLAN_DECIDED: {
    readonly ticket_id: TicketId;
    readonly decision: "approve" | "reject";
    /** Why it is rejected. */
    readonly reason: string;
    /** What is approved in place of the plan that waits. */
    readonly plan?: PlanSubmission | undefined;
  };
  readonly SESSION_PAUSED: SessionPause;
  /** The answer, where it was a question that waited. */
  readonly SESSION_RESUMED: { readonly answer: string };
  /** A call of an agent that is driven reports nothing: it has cost something all the same. */
  readonly ANSWER_REFUSED: { readonly ticket_id?: TicketId | undefined; readonly reason: string };
  readonly SCOPE_CHECKED: {
    readonly ticket_id: TicketId;
    readonly files: readonly string[];
    /** Why they may not be touched; empty when they may. */
    readonly reason: string;
  };
  readonly TREE_SETTLED: TreeSettlement;
}

export type EventPayload<T extends EventType> = EventPayloads[T];

/** What every event has beside its payload: its id, its time, and what the server added for the machine. */
interface EventEnvelope {
  readonly id: EventId;
  /** Milliseconds since the epoch, from the service's clock. */
  readonly at: number;
  /** Ids for the tickets this event may create, made beforehand. */
  readonly ticketIds?: readonly TicketId[];
  readonly measured?: Measurement;
  /** What the work that it reports has cost. */
  readonly usage?: SessionUsage;
}

export type LoopEvent = {
  [T in EventType]: EventEnvelope & { readonly type: T; readonly payload: EventPayloads[T] };
}[EventType];

/** The ticket that an event names, if any. */
export const findTicketId = ({ payload }: LoopEvent): TicketId | undefined =>
  "ticket_id" in payload ? (payload.ticket_id as TicketId | undefined) : undefined;
