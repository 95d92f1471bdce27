/** A ticket: an accepted proposal on its way through the phases. The session's state holds only open tickets. */

import type { Complexity, Proposal, RiskLevel } from "../proposal/proposal.ts";
import { parseCommand } from "../qa/allow-list.ts";
import type { Category } from "../value/category.ts";
import type { TicketId } from "../value/id.ts";

type TicketStatus = "ready" | "in_progress" | "done" | "blocked" | "aborted";

export interface Ticket {
  readonly id: TicketId;
  readonly title: string;
  readonly description: string;
  readonly category: Category;
  readonly status: TicketStatus;
  /** round(impact x confidence / 10); the highest goes first. */
  readonly priority: number;
  /** Counts up in a session; of equal priority the newest goes first. */
  readonly order: number;
  readonly allowedPaths: readonly string[];
  readonly files: readonly string[];
  readonly verificationCommands: readonly string[];
  readonly acceptanceCriteria: readonly string[];
  readonly risk: RiskLevel;
  readonly complexity: Complexity;
  readonly confidence: number;
  readonly impact: number;
  readonly rationale: string;
  readonly rollbackNote: string;
  readonly targetSymbols: readonly string[];
}

/** What is kept of a ticket once it is closed, for finding duplicates and for the next scout. */
export interface ClosedTicket {
  readonly id: TicketId;
  readonly title: string;
  readonly outcome: "done" | "blocked" | "aborted";
  readonly files: readonly string[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface TicketOrigin {
  readonly id: TicketId;
  readonly order: number;
  /** Commands that every ticket of the session gets. */
  readonly qaCommands: readonly string[];
}

export const createTicket = (proposal: Proposal, { id, order, qaCommands }: TicketOrigin): Ticket => ({
  id,
  title: proposal.title,
  description: proposal.description,
  category: proposal.category,
  status: "ready",
  priority: Math.round((proposal.impact_score * proposal.confidence) / 10),
  order,
  allowedPaths: proposal.allowed_paths,
  files: proposal.files,
  verificationCommands: [
    ...new Set([...proposal.verification_commands.filter((command) => parseCommand(command).ok), ...qaCommands]),
  ],
  acceptanceCriteria: proposal.acceptance_criteria,
  risk: proposal.risk,
  complexity: proposal.estimated_complexity,
  confidence: proposal.confidence,
  impact: proposal.impact_score,
  rationale: proposal.rationale,
  rollbackNote: proposal.rollback_note,
  targetSymbols: proposal.target_symbols,
});

/** The proposal that would become the same ticket: what is not done is proposed to a later session as it was. */
export const toProposal = (ticket: Ticket): Proposal => ({
  category: ticket.category,
  title: ticket.title,
  description: ticket.description,
  acceptance_criteria: ticket.acceptanceCriteria,
  verification_commands: ticket.verificationCommands,
  allowed_paths: ticket.allowedPaths,
  files: ticket.files,
  confidence: ticket.confidence,
  impact_score: ticket.impact,
  rationale: ticket.rationale,
  estimated_complexity: ticket.complexity,
  risk: ticket.risk,
  touched_files_estimate: Math.max(1, ticket.files.length),
  rollback_note: ticket.rollbackNote,
  target_symbols: ticket.targetSymbols,
  severity: null,
  review_note: null,
});

/** Verification commands that a proposal asks for and its ticket does not get, each with why. */
export const listDroppedCommands = ({ verification_commands }: Proposal): readonly string[] =>
  verification_commands.flatMap((command) => {
    const verdict = parseCommand(command);
    return verdict.ok ? [] : [`${command.slice(0, 80)}: ${verdict.why}`];
  });

/** The order tickets are taken in. */
export const compareTickets = (a: Ticket, b: Ticket): number => b.priority - a.priority || b.order - a.order;
