/**
 * The supervisor's mind: a pure function from what it knows and what happened to what it knows next and what must be done.
 *
 * An event changes wishes and states (`apply`); `reconcile.ts` then finds what may be stopped and started. Time and chance come in with the event, so every
 * history can be replayed. Not here: running anything (`supervisor.ts`).
 *
 * @NOTE Intensity is counted per child under `one_for_one` and for the whole group otherwise: a child that crash-loops must not
 * take innocent neighbours with it, while a group that restarts together fails together and reports to its parent (OTP's escalation).
 */
import type { WireError } from "@fairlead/contracts";
import { insideWindow, pauseBefore, slowPause } from "./backoff.ts";
import { isUp } from "./child-state.ts";
import { reconcile } from "./reconcile.ts";
import type {
  Decision,
  Member,
  Rules,
  SupervisorAction,
  SupervisorEvent,
  SupervisorState,
} from "./supervisor-state.ts";

/** What a supervisor without children knows. */
export const initialState = (rules: Rules): SupervisorState => ({ rules, members: [] });

/** `between` is how it was for a moment: a child that ended and is started again at once had ended. */
export const decide = (
  known: SupervisorState,
  event: SupervisorEvent,
): Decision & { readonly between: SupervisorState } => {
  const { next: between, actions } = apply(known, event);
  const settled = reconcile(between, event.at);
  return { between, next: settled.next, actions: [...actions, ...settled.actions] };
};

const apply = (known: SupervisorState, event: SupervisorEvent): Decision => {
  const only = (next: SupervisorState): Decision => ({ next, actions: [] });
  switch (event.kind) {
    case "add":
      if (known.members.some(({ id }) => id === event.id)) return only(known);
      return only({ ...known, members: [...known.members, newMember(event, known.rules)] });
    case "start":
      return only(each(known, event.id, (member) => requestStart(member, event.at)));
    case "stop":
      return only(each(known, event.id, (member) => requestStop(member, event.at)));
    case "restart": {
      const affected = new Set(
        neighbours(known, event.id).filter(({ id, wish }) => id === event.id || wish !== "down"),
      );
      return only({
        ...known,
        members: known.members.map((member) =>
          affected.has(member)
            ? { ...requestStart(member, event.at), wish: isUp(member.state) ? "cycle" : "up" }
            : member,
        ),
      });
    }
    case "ready":
      return only(
        updateRun(known, event, (member) =>
          member.state.tag === "Starting" && isUp(member.state)
            ? { ...member, fresh: false, state: { tag: "Ready", since: event.at, life: event.life } }
            : member,
        ),
      );
    case "drained":
      return only(
        updateRun(known, event, (member) => (member.state.tag === "Draining" ? released(member, event.at) : member)),
      );
    case "ended":
      return ended(known, event);
    case "woke":
      return only(known);
  }
};

const ended = (known: SupervisorState, event: Extract<SupervisorEvent, { readonly kind: "ended" }>): Decision => {
  const member = known.members.find(({ id, life }) => id === event.id && life === event.life);
  if (member === undefined || !isUp(member.state) || member.state.tag === "Draining") {
    return { next: known, actions: [] };
  }
  const { next, actions } = judge(known, member, event);
  if (member.state.tag === "Starting") return { next, actions };
  // What it is to become waits until its calls have ended and its resources are released.
  const draining = each(next, member.id, (judged) => ({
    ...judged,
    state: { tag: "Draining", since: event.at, life: event.life },
    outcome: judged.state,
  }));
  return { next: draining, actions: [{ kind: "stop", id: member.id, life: member.life }, ...actions] };
};

/** A run's resources are released: what it had come to is so now. */
const released = ({ outcome, ...member }: Member, at: number): Member => {
  const wish = member.wish === "cycle" ? "up" : member.wish;
  return outcome === undefined ? { ...down(member, at), wish } : { ...member, wish, state: { ...outcome, since: at } };
};

/** What becomes of a child whose run ended by itself, and of those that are restarted with it. */
const judge = (
  known: SupervisorState,
  member: Member,
  { ending, at, roll }: Extract<SupervisorEvent, { readonly kind: "ended" }>,
): Decision => {
  if (member.wish !== "up") {
    return {
      next: replace(known, { ...down(member, at), wish: member.wish === "cycle" ? "up" : "down" }),
      actions: [],
    };
  }
  if (ending.kind === "normal" && member.restart !== "permanent") {
    return { next: replace(known, { ...down(member, at), wish: "down", attempt: 0, fresh: false }), actions: [] };
  }
  const error = ending.kind === "normal" ? endedByItself(member.id) : ending.error;
  if (member.restart === "temporary") return { next: replace(known, failed(member, { at, error })), actions: [] };
  const counts = ending.kind !== "unresponsive";
  const exceeded = counts && tooMany(known, member, at);
  if (ending.kind === "hopeless" || (exceeded && member.rules.exceeded !== "retry")) {
    return giveUp(known, member, { at, error });
  }

  const { backoff, intensity } = member.rules;
  const healthy = member.state.tag === "Ready" && at - member.state.since >= backoff.healthyMs;
  const attempt = healthy ? 0 : member.attempt;
  // A start that takes long to fail never fills the window: so many failures in a row are too many as well.
  const slow = member.rules.exceeded === "retry" && counts && (exceeded || attempt >= intensity.restarts);
  const pause = slow
    ? slowPause(Math.max(attempt, intensity.restarts), backoff, roll)
    : pauseBefore(attempt, backoff, roll);
  const until = at + Math.max(pause, error.retryAfterMs ?? 0);
  const resting: Member = {
    ...member,
    state: { tag: "Backoff", since: at, until, attempt, error },
    attempt: attempt + 1,
    recent: [...insideWindow(member.recent, at, intensity), ...(counts ? [at] : [])],
    restarts: member.restarts + 1,
    fresh: false,
  };
  const cycling = new Set(neighbours(known, member.id).filter(({ state }) => isUp(state)));
  return {
    next: {
      ...known,
      members: known.members.map((other) => {
        if (other.id === member.id) return resting;
        if (!cycling.has(other) || other.wish !== "up") return other;
        return { ...other, wish: other.restart === "temporary" ? "down" : "cycle" };
      }),
    },
    actions: until > at ? [{ kind: "wake", at: until }] : [],
  };
};

