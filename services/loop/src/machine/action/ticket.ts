/** Actions that take a ticket and that close one: done, failed, blocked. Every ticket is closed by `closeTicket`. */

import type { LessonDraft } from "../../memory/lesson.ts";
import { recordTitle } from "../../memory/title.ts";
import { needsNoPlan } from "../../plan/file-risk.ts";
import { detectLoop } from "../../spindle/spindle.ts";
import { parallelBatch } from "../../state/parallel-batch.ts";
import { hasFailedCompletion, initialWork, type TicketWork } from "../../state/run-state.ts";
import { summarizeVerification } from "../../state/verification.ts";
import type { Ticket } from "../../ticket/ticket.ts";
import { limits } from "../../value/limits.ts";
import { addLesson } from "./memory.ts";
import { payloadIf, type Transition, withEffects, withMessage, withState } from "./transition.ts";
import { leaveTree } from "./tree.ts";

const assignedEffect = ({ id, title }: Ticket) =>
  ({ kind: "log", type: "TICKET_ASSIGNED", payload: { ticket_id: id, title } }) as const;

const inProgressEffect = (ticket: Ticket) =>
  ({ kind: "ticket", ticket: { ...ticket, status: "in_progress" }, note: null }) as const;

export const takeTicket = (transition: Transition): Transition => {
  const [ticket, ...ready] = transition.state.ready;
  if (ticket === undefined) return transition;
  return withMessage(
    withEffects(
      withState(transition, { ready, current: initialWork(ticket) }),
      inProgressEffect(ticket),
      assignedEffect(ticket),
    ),
    `ticket ${ticket.id} is taken: ${ticket.title}`,
  );
};

export const takeBatch = (transition: Transition): Transition => {
  const batch = parallelBatch(transition.state);
  const workers = batch.map((ticket) => ({
    ...initialWork(ticket),
    phase: needsNoPlan(ticket, transition.state.settings) ? ("EXECUTE" as const) : ("PLAN" as const),
    lastEventStep: transition.state.stepCount,
  }));
  return withEffects(
    withState(transition, { ready: transition.state.ready.filter((ticket) => !batch.includes(ticket)), workers }),
    ...batch.flatMap((ticket) => [inProgressEffect(ticket), assignedEffect(ticket)]),
  );
};

interface TicketClosing {
  readonly outcome: "done" | "blocked" | "aborted";
  /** Why it was closed, or its result. */
  readonly summary: string;
  /** It was tried and failed; another blocked ticket met a limit. */
  readonly failed?: boolean;
}

const closingLog = { done: "TICKET_DONE", blocked: "TICKET_BLOCKED", aborted: "TICKET_ABORTED" } as const;

/** Closes the current ticket. The caller does the counting. */
const closeTicket = (transition: Transition, { outcome, summary, failed = false }: TicketClosing): Transition => {
  const { current, recent, memory } = transition.state;
  if (current === null) return transition;
  const { id, title, files, allowedPaths } = current.ticket;
  const { at } = transition.event;
  const closed = withState(leaveTree(transition, [current], outcome), {
    current: null,
    lastTicket: { id, title, outcome, summary, spindle: current.spindle },
    linesChanged: transition.state.linesChanged + (outcome === "done" ? current.lines : 0),
    recent: [
      ...recent,
      { id, title, outcome, files: (files.length > 0 ? files : allowedPaths).slice(0, 20), at },
    ].slice(-limits.recent),
    memory:
      outcome === "done"
        ? { ...memory, remembered: recordTitle(memory.remembered, { title, completed: true, at }) }
        : memory,
  });
  return withEffects(
    closed,
    { kind: "ticket", ticket: { ...current.ticket, status: outcome }, note: summary },
    { kind: "log", type: failed ? "TICKET_FAILED" : closingLog[outcome], payload: { ticket_id: id, reason: summary } },
  );
};

/** Adds a lesson about the current ticket. */
const addTicketLesson = (
  transition: Transition,
  lesson: Pick<LessonDraft, "source" | "category" | "text">,
): Transition => {
  const { current } = transition.state;
  if (current === null) return transition;
  const { category, files } = current.ticket;
  return addLesson(transition, { ...lesson, tags: [category], paths: files });
};

