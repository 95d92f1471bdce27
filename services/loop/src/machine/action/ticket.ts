/** Actions that take a ticket and that close one: done, failed, blocked. Whatever closes a ticket passes through `close`. */

import type { Lesson } from "../../memory/lesson.ts";
import { remember } from "../../memory/title.ts";
import { inspect } from "../../spindle/spindle.ts";
import { parallelBatch } from "../../state/parallel-batch.ts";
import { freshWork, type Work } from "../../state/run-state.ts";
import type { Ticket } from "../../ticket/ticket.ts";
import { limits } from "../../value/limits.ts";
import { keep } from "./memory.ts";
import { payloadOf, say, type Turn, withEffects, withState } from "./transition.ts";

const assigned = ({ id, title }: Ticket) =>
  ({ kind: "log", type: "TICKET_ASSIGNED", payload: { ticket_id: id, title } }) as const;

const taken = (ticket: Ticket) =>
  ({ kind: "ticket", ticket: { ...ticket, status: "in_progress" }, note: null }) as const;

export const takeTicket = (turn: Turn): Turn => {
  const [ticket, ...ready] = turn.state.ready;
  if (ticket === undefined) return turn;
  return say(
    withEffects(withState(turn, { ready, current: freshWork(ticket) }), taken(ticket), assigned(ticket)),
    `ticket ${ticket.id} is taken: ${ticket.title}`,
  );
};

export const takeBatch = (turn: Turn): Turn => {
  const batch = parallelBatch(turn.state);
  const workers = batch.map((ticket) => ({
    ...freshWork(ticket),
    phase: ticket.category === "docs" ? ("EXECUTE" as const) : ("PLAN" as const),
    heardAt: turn.state.stepCount,
  }));
  return withEffects(
    withState(turn, { ready: turn.state.ready.filter((ticket) => !batch.includes(ticket)), workers }),
    ...batch.flatMap((ticket) => [taken(ticket), assigned(ticket)]),
  );
};

interface Closing {
  readonly outcome: "done" | "blocked" | "aborted";
  /** Why, or what came of it. */
  readonly summary: string;
}

const closingLog = { done: "TICKET_DONE", blocked: "TICKET_BLOCKED", aborted: "TICKET_ABORTED" } as const;

/** Closes the current ticket. Counting is the caller's business. */
const close = (turn: Turn, { outcome, summary }: Closing): Turn => {
  const { current, recent, memory } = turn.state;
  if (current === null) return turn;
  const { id, title, files, allowedPaths } = current.ticket;
  const { at } = turn.event;
  const closed = withState(turn, {
    current: null,
    lastTicket: { id, title, outcome, summary, spindle: current.spindle },
    linesChanged: turn.state.linesChanged + (outcome === "done" ? current.lines : 0),
    recent: [
      ...recent,
      { id, title, outcome, files: (files.length > 0 ? files : allowedPaths).slice(0, 20), at },
    ].slice(-limits.recent),
    memory:
      outcome === "done"
        ? { ...memory, remembered: remember(memory.remembered, { title, completed: true, at }) }
        : memory,
  });
  return withEffects(
    closed,
    { kind: "ticket", ticket: { ...current.ticket, status: outcome }, note: summary },
    { kind: "log", type: closingLog[outcome], payload: { ticket_id: id, reason: summary } },
  );
};

/** Notes a lesson about the current ticket. */
const teach = (turn: Turn, lesson: Pick<Lesson, "source" | "category" | "text">): Turn => {
  const { current } = turn.state;
  if (current === null) return turn;
  const { category, files } = current.ticket;
  return keep(turn, { ...lesson, tags: [category], paths: files });
};

const titleOf = (work: Work | null): string => work?.ticket.title.slice(0, 80) ?? "";

export const completeTicket = (turn: Turn): Turn => {
  const { current, ticketsCompleted } = turn.state;
  if (current === null) return turn;
  const taught =
    current.qaRetries > 0
      ? teach(turn, {
          source: "ticket_success",
          category: "pattern",
          text: `"${titleOf(current)}" passed after ${current.qaRetries + 1} attempts; it had failed with ${current.lastQaFailure?.error ?? "an error"}`,
        })
      : turn;
  const closed = close(taught, { outcome: "done", summary: `${current.ticket.title}: done` });
  return say(withState(closed, { ticketsCompleted: ticketsCompleted + 1 }), `ticket ${current.ticket.id} is done`);
};

/** The client reported that the ticket cannot be done. */
export const failTicket = (turn: Turn): Turn => {
  const payload = payloadOf(turn, "TICKET_RESULT");
  return fail(turn, payload?.reason ?? (payload?.summary || "the client reported a failure"));
};

/** `fail_ticket` was called. */
export const abandonTicket = (turn: Turn): Turn =>
  fail(turn, payloadOf(turn, "TICKET_ABANDONED")?.reason ?? "given up");

