import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { longestPause } from "./backoff.ts";
import { defaultBackoff, isUp, type RestartKind, type Strategy } from "./child-state.ts";
import { decide, initialState } from "./decide.ts";
import type { Rules, SupervisorAction, SupervisorEvent, SupervisorState } from "./supervisor-state.ts";

const error = { code: "unavailable", message: "fell", retryable: true } as const;
const failedEnding = { kind: "failed", error } as const;
const rules = (strategy: Strategy, restarts = 3): Rules => ({
  startup: "in-order",
  strategy,
  intensity: { restarts, withinMs: 60_000 },
  backoff: defaultBackoff,
});

/** Applies events and collects all actions. */
const play = (
  start: SupervisorState,
  events: readonly SupervisorEvent[],
): { known: SupervisorState; actions: readonly SupervisorAction[] } =>
  events.reduce<{ known: SupervisorState; actions: readonly SupervisorAction[] }>(
    ({ known, actions }, event) => {
      const { next, actions: more } = decide(known, event);
      return { known: next, actions: [...actions, ...more] };
    },
    { known: start, actions: [] },
  );

const family = (strategy: Strategy, restart: RestartKind = "permanent"): SupervisorState =>
  play(
    initialState(rules(strategy)),
    ["a", "b", "c"].map((id) => ({ kind: "add", id, restart, at: 0 })),
  ).known;

const allReady = (strategy: Strategy, restart?: RestartKind): SupervisorState =>
  play(family(strategy, restart), [
    { kind: "start", at: 0 },
    ...["a", "b", "c"].map((id) => ({ kind: "ready", id, life: 1, at: 0 }) as const),
  ]).known;

const tags = (known: SupervisorState): string => known.members.map(({ state }) => state.tag).join(" ");
const said = (actions: readonly SupervisorAction[]): readonly string[] =>
  actions.map((action) => ("id" in action ? `${action.kind} ${action.id}` : action.kind));

describe("starting and stopping", () => {
  test("children start from left to right, each when the one before is ready", () => {
    const one = play(family("rest_for_one"), [{ kind: "start", at: 0 }]);
    expect(said(one.actions)).toEqual(["start a"]);
    const two = play(one.known, [{ kind: "ready", id: "a", life: 1, at: 5 }]);
    expect(said(two.actions)).toEqual(["start b"]);
  });

  test("children stop from right to left, each when the one after is down", () => {
    const one = play(allReady("one_for_one"), [{ kind: "stop", at: 1 }]);
    expect(said(one.actions)).toEqual(["stop c"]);
    const two = play(one.known, [{ kind: "drained", id: "c", life: 1, at: 2 }]);
    expect(said(two.actions)).toEqual(["stop b"]);
  });

  test("under one_for_one the next child starts though the one before failed", () => {
    const { known } = play(family("one_for_one"), [
      { kind: "start", at: 0 },
      { kind: "ended", id: "a", life: 1, ending: { kind: "hopeless", error }, at: 1, roll: 0 },
    ]);
    expect(tags(known)).toBe("Failed Starting Stopped");
  });
});

describe("who is restarted", () => {
  test.each([
    ["permanent", "normal", "Starting"],
    ["permanent", "failed", "Starting"],
    ["transient", "normal", "Stopped"],
    ["transient", "failed", "Starting"],
    ["temporary", "normal", "Stopped"],
    ["temporary", "failed", "Failed"],
  ] as const)("a %s child that ended %s is %s, its neighbours untouched", (restart, kind, tag) => {
    const ending = kind === "normal" ? ({ kind: "normal" } as const) : failedEnding;
    const { known } = play(allReady("one_for_one", restart), [
      { kind: "ended", id: "b", life: 1, ending, at: 9, roll: 0.5 },
      { kind: "drained", id: "b", life: 1, at: 9 },
    ]);
    expect(tags(known)).toBe(`Ready ${tag} Ready`);
  });

  test("rest_for_one stops the later ones in reverse and starts all again in order", () => {
    const { actions } = play(allReady("rest_for_one"), [
      { kind: "ended", id: "a", life: 1, ending: failedEnding, at: 9, roll: 0 },
      { kind: "drained", id: "c", life: 1, at: 10 },
      { kind: "drained", id: "b", life: 1, at: 11 },
      { kind: "drained", id: "a", life: 1, at: 11 },
      { kind: "ready", id: "a", life: 2, at: 12 },
      { kind: "ready", id: "b", life: 2, at: 13 },
    ]);
    expect(said(actions)).toEqual(["stop a", "stop c", "stop b", "start a", "start b", "start c"]);
  });

  test("one_for_all stops and starts everybody", () => {
    const { actions } = play(allReady("one_for_all"), [
      { kind: "ended", id: "b", life: 1, ending: failedEnding, at: 9, roll: 0 },
      { kind: "drained", id: "c", life: 1, at: 10 },
      { kind: "drained", id: "a", life: 1, at: 11 },
      { kind: "drained", id: "b", life: 1, at: 11 },
      { kind: "ready", id: "a", life: 2, at: 12 },
    ]);
    expect(said(actions)).toEqual(["stop b", "stop c", "stop a", "start a", "start b"]);
  });

  test("a restart on request cycles a running child without counting against it", () => {
    const { known, actions } = play(allReady("one_for_one"), [
      { kind: "restart", id: "b", at: 5 },
      { kind: "drained", id: "b", life: 1, at: 6 },
    ]);
    expect(said(actions)).toEqual(["stop b", "start b"]);
    expect(known.members[1]?.recent).toEqual([]);
  });

  test("news of an earlier life is ignored", () => {
    const restarted = play(allReady("one_for_one"), [
      { kind: "ended", id: "a", life: 1, ending: failedEnding, at: 1, roll: 0 },
      { kind: "drained", id: "a", life: 1, at: 1 },
      { kind: "ready", id: "a", life: 2, at: 2 },
    ]).known;
    const { known } = play(restarted, [{ kind: "ended", id: "a", life: 1, ending: failedEnding, at: 3, roll: 0 }]);
    expect(tags(known)).toBe("Ready Ready Ready");
  });
});