const shortTitle = (work: TicketWork | null): string => work?.ticket.title.slice(0, 80) ?? "";

export const completeTicket = (transition: Transition): Transition => {
  const { current, ticketsCompleted, verified } = transition.state;
  if (current === null) return transition;
  const by = summarizeVerification(current);
  const withLesson =
    current.qaRetries > 0
      ? addTicketLesson(transition, {
          source: "ticket_success",
          category: "pattern",
          text: `"${shortTitle(current)}" passed after ${current.qaRetries + 1} attempts; it had failed with ${current.lastQaFailure?.error ?? "an error"}`,
        })
      : transition;
  const closed = closeTicket(withLesson, { outcome: "done", summary: `${current.ticket.title}: done` });
  return withMessage(
    withState(closed, { ticketsCompleted: ticketsCompleted + 1, verified: { ...verified, [by]: verified[by] + 1 } }),
    `ticket ${current.ticket.id} is done${doubtPr(transition, current)}`,
  );
};

/** A pull request of which nothing is known here is named at once. */
const doubtPr = ({ state }: Transition, { ticket }: TicketWork): string => {
  const reported = state.prs.at(-1);
  return reported?.ticket_id === ticket.id && reported.pr === "unverified"
    ? `; its pull request is unverified: ${reported.reason}`
    : "";
};

/** The client reported that the ticket cannot be done. */
export const failTicket = (transition: Transition): Transition => {
  const payload = payloadIf(transition, "TICKET_RESULT");
  return failWith(transition, payload?.reason ?? (payload?.summary || "the client reported a failure"));
};

/** `fail_ticket` was called. */
export const abandonTicket = (transition: Transition): Transition =>
  failWith(transition, payloadIf(transition, "TICKET_ABANDONED")?.reason ?? "given up");

const failWith = (transition: Transition, reason: string): Transition =>
  closeFailed(
    addTicketLesson(transition, {
      source: "ticket_failure",
      category: "warning",
      text: `"${shortTitle(transition.state.current)}" failed: ${reason}`,
    }),
    reason,
  );

const closeFailed = (transition: Transition, reason: string): Transition =>
  withMessage(
    withState(closeTicket(transition, { outcome: "blocked", summary: reason, failed: true }), {
      ticketsFailed: transition.state.ticketsFailed + 1,
    }),
    `the ticket failed: ${reason.slice(0, 200)}`,
  );

const block = (transition: Transition, reason: string): Transition =>
  withMessage(
    withState(closeTicket(transition, { outcome: "blocked", summary: reason }), {
      ticketsBlocked: transition.state.ticketsBlocked + 1,
    }),
    `the ticket is blocked: ${reason.slice(0, 200)}`,
  );

/** Blocks the ticket and says why the session stops. */
const blockAndStop = (transition: Transition, reason: string): Transition =>
  withState(block(transition, reason), { stopReason: reason });

const plansLesson = (transition: Transition): Transition =>
  addTicketLesson(transition, {
    source: "plan_rejection",
    category: "gotcha",
    text: `plans for "${shortTitle(transition.state.current)}" were rejected: ${transition.state.current?.lastPlanRejection ?? ""}`,
  });

const plansReason = ({ state: { current } }: Transition): string =>
  `${current?.planRejections ?? 0} plans for ${current?.ticket.id ?? "the ticket"} were rejected; the last one: ${current?.lastPlanRejection ?? ""}`;

export const blockOnPlans = (transition: Transition): Transition =>
  blockAndStop(plansLesson(transition), plansReason(transition));

/** The same where the session goes on without the ticket. */
export const endTicketOnPlans = (transition: Transition): Transition =>
  block(plansLesson(transition), plansReason(transition));

export const blockOnRisk = (transition: Transition): Transition =>
  blockAndStop(
    transition,
    `the plan for ${transition.state.current?.ticket.id ?? "the ticket"} has a high risk and needs a person's approval`,
  );

