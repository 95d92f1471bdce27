/**
 * The second half of a decision: given wishes and states, which children may be stopped (right to left) and started (left to
 * right) at this moment. Pure; called after every event.
 */
import { isUp } from "./child-state.ts";
import type { Decision, Member, SupervisorAction, SupervisorState } from "./supervisor-state.ts";

/** What the wishes and states allow right now: stops from the right, starts from the left. */
export const reconcile = (known: SupervisorState, at: number): Decision => {
  const actions: SupervisorAction[] = [];
  const members = [...known.members];

  let waiting = false;
  for (const [i, member] of [...members.entries()].toReversed()) {
    if (member.wish === "up" || !isUp(member.state)) continue;
    const inTurn = known.rules.strategy !== "one_for_one" || member.wish === "down";
    if (inTurn && waiting) continue;
    if (inTurn) waiting = true;
    if (member.state.tag === "Draining") continue;
    members[i] = { ...member, state: { tag: "Draining", since: at, life: member.life } };
    actions.push({ kind: "stop", id: member.id, life: member.life });
  }

  for (const [i, member] of members.entries()) {
    if (!mayStart(member, at) || blocked({ ...known, members }, i, at)) continue;
    const life = member.life + 1;
    members[i] = { ...member, life, state: { tag: "Starting", since: at, life } };
    actions.push({ kind: "start", id: member.id, life });
  }
  return { next: { ...known, members }, actions };
};

const mayStart = ({ wish, state }: Member, at: number): boolean =>
  wish === "up" && (state.tag === "Stopped" || (state.tag === "Backoff" && state.until <= at));

/** Under `one_for_one` only a first start waits, for earlier first starts; in a group everybody waits for all before it. */
const blocked = ({ rules, members }: SupervisorState, index: number, at: number): boolean => {
  const before = members.slice(0, index);
  if (rules.strategy === "one_for_one") {
    return (
      rules.startup === "in-order" &&
      members[index]?.fresh === true &&
      before.some(({ fresh, wish }) => fresh && wish !== "down")
    );
  }
  const unrest = members.some(
    ({ wish, state }) =>
      wish === "cycle" || state.tag === "Draining" || (state.tag === "Backoff" && wish === "up" && state.until > at),
  );
  return unrest || before.some(({ wish, state }) => wish === "up" && state.tag !== "Ready");
};
