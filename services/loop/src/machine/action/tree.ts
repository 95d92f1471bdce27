/** Actions on the working tree of a session that owns it: what waits for its end, and what the end was. */
import { isTerminal } from "../../state/phase.ts";
import type { TicketWork } from "../../state/run-state.ts";
import type { TreeSettlement, UnsettledTicket } from "../../state/tree.ts";
import { describeUnsettled } from "../../state/unsettled.ts";
import type { Ticket } from "../../ticket/ticket.ts";
import { limits } from "../../value/limits.ts";
import { payloadIf, type Transition, withEffects, withMessage, withState } from "./transition.ts";

/** These tickets are closed: their work lies in the tree until it is settled. */
export const leaveTree = (
  transition: Transition,
  works: readonly TicketWork[],
  outcome: UnsettledTicket["outcome"],
): Transition => {
  const { state, event } = transition;
  const left = works.flatMap((work) => describeUnsettled(state, work, { outcome, at: event.at }) ?? []);
  return left.length === 0 ? transition : withState(transition, { unsettled: [...state.unsettled, ...left] });
};

export const recordTree = (transition: Transition): Transition => {
  const settlement = payloadIf(transition, "TREE_SETTLED");
  const { unsettled, current, workers, trees } = transition.state;
  const id = settlement?.ticket_id;
  const ticket = unsettled.find((one) => one.id === id);
  const isOpen = current?.ticket.id === id || workers.some((worker) => worker.ticket.id === id);
  if (settlement === undefined || !(isOpen || ticket !== undefined))
    return withMessage(transition, `TREE_SETTLED of ${id ?? "no ticket"} changes nothing: no such ticket waits for it`);
  const settled = withState(transition, {
    unsettled: unsettled.filter((one) => one.id !== id),
    trees: [...trees, settlement].slice(-limits.recent),
  });
  return withMessage(
    ticket === undefined ? settled : addConflictTicket(settled, ticket, settlement),
    `the tree of ${settlement.ticket_id} is settled: ${settlement.tree}`,
  );
};

const conflictTitle = "Resolve the conflict of ";

/** A done ticket whose branch could not be merged becomes another one, once. */
const addConflictTicket = (
  transition: Transition,
  { title, commands }: UnsettledTicket,
  { branch, conflicts, files }: TreeSettlement,
): Transition => {
  const { ready, ticketsCreated, phase } = transition.state;
  const [id] = transition.event.ticketIds ?? [];
  if (id === undefined || branch === null || conflicts.length === 0) return transition;
  if (title.startsWith(conflictTitle) || isTerminal(phase) || ready.length >= limits.openTickets) return transition;
  const ticket: Ticket = {
    id,
    title: `${conflictTitle}"${title}"`,
    description: `The branch ${branch} holds this work and cannot be merged: ${conflicts.join(", ")}. Do here what it does (git diff HEAD...${branch}), in the files as they are now.`,
    category: "fix",
    status: "ready",
    priority: 100,
    order: ticketsCreated + 1,
    allowedPaths: files,
    files: conflicts,
    verificationCommands: commands,
    acceptanceCriteria: [`What ${branch} does is done`],
    risk: "low",
    complexity: "simple",
    confidence: 100,
    impact: 10,
    rationale: "",
    rollbackNote: "git revert",
    targetSymbols: [],
  };
  return withEffects(
    withState(transition, { ready: [ticket, ...ready], ticketsCreated: ticketsCreated + 1 }),
    { kind: "ticket", ticket, note: null },
    { kind: "log", type: "TICKETS_CREATED", payload: { tickets: [{ id, title: ticket.title, priority: 100 }] } },
  );
};