export const blockOnTicketBudget = (transition: Transition): Transition =>
  blockAndStop(
    transition,
    `${transition.state.current?.ticket.id ?? "the ticket"} used all its ${transition.state.settings.ticketStepBudget ?? 0} steps (ticket_step_budget)`,
  );

const scopeReason = ({ state: { current } }: Transition): string =>
  `results of ${current?.ticket.id ?? "the ticket"} left its scope ${current?.scopeRefusals ?? 0} times: ${current?.lastScopeRefusal ?? ""}`;

export const blockOnScope = (transition: Transition): Transition => blockAndStop(transition, scopeReason(transition));

/** The same where the session goes on without the ticket. */
export const endTicketOnScope = (transition: Transition): Transition => block(transition, scopeReason(transition));

/** Its attempts at QA are used up. */
export const failOnQa = (transition: Transition): Transition => {
  const { current } = transition.state;
  const failure = current?.lastQaFailure;
  const error = failure?.error ?? "QA failed";
  const withLesson = addTicketLesson(transition, {
    source: "qa_failure",
    category: failure?.failureClass === "environment" ? "context" : "gotcha",
    text: `QA of "${shortTitle(current)}" failed (${failure?.failureClass ?? "unknown"}): ${error}`,
  });
  return closeFailed(withLesson, `QA failed ${failure?.attempt ?? 1} of ${failure?.attempts ?? 1} times: ${error}`);
};

export const blockOnSpindle = (transition: Transition): Transition => {
  const { current, settings } = transition.state;
  const verdict = current === null ? null : detectLoop(current.spindle, settings.spindle);
  if (current === null || verdict === null) return transition;
  const logged = withEffects(transition, {
    kind: "log",
    type: "SPINDLE_ABORT",
    payload: { ticket_id: current.ticket.id, ...verdict },
  });
  return blockAndStop(logged, `${current.ticket.id} goes in circles: ${verdict.explanation}`);
};

export const recoverFromSpindle = (transition: Transition): Transition => {
  const spindleRecoveries = transition.state.spindleRecoveries + 1;
  return withEffects(withState(transition, { spindleRecoveries, stopReason: null }), {
    kind: "log",
    type: "SPINDLE_RECOVERY",
    payload: { recoveries: spindleRecoveries },
  });
};

/** What was blocked, by a failure or by a limit, is aborted with the session; the counts of blocked and failed tickets stay. */
export const abortBlocked = (transition: Transition, reason: string): Transition => {
  const { recent, ticketsAborted, ticketsBlocked, ticketsFailed } = transition.state;
  return withEffects(
    withState(transition, { ticketsAborted: ticketsAborted + ticketsBlocked + ticketsFailed }),
    { kind: "abortBlocked" },
    ...recent
      .filter(({ outcome }) => outcome === "blocked")
      .map(({ id }) => ({ kind: "log" as const, type: "TICKET_ABORTED" as const, payload: { ticket_id: id, reason } })),
  );
};

/** Every open ticket is aborted; one whose `complete_ticket` has failed stays counted as failed. */
export const abortOpen = (transition: Transition, reason: string): Transition => {
  const { ready, workers, current } = transition.state;
  const open = [...ready, ...workers.map(({ ticket }) => ticket)];
  const works = [...workers, ...(current === null ? [] : [current])];
  const failed = works.filter(hasFailedCompletion).length;
  const left = leaveTree(transition, workers, "aborted");
  const closed = current === null ? left : closeTicket(left, { outcome: "aborted", summary: reason });
  return withEffects(
    withState(closed, {
      ready: [],
      workers: [],
      ticketsFailed: transition.state.ticketsFailed + failed,
      ticketsAborted: transition.state.ticketsAborted + ready.length + works.length - failed,
    }),
    ...open.flatMap((ticket) => [
      { kind: "ticket" as const, ticket: { ...ticket, status: "aborted" as const }, note: reason },
      { kind: "log" as const, type: "TICKET_ABORTED" as const, payload: { ticket_id: ticket.id, reason } },
    ]),
  );
};
