/**
 * A session's state: the fold over its events and nothing else. It is bounded whatever the length of the session: closed
 * tickets leave it, lists have a most number of items. Not here: how files and wires show it (`document.ts`).
 */

import type { Lesson } from "../memory/lesson.ts";
import type { SeenTitle } from "../memory/title.ts";
import type { PlanSubmission } from "../plan/submission.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { FailureClass } from "../qa/failure-class.ts";
import { emptySpindle, type Spindle } from "../spindle/spindle.ts";
import { type ClosedTicket, compareTickets, createTicket, type Ticket } from "../ticket/ticket.ts";
import type { RunId, SessionId, TicketId } from "../value/id.ts";
import type { Sector } from "./coverage.ts";
import type { PersonAnswer, SessionPause } from "./pause.ts";
import type { SessionPhase, TicketPhase } from "./phase.ts";
import type { ReportedPr } from "./pull-request.ts";
import type { SessionSettings } from "./settings.ts";
import type { TreeSettlement, UnsettledTicket, Verification } from "./tree.ts";
import { noUsage, type SessionUsage } from "./usage.ts";

/** A ticket being worked on, with everything that is reset when the next one is taken. */
export interface TicketWork {
  readonly ticket: Ticket;
  /** Prompts it has used. */
  readonly steps: number;
  readonly plan: PlanSubmission | null;
  /** The approved plan's files, normalised; null while there is no plan. */
  readonly plannedFiles: readonly string[] | null;
  /** What the accepted result changed. */
  readonly changedFiles: readonly string[];
  /** What its results said they changed; all that was measured where one named no file. */
  readonly reportedFiles: readonly string[];
  /** A plan of high risk that waits for a person. */
  readonly heldPlan: PlanSubmission | null;
  readonly planRejections: number;
  readonly lastPlanRejection: string | null;
  /** Results refused because they left the scope. */
  readonly scopeRefusals: number;
  readonly lastScopeRefusal: string | null;
  readonly qaRetries: number;
  readonly lastQaFailure: QaFailureNote | null;
  /** The last result of each command since the last EXECUTE. */
  readonly qaResults: readonly QaResult[];
  /** Commands that have failed, on the files as they were before the ticket. */
  readonly baseResults: readonly BaseResult[];
  readonly lines: number;
  readonly spindle: Spindle;
  /** True between an execute prompt and its result. */
  readonly executing: boolean;
}

/** A ticket worked on in parallel, with a phase of its own. */
export interface TicketWorker extends TicketWork {
  readonly phase: TicketPhase;
  /** The session's step at its last event. */
  readonly lastEventStep: number;
}

export interface QaResult {
  readonly command: string;
  readonly success: boolean;
  /** The end of what it printed. */
  readonly tail: string;
  /** Who ran it. */
  readonly by: "server" | "client";
  /** What it did on the files as they were before the ticket; left out where it was not run on them. */
  readonly before?: BaseOutcome;
}

/** `same`: it failed as it fails now. */
export type BaseOutcome = "passed" | "same" | "failed";

/** What a command did on the files as they were before the ticket. */
interface BaseResult {
  readonly command: string;
  readonly success: boolean;
  /** Of its failure. */
  readonly signature: string;
}

interface QaFailureNote {
  readonly error: string;
  readonly failureClass: FailureClass;
  /** Which attempt failed, from 1. */
  readonly attempt: number;
  readonly attempts: number;
  readonly commands: readonly QaResult[];
}

interface ScoutState {
  /** Cycles begun. */
  readonly cycles: number;
  /** Retries in this cycle. */
  readonly retries: number;
  /** Cycles in a row that gave nothing. */
  readonly barren: number;
  /** True between a scout prompt and its output. */
  readonly promptOpen: boolean;
  /** Hints of the prompt that was handed out, for handing it out again. */
  readonly shownHints: readonly string[];
  /** What was tried and refused in this cycle, newest last. */
  readonly tried: readonly string[];
  readonly exploredDirs: readonly string[];
  /** Proposals held for the review pass. */
  readonly pending: readonly unknown[] | null;
}

interface SessionMemory {
  readonly learnings: readonly Lesson[];
  readonly remembered: readonly SeenTitle[];
}

export interface LastTicket {
  readonly id: TicketId;
  readonly title: string;
  readonly outcome: ClosedTicket["outcome"];
  readonly summary: string;
  /** What the loop detection knew of it: `state.json` shows it until another ticket is taken. */
  readonly spindle: Spindle;
}