/** One child stays down; in a group that restarts together all of them do, and it is reported to the parent. */
const giveUp = (
  known: SupervisorState,
  member: Member,
  { at, error }: { readonly at: number; readonly error: WireError },
): Decision => {
  const fallen = failed(member, { at, error });
  const report: SupervisorAction = { kind: "give-up", id: member.id, error };
  if (known.rules.strategy === "one_for_one") {
    const cycling = new Set(neighbours(known, member.id).filter(({ wish }) => wish === "up"));
    return {
      next: {
        ...known,
        members: known.members.map((other) =>
          other.id === member.id
            ? fallen
            : cycling.has(other) && isUp(other.state)
              ? { ...other, wish: "cycle" }
              : other,
        ),
      },
      actions: member.rules.exceeded === "escalate" ? [report] : [],
    };
  }
  const members = known.members.map((other) => (other.id === member.id ? fallen : requestStop(other, at)));
  return { next: { ...known, members }, actions: [report] };
};

const failed = (member: Member, { at, error }: { readonly at: number; readonly error: WireError }): Member => ({
  ...member,
  state: { tag: "Failed", since: at, error },
  wish: "down",
  fresh: false,
});

const newMember = (
  { id, restart, rules = {}, at }: Extract<SupervisorEvent, { readonly kind: "add" }>,
  { intensity, backoff }: Rules,
): Member => ({
  id,
  restart,
  rules: { intensity, backoff, exceeded: "stay_down", startAfter: [], restartWith: [], ...rules },
  state: { tag: "Stopped", since: at },
  wish: "down",
  life: 0,
  attempt: 0,
  recent: [],
  restarts: 0,
  fresh: false,
});

/** Asking forgives: the window, the pauses and a failure are forgotten. */
const requestStart = (member: Member, at: number): Member => {
  const clean: Member = { ...member, attempt: 0, recent: [], restarts: 0, outcome: undefined };
  if (member.state.tag === "Draining") return { ...clean, wish: "cycle", fresh: true };
  if (isUp(member.state)) return { ...clean, wish: "up" };
  return { ...clean, wish: "up", fresh: true, state: { tag: "Stopped", since: at } };
};

const requestStop = (member: Member, at: number): Member => ({
  ...(isUp(member.state) ? member : down(member, at)),
  outcome: undefined,
  wish: "down",
  fresh: false,
});

const down = (member: Member, at: number): Member => {
  const last = "error" in member.state ? member.state.error : undefined;
  return { ...member, state: { tag: "Stopped", since: at, ...(last !== undefined && { last }) } };
};

const each = (known: SupervisorState, id: string | undefined, change: (member: Member) => Member): SupervisorState => ({
  ...known,
  members: known.members.map((member) => (id === undefined || member.id === id ? change(member) : member)),
});

const updateRun = (
  known: SupervisorState,
  { id, life }: { readonly id: string; readonly life: number },
  change: (member: Member) => Member,
): SupervisorState => each(known, id, (member) => (member.life === life ? change(member) : member));

const replace = (known: SupervisorState, changed: Member): SupervisorState => each(known, changed.id, () => changed);

/** The child itself and those that are restarted with it. */
const neighbours = ({ rules, members }: SupervisorState, id: string): readonly Member[] => {
  switch (rules.strategy) {
    case "one_for_one": {
      const found = new Set([id]);
      // A set that grows while it is walked: those that are restarted with one of them come along.
      for (const each of found) {
        for (const other of members) if (other.rules.restartWith.includes(each)) found.add(other.id);
      }
      return members.filter((member) => found.has(member.id));
    }
    case "rest_for_one":
      return members.slice(members.findIndex((member) => member.id === id));
    case "one_for_all":
      return members;
  }
};

/** Restarts of the child alone, or of its whole group, are one too many. */
const tooMany = ({ rules, members }: SupervisorState, member: Member, at: number): boolean => {
  const alone = rules.strategy === "one_for_one";
  const counted = alone ? member.recent : members.flatMap(({ recent }) => recent);
  const { intensity } = alone ? member.rules : rules;
  return insideWindow(counted, at, intensity).length >= intensity.restarts;
};

const endedByItself = (id: string): WireError => ({
  code: "unavailable",
  message: `${id} ended by itself, though it is to run always`,
  retryable: true,
});