describe("restart intensity", () => {
  const crash = (known: SupervisorState, at: number): SupervisorState => {
    const life = known.members[0]?.life ?? 0;
    return play(known, [
      { kind: "ended", id: "a", life, ending: failedEnding, at, roll: 0 },
      { kind: "drained", id: "a", life, at },
      { kind: "ready", id: "a", life: life + 1, at },
    ]).known;
  };

  test("one restart too many leaves the child Failed until somebody asks", () => {
    const fallen = [1, 2, 3, 4].reduce(crash, allReady("one_for_one"));
    expect(tags(fallen)).toBe("Failed Ready Ready");
    expect(tags(play(fallen, [{ kind: "woke", at: 99_999 }]).known)).toBe("Failed Ready Ready");
    expect(tags(play(fallen, [{ kind: "restart", id: "a", at: 10 }]).known)).toBe("Starting Ready Ready");
  });

  test("restarts that left the window are forgiven", () => {
    expect(tags([1, 70_000, 140_000, 210_000, 280_000].reduce(crash, allReady("one_for_one")))).toBe(
      "Ready Ready Ready",
    );
  });

  test("a group gives up as a whole and says so", () => {
    const { known, actions } = play(allReady("one_for_all"), [
      { kind: "ended", id: "b", life: 1, ending: { kind: "hopeless", error }, at: 1, roll: 0 },
      { kind: "drained", id: "c", life: 1, at: 2 },
      { kind: "drained", id: "b", life: 1, at: 3 },
      { kind: "drained", id: "a", life: 1, at: 3 },
    ]);
    expect(said(actions)).toEqual(["stop b", "give-up b", "stop c", "stop a"]);
    expect(tags(known)).toBe("Stopped Failed Stopped");
  });
});

/**
 * A world that plays all children: it holds the lives that run and offers every event that could happen next. Random walks
 * through it must never break the promises below.
 */
const strategies = fc.constantFrom<Strategy>("one_for_one", "rest_for_one", "one_for_all");
const kinds = fc.constantFrom<RestartKind>("permanent", "transient", "temporary");
const step = fc.record({
  pick: fc.nat(1_000),
  wait: fc.constantFrom(0, 1, 50, 500, 4_000, 20_000, 61_000),
  roll: fc.double({ min: 0, max: 0.999, noNaN: true }),
  ending: fc.constantFrom("normal", "failed", "failed", "failed", "hopeless"),
});

test("no history breaks the order, the intensity or the pauses", () => {
  fc.assert(
    fc.property(strategies, fc.array(kinds, { minLength: 1, maxLength: 4 }), fc.array(step, { maxLength: 80 }), walk),
    { numRuns: 600 },
  );
});