export interface RunState {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  /** Name of the project, as the server's configuration has it. */
  readonly project: string;
  readonly settings: SessionSettings;
  readonly startedAt: number;
  readonly phase: SessionPhase;
  /** Step at which the phase was entered. */
  readonly phaseEntryStep: number;
  /** Prompts handed out. */
  readonly stepCount: number;
  readonly ticketsCreated: number;
  readonly ticketsCompleted: number;
  /** Done tickets by who has verified them. */
  readonly verified: Readonly<Record<Verification, number>>;
  readonly ticketsFailed: number;
  readonly ticketsBlocked: number;
  readonly ticketsAborted: number;
  readonly prsCreated: number;
  /** The pull requests that were reported, newest last. */
  readonly prs: readonly ReportedPr[];
  readonly linesChanged: number;
  readonly scout: ScoutState;
  readonly hints: readonly string[];
  /** Tickets that are ready, best first. */
  readonly ready: readonly Ticket[];
  readonly current: TicketWork | null;
  readonly workers: readonly TicketWorker[];
  readonly recent: readonly ClosedTicket[];
  /** Closed tickets whose work still lies in the working tree. */
  readonly unsettled: readonly UnsettledTicket[];
  /** How closed tickets ended in the working tree. */
  readonly trees: readonly TreeSettlement[];
  /** Proposals outside the scope, oldest first. */
  readonly deferred: readonly Proposal[];
  /** Deferred by earlier sessions, not tried yet. */
  readonly carried: readonly Proposal[];
  readonly sectors: readonly Sector[];
  readonly memory: SessionMemory;
  readonly spindleRecoveries: number;
  readonly usage: SessionUsage;
  readonly lastTicket: LastTicket | null;
  /** Why no prompt is handed out for now; null while they are. */
  readonly pause: SessionPause | null;
  /** What a person has answered, newest last. */
  readonly answers: readonly PersonAnswer[];
  /** Why the session stopped; null while it runs. */
  readonly stopReason: string | null;
  /** True once end_session was called: nothing more is accepted. */
  readonly ended: boolean;
}

/** What a session begins with; recorded as its first event. */
export interface SessionStart {
  readonly runId: RunId;
  readonly sessionId: SessionId;
  readonly project: string;
  readonly settings: SessionSettings;
  readonly memory: SessionMemory;
  readonly carried: readonly Proposal[];
  /** What an earlier session had not done: its first tickets, best first. */
  readonly backlog?: readonly { readonly id: TicketId; readonly proposal: Proposal }[];
  readonly sectors: readonly Sector[];
}

/** Whether a command that `complete_ticket` ran has failed and was not repaired since. */
export const hasFailedCompletion = ({ qaResults }: TicketWork): boolean =>
  qaResults.some(({ by, success }) => by === "server" && !success);

/** Tickets that failed; one that is still open counts while its last `complete_ticket` has failed. */
export const countFailed = ({ ticketsFailed, current, workers }: RunState): number =>
  ticketsFailed + [...(current === null ? [] : [current]), ...workers].filter(hasFailedCompletion).length;

const initialScout: ScoutState = {
  cycles: 0,
  retries: 0,
  barren: 0,
  promptOpen: false,
  shownHints: [],
  tried: [],
  exploredDirs: [],
  pending: null,
};

const createBacklog = ({ backlog = [], settings: { qaCommands } }: SessionStart): readonly Ticket[] =>
  backlog
    .map(({ id, proposal }, index) => createTicket(proposal, { id, order: backlog.length - index, qaCommands }))
    .toSorted(compareTickets);

export const initialState = (begin: SessionStart, at: number): RunState => ({
  runId: begin.runId,
  sessionId: begin.sessionId,
  project: begin.project,
  settings: begin.settings,
  startedAt: at,
  phase: "SCOUT",
  phaseEntryStep: 0,
  stepCount: 0,
  ticketsCreated: begin.backlog?.length ?? 0,
  ticketsCompleted: 0,
  verified: { server: 0, client: 0, none: 0 },
  ticketsFailed: 0,
  ticketsBlocked: 0,
  ticketsAborted: 0,
  prsCreated: 0,
  prs: [],
  linesChanged: 0,
  scout: initialScout,
  hints: [],
  ready: createBacklog(begin),
  current: null,
  workers: [],
  recent: [],
  unsettled: [],
  trees: [],
  deferred: [],
  carried: begin.carried,
  sectors: begin.sectors,
  memory: begin.memory,
  spindleRecoveries: 0,
  usage: noUsage,
  lastTicket: null,
  pause: null,
  answers: [],
  stopReason: null,
  ended: false,
});

export const initialWork = (ticket: Ticket): TicketWork => ({
  ticket: { ...ticket, status: "in_progress" },
  steps: 0,
  plan: null,
  plannedFiles: null,
  changedFiles: [],
  reportedFiles: [],
  heldPlan: null,
  planRejections: 0,
  lastPlanRejection: null,
  scopeRefusals: 0,
  lastScopeRefusal: null,
  qaRetries: 0,
  lastQaFailure: null,
  qaResults: [],
  baseResults: [],
  lines: 0,
  spindle: emptySpindle,
  executing: false,
});
