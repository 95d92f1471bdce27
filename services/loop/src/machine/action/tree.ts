/** Actions on the working tree of a session that owns it: what waits for its end, and what the end was. */
import type { UnsettledTicket } from "../../state/tree.ts";
import { describeUnsettled } from "../../state/unsettled.ts";
import { limits } from "../../value/limits.ts";
import { payloadIf, type Transition, withMessage, withState } from "./transition.ts";

/** The current ticket is closed: its work lies in the tree until it is settled. */
export const leaveTree = (transition: Transition, outcome: UnsettledTicket["outcome"]): Transition => {
  const { state, event } = transition;
  const left = state.current === null ? undefined : describeUnsettled(state, state.current, { outcome, at: event.at });
  return left === undefined ? transition : withState(transition, { unsettled: [...state.unsettled, left] });
};

export const recordTree = (transition: Transition): Transition => {
  const settlement = payloadIf(transition, "TREE_SETTLED");
  const { unsettled, current, trees } = transition.state;
  const id = settlement?.ticket_id;
  if (settlement === undefined || !(current?.ticket.id === id || unsettled.some((ticket) => ticket.id === id)))
    return withMessage(transition, `TREE_SETTLED of ${id ?? "no ticket"} changes nothing: no such ticket waits for it`);
  return withMessage(
    withState(transition, {
      unsettled: unsettled.filter((ticket) => ticket.id !== id),
      trees: [...trees, settlement].slice(-limits.recent),
    }),
    `the tree of ${settlement.ticket_id} is settled: ${settlement.tree}`,
  );
};