const walk = (
  strategy: Strategy,
  restarts: readonly RestartKind[],
  steps: readonly { pick: number; wait: number; roll: number; ending: string }[],
): void => {
  const limit = 3;
  let known = play(
    initialState(rules(strategy, limit)),
    restarts.map((restart, i) => ({ kind: "add", id: `${i}`, restart, at: 0 })),
  ).known;
  const order = known.members.map(({ id }) => id);
  const lives = new Map<string, number>();
  const wakes: number[] = [];
  let at = 0;

  const happen = (event: SupervisorEvent): void => {
    const before = known;
    const { next, actions } = decide(known, event);
    known = next;
    const stateBefore = before.members.find((member) => "id" in event && member.id === event.id)?.state;
    if (event.kind === "drained" || (event.kind === "ended" && stateBefore?.tag === "Starting")) {
      if (lives.get(event.id) === event.life) lives.delete(event.id);
    }
    for (const action of actions) {
      // A run that ended by itself is released at once; the order holds for those that are asked to stop.
      const byItself = event.kind === "ended" && action.kind === "stop" && action.id === event.id;
      if (!byItself) check(action, before);
    }
    for (const member of known.members) {
      expect(isUp(member.state)).toBe(lives.has(member.id));
      if (strategy === "one_for_one") expect(member.recent.length).toBeLessThanOrEqual(limit);
      if (member.state.tag === "Backoff") {
        const pause = member.state.until - member.state.since;
        expect(pause).toBeLessThanOrEqual(longestPause(member.state.attempt, defaultBackoff));
      }
      if (member.state.tag === "Failed") expect(member.wish).toBe("down");
    }
    if (strategy === "one_for_one" && "id" in event && event.id !== undefined && event.kind === "ended") {
      const others = (of: SupervisorState) => of.members.filter(({ id, fresh }) => id !== event.id && !fresh);
      for (const other of others(before)) {
        expect(known.members.find(({ id }) => id === other.id)?.state.tag).toBe(
          other.wish === "down" && other.state.tag === "Ready" ? "Draining" : other.state.tag,
        );
      }
    }
  };

  const check = (action: SupervisorAction, before: SupervisorState): void => {
    switch (action.kind) {
      case "start": {
        expect(lives.has(action.id)).toBe(false);
        const earlier = known.members.slice(0, order.indexOf(action.id));
        if (strategy !== "one_for_one") {
          for (const member of earlier) expect(member.wish !== "up" || member.state.tag === "Ready").toBe(true);
        }
        lives.set(action.id, action.life);
        return;
      }
      case "stop": {
        expect(lives.get(action.id)).toBe(action.life);
        if (strategy !== "one_for_one") {
          for (const member of known.members.slice(order.indexOf(action.id) + 1)) {
            expect(member.wish === "up" || !isUp(member.state)).toBe(true);
          }
        }
        return;
      }
      case "wake":
        wakes.push(action.at);
        return;
      case "give-up":
        expect(before.rules.strategy).not.toBe("one_for_one");
        return;
    }
  };

  happen({ kind: "start", at });
  for (const { pick, wait, roll, ending } of steps) {
    at += wait;
    for (const due of wakes.filter((time) => time <= at).toSorted((a, b) => a - b)) {
      wakes.splice(wakes.indexOf(due), 1);
      happen({ kind: "woke", at });
    }
    happen(possible({ known, at, pick, roll, ending }));
  }

  happen({ kind: "stop", at });
  for (let i = 0; i <= order.length; i++) {
    for (const { id, life, state } of known.members) {
      if (state.tag === "Draining") happen({ kind: "drained", id, life, at });
    }
  }
  expect(lives.size).toBe(0);
};

const possible = (now: {
  known: SupervisorState;
  at: number;
  pick: number;
  roll: number;
  ending: string;
}): SupervisorEvent => {
  const { at, roll } = now;
  const choices = now.known.members.flatMap(({ id, life, state }): readonly SupervisorEvent[] => {
    const ending =
      now.ending === "normal"
        ? ({ kind: "normal" } as const)
        : ({ kind: now.ending === "hopeless" ? "hopeless" : "failed", error } as const);
    const asked: readonly SupervisorEvent[] = [
      { kind: "stop", id, at },
      { kind: "start", id, at },
      { kind: "restart", id, at },
    ];
    switch (state.tag) {
      case "Starting":
      case "Ready": {
        const ended: SupervisorEvent = { kind: "ended", id, life, ending, at, roll };
        return [{ kind: "ready", id, life, at }, ended, ended, ended, ...asked];
      }
      case "Draining":
        return [{ kind: "drained", id, life, at }, { kind: "drained", id, life, at }, ...asked];
      default:
        return asked;
    }
  });
  return choices[now.pick % choices.length] ?? { kind: "woke", at };
};

test("at once, a child whose start hangs delays no other", () => {
  const { known } = play(initialState({ ...rules("one_for_one"), startup: "at-once" }), [
    ...["a", "b", "c"].map((id): SupervisorEvent => ({ kind: "add", id, restart: "permanent", at: 0 })),
    { kind: "start", at: 1 },
  ]);
  expect(known.members.map(({ state }) => state.tag)).toEqual(["Starting", "Starting", "Starting"]);
});
