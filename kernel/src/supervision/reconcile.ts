/**
 * The second half of a decision: given wishes and states, which children may be stopped (right to left, dependents first) and started
 * (left to right, dependencies first) at this moment. Pure; called after every event.
 */
import type { WireError } from "@fairlead/contracts";
import { isUp, type Obstacle } from "./child-state.ts";
import type { Decision, Member, SupervisorAction, SupervisorState } from "./supervisor-state.ts";

/** What the wishes and states allow right now: stops from the right, starts from the left. */
export const reconcile = (known: SupervisorState, at: number): Decision => {
  const actions: SupervisorAction[] = [];
  const members = [...known.members];

  let turnTaken = false;
  for (const [i, member] of [...members.entries()].toReversed()) {
    if (member.wish === "up" || !isUp(member.state)) continue;
    const isDraining = member.state.tag === "Draining";
    if (!isDraining && dependentsStop(members, member)) continue;
    if (takesTurns(known, member)) {
      if (turnTaken) continue;
      turnTaken = true;
    }
    if (isDraining) continue;
    members[i] = { ...member, state: { tag: "Draining", since: at, life: member.life } };
    actions.push({ kind: "stop", id: member.id, life: member.life });
  }

  const mayStartNow = (member: Member, i: number): boolean =>
    mayStart(member, at) && !blocked({ ...known, members }, i, at);
  for (const [i, member] of members.entries()) {
    if (!mayStartNow(member, i) || obstacle(members, member) !== undefined) continue;
    const life = member.life + 1;
    members[i] = { ...member, life, state: { tag: "Starting", since: at, life } };
    actions.push({ kind: "start", id: member.id, life });
  }
  // After the others have begun: whoever is on its way up is a short wait.
  for (const [i, member] of members.entries()) {
    const waitsFor = mayStartNow(member, i) ? obstacle(members, member) : undefined;
    if (waitsFor !== undefined) members[i] = toWaiting(member, waitsFor, at);
  }
  return { next: { ...known, members }, actions };
};

/** Children that stop one after the other, the last first: a group that restarts together, and what was started in order. */
const takesTurns = ({ rules }: SupervisorState, { wish }: Member): boolean =>
  rules.strategy !== "one_for_one" || (wish === "down" && rules.startup === "in-order");

/** Whether children that need this one are still to stop. */
const dependentsStop = (members: readonly Member[], { id }: Member): boolean =>
  members.some(
    ({ rules, state, wish }) =>
      rules.startAfter.includes(id) && isUp(state) && (wish !== "up" || state.tag === "Draining"),
  );

const mayStart = ({ wish, state }: Member, at: number): boolean =>
  wish === "up" && !isUp(state) && (state.tag !== "Backoff" || state.until <= at);

/** What keeps a child from starting: those it needs and that are not ready. One that is not supervised here is not waited for. */
const obstacle = (members: readonly Member[], { rules }: Member): Obstacle | undefined => {
  const missing = members.filter(({ id, state, wish }) => {
    const settled = state.tag === "Ready" && wish === "up";
    return rules.startAfter.includes(id) && !settled;
  });
  if (missing.length === 0) return undefined;
  const error = missing.map(explainDown).find((why) => why !== undefined);
  return { ids: missing.map(({ id }) => id), ...(error !== undefined && { error }) };
};

/** Why one that is needed is down; nothing for one that is on its way up. */
const explainDown = ({ id, state, wish }: Member): WireError | undefined => {
  if (state.tag === "Starting") return state.waitsFor?.error;
  if ("error" in state) return { ...state.error, message: `it waits for ${id}: ${state.error.message}` };
  return wish === "down"
    ? { code: "unavailable", message: `it waits for ${id}, which is stopped`, retryable: false }
    : undefined;
};

/** The same state as long as nothing has changed. */
const toWaiting = (member: Member, waitsFor: Obstacle, at: number): Member => {
  const { state, life } = member;
  const known = state.tag === "Starting" ? state : undefined;
  if (known?.waitsFor !== undefined && isSame(known.waitsFor, waitsFor)) return member;
  return { ...member, state: { tag: "Starting", since: known?.since ?? at, life, waitsFor } };
};

const isSame = (a: Obstacle, b: Obstacle): boolean =>
  a.ids.join() === b.ids.join() && a.error?.message === b.error?.message;

/** Under `one_for_one` only a first start waits, for earlier first starts; in a group each waits for all before it. */
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