const fail = (turn: Turn, reason: string): Turn => {
  const { current, ticketsFailed } = turn.state;
  const taught = teach(turn, {
    source: "ticket_failure",
    category: "warning",
    text: `"${titleOf(current)}" failed: ${reason}`,
  });
  const closed = close(taught, { outcome: "blocked", summary: reason });
  return say(withState(closed, { ticketsFailed: ticketsFailed + 1 }), `the ticket failed: ${reason.slice(0, 200)}`);
};

const block = (turn: Turn, reason: string): Turn =>
  say(
    withState(close(turn, { outcome: "blocked", summary: reason }), { ticketsBlocked: turn.state.ticketsBlocked + 1 }),
    `the ticket is blocked: ${reason.slice(0, 200)}`,
  );

/** Blocks the ticket and says why the session stops. */
const blockAndStop = (turn: Turn, reason: string): Turn => withState(block(turn, reason), { stopReason: reason });

export const blockOnPlans = (turn: Turn): Turn => {
  const { current } = turn.state;
  const last = current?.lastPlanRejection ?? "";
  const taught = teach(turn, {
    source: "plan_rejection",
    category: "gotcha",
    text: `plans for "${titleOf(current)}" were rejected: ${last}`,
  });
  return blockAndStop(
    taught,
    `${current?.planRejections ?? 0} plans for ${current?.ticket.id ?? "the ticket"} were rejected; the last one: ${last}`,
  );
};

export const blockOnRisk = (turn: Turn): Turn =>
  blockAndStop(
    turn,
    `the plan for ${turn.state.current?.ticket.id ?? "the ticket"} has a high risk and needs a person's approval`,
  );

export const blockOnTicketBudget = (turn: Turn): Turn =>
  blockAndStop(
    turn,
    `${turn.state.current?.ticket.id ?? "the ticket"} used all its ${turn.state.settings.ticketStepBudget ?? 0} steps (ticket_step_budget)`,
  );

export const blockOnScope = (turn: Turn): Turn =>
  blockAndStop(
    turn,
    `results of ${turn.state.current?.ticket.id ?? "the ticket"} left its scope ${turn.state.current?.scopeRefusals ?? 0} times: ${turn.state.current?.lastScopeRefusal ?? ""}`,
  );

export const blockOnQa = (turn: Turn): Turn => {
  const { current } = turn.state;
  const failure = current?.lastQaFailure;
  const error = failure?.error ?? "QA failed";
  const taught = teach(turn, {
    source: "qa_failure",
    category: failure?.failureClass === "environment" ? "context" : "gotcha",
    text: `QA of "${titleOf(current)}" failed (${failure?.failureClass ?? "unknown"}): ${error}`,
  });
  return block(taught, `QA failed ${failure?.attempt ?? 1} of ${failure?.attempts ?? 1} times: ${error}`);
};

export const blockOnSpindle = (turn: Turn): Turn => {
  const { current, settings } = turn.state;
  const verdict = current === null ? null : inspect(current.spindle, settings.spindle);
  if (current === null || verdict === null) return turn;
  const logged = withEffects(turn, {
    kind: "log",
    type: "SPINDLE_ABORT",
    payload: { ticket_id: current.ticket.id, ...verdict },
  });
  return blockAndStop(logged, `${current.ticket.id} goes in circles: ${verdict.explanation}`);
};

export const recoverFromSpindle = (turn: Turn): Turn => {
  const spindleRecoveries = turn.state.spindleRecoveries + 1;
  return withEffects(withState(turn, { spindleRecoveries, stopReason: null }), {
    kind: "log",
    type: "SPINDLE_RECOVERY",
    payload: { recoveries: spindleRecoveries },
  });
};

/** What was blocked, by a failure or by a limit, is given up with the session; the counts of blocked and failed tickets stay. */
export const abortBlocked = (turn: Turn, reason: string): Turn => {
  const { recent, ticketsAborted, ticketsBlocked, ticketsFailed } = turn.state;
  return withEffects(
    withState(turn, { ticketsAborted: ticketsAborted + ticketsBlocked + ticketsFailed }),
    { kind: "abortBlocked" },
    ...recent
      .filter(({ outcome }) => outcome === "blocked")
      .map(({ id }) => ({ kind: "log" as const, type: "TICKET_ABORTED" as const, payload: { ticket_id: id, reason } })),
  );
};

/** Every ticket that is open is given up. */
export const abortOpen = (turn: Turn, reason: string): Turn => {
  const { ready, workers, current } = turn.state;
  const open = [...ready, ...workers.map(({ ticket }) => ticket)];
  const closed = current === null ? turn : close(turn, { outcome: "aborted", summary: reason });
  return withEffects(
    withState(closed, {
      ready: [],
      workers: [],
      ticketsAborted: turn.state.ticketsAborted + open.length + (current === null ? 0 : 1),
    }),
    ...open.flatMap((ticket) => [
      { kind: "ticket" as const, ticket: { ...ticket, status: "aborted" as const }, note: reason },
      { kind: "log" as const, type: "TICKET_ABORTED" as const, payload: { ticket_id: ticket.id, reason } },
    ]),
  );
};
