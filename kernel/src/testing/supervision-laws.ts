/** The laws of supervision over random trees of services, failures and clocks: a sample with every change, many more in the soak. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { longestPause, longestSlowPause } from "../supervision/backoff.ts";
import { type ChildRules, type Ending, type IntensityPolicy, isUp } from "../supervision/child-state.ts";
import { decide, initialState } from "../supervision/decide.ts";
import { findCycle } from "../supervision/settings.ts";
import type { Member, SupervisorAction, SupervisorEvent, SupervisorState } from "../supervision/supervisor-state.ts";

const error = { code: "unavailable", message: "fell", retryable: true } as const;
const backoff = { baseMs: 100, capMs: 3_000, slowMs: 30_000, healthyMs: 10_000 };
const intensity = { restarts: 3, withinMs: 60_000 };

interface Tree {
  readonly id: string;
  readonly exceeded: IntensityPolicy;
  /** Of the children before it, by their numbers. */
  readonly after: readonly number[];
  readonly bound: readonly number[];
}

/** Children depend on earlier ones only, so that there is no circle; the order that they are added in is another one. */
const trees = fc
  .array(
    fc.record({
      exceeded: fc.constantFrom<IntensityPolicy>("retry", "retry", "stay_down", "escalate"),
      after: fc.array(fc.nat(5), { maxLength: 2 }),
      bound: fc.array(fc.nat(5), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((children) =>
    children.map(
      (child, index): Tree => ({
        id: `${index}`,
        exceeded: child.exceeded,
        after: child.after.filter((other) => other < index),
        bound: child.bound.filter((other) => other < index),
      }),
    ),
  );

const step = fc.record({
  pick: fc.nat(1_000),
  wait: fc.constantFrom(0, 1, 50, 500, 4_000, 20_000, 61_000),
  roll: fc.double({ min: 0, max: 0.999, noNaN: true }),
  kind: fc.constantFrom("failed", "failed", "failed", "normal", "hopeless", "unresponsive"),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Plays all children, and holds every decision to the laws. */
class World {
  known: SupervisorState;
  at = 0;
  readonly #runs = new Map<string, number>();
  readonly #wakes: number[] = [];

  constructor(tree: readonly Tree[], turned: boolean) {
    this.known = initialState({ strategy: "one_for_one", startup: "at-once", intensity, backoff });
    for (const { id, exceeded, after, bound } of turned ? tree.toReversed() : tree) {
      const restartWith = bound.map(String);
      const rules: Partial<ChildRules> = { exceeded, startAfter: [...after.map(String), ...restartWith], restartWith };
      this.happen({ kind: "add", id, restart: "permanent", rules, at: 0 });
    }
  }

  happen(event: SupervisorEvent): void {
    const { next, actions } = decide(this.known, event);
    const before = this.known;
    this.known = next;
    if (event.kind === "drained" || (event.kind === "ended" && this.#state(before, event.id) === "Starting"))
      if (this.#runs.get(event.id) === event.life) this.#runs.delete(event.id);
    for (const action of actions) this.#check(action, event);
    for (const member of next.members) this.#checkMember(member, event);
  }

  /** Time passes, and what was to wake wakes. */
  pass(ms: number): void {
    this.at += ms;
    for (const due of this.#wakes.filter((time) => time <= this.at)) {
      this.#wakes.splice(this.#wakes.indexOf(due), 1);
      this.happen({ kind: "woke", at: this.at });
    }
  }

  play({ pick, wait, roll, kind }: Step): void {
    this.pass(wait);
    const { at } = this;
    const ending: Ending = kind === "normal" ? { kind } : { kind, error };
    const choices = this.known.members.flatMap(({ id, life, state }): readonly SupervisorEvent[] => {
      const requests: readonly SupervisorEvent[] = [
        { kind: "stop", id, at },
        { kind: "start", id, at },
        { kind: "restart", id, at },
      ];
      if (!isUp(state)) return requests;
      if (state.tag === "Draining")
        return [
          { kind: "drained", id, life, at },
          { kind: "drained", id, life, at },
        ];
      const ended: SupervisorEvent = { kind: "ended", id, life, ending, at, roll };
      return [{ kind: "ready", id, life, at }, { kind: "ready", id, life, at }, ended, ended, ended, ...requests];
    });
    const event = choices[pick % choices.length];
    if (event !== undefined) this.happen(event);
  }

  /** Every start succeeds from now on, and every stop ends, until nothing happens any more. */
  settle(): void {
    for (let i = 0; i < 200; i++) {
      for (const { id, life, state } of this.known.members) {
        if (state.tag === "Starting" && isUp(state)) this.happen({ kind: "ready", id, life, at: this.at });
        if (state.tag === "Draining") this.happen({ kind: "drained", id, life, at: this.at });
      }
      this.pass(31_000);
    }
  }

  get running(): number {
    return this.#runs.size;
  }

  #state(known: SupervisorState, id: string) {
    return known.members.find((member) => member.id === id)?.state.tag;
  }

  #member(id: string): Member {
    const found = this.known.members.find((member) => member.id === id);
    if (found === undefined) throw new Error(`no child ${id}`);
    return found;
  }

  #check(action: SupervisorAction, event: SupervisorEvent): void {
    switch (action.kind) {
      case "start":
        expect(this.#runs.has(action.id)).toBe(false);
        // Order of starts: what it needs is ready.
        for (const needed of this.#member(action.id).rules.startAfter)
          expect(this.#member(needed).state.tag).toBe("Ready");
        this.#runs.set(action.id, action.life);
        return;
      case "stop": {
        expect(this.#runs.get(action.id)).toBe(action.life);
        if (event.kind === "ended" && event.id === action.id) return;
        // Order of stops: none that needs it and stops as well is still up.
        const later = this.known.members.filter(
          ({ rules, wish }) => rules.startAfter.includes(action.id) && wish !== "up",
        );
        expect(later.filter(({ state }) => isUp(state))).toEqual([]);
        return;
      }
      case "wake":
        this.#wakes.push(action.at);
        return;
      case "give-up":
        expect(this.#member(action.id).rules.exceeded).toBe("escalate");
    }
  }

  #checkMember(member: Member, event: SupervisorEvent): void {
    const { id, state, rules, recent, attempt } = member;
    expect(isUp(state)).toBe(this.#runs.has(id));
    if (rules.exceeded !== "retry") expect(recent.length).toBeLessThanOrEqual(rules.intensity.restarts);
    const coming = member.outcome ?? state;
    if (event.kind !== "ended" || event.id !== id || coming.tag !== "Backoff") return;
    // No restart beyond the intensity: one more than the window holds comes slowly, or not at all.
    const pause = coming.until - event.at;
    if (event.ending.kind !== "unresponsive" && recent.length > rules.intensity.restarts) {
      expect(rules.exceeded).toBe("retry");
      expect(pause).toBeGreaterThanOrEqual(Math.floor(longestSlowPause(rules.intensity.restarts, backoff) / 2));
    }
    expect(pause).toBeLessThanOrEqual(Math.max(longestPause(attempt, backoff), longestSlowPause(attempt + 3, backoff)));
  }
}

/** So many times the sample's count of histories; drawn from this seed, or from that of the run. */
export const testLaws = (times: number, seed?: number): void => {
  const runs = (count: number) => ({ numRuns: count * times, ...(seed !== undefined && { seed }) });

  test("no history of any tree breaks the intensity or the order, and nothing is left running", () => {
    fc.assert(
      fc.property(trees, fc.boolean(), fc.array(step, { maxLength: 60 }), (tree, turned, steps) => {
        const world = new World(tree, turned);
        world.happen({ kind: "start", at: 0 });
        for (const one of steps) world.play(one);
        world.happen({ kind: "stop", at: world.at });
        world.settle();
        expect(world.running).toBe(0);
      }),
      runs(400),
    );
  });

  test("whatever has happened, what is asked to run runs once nothing fails any more", () => {
    fc.assert(
      fc.property(trees, fc.boolean(), fc.array(step, { maxLength: 60 }), (tree, turned, steps) => {
        const world = new World(tree, turned);
        world.happen({ kind: "start", at: 0 });
        for (const one of steps) world.play(one);
        world.happen({ kind: "start", at: world.at });
        world.settle();
        expect(world.known.members.map(({ state }) => state.tag)).toEqual(tree.map(() => "Ready"));
      }),
      runs(200),
    );
  });

  test("services that may come back come back by themselves", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const world = new World([{ id: "0", exceeded: "retry", after: [], bound: [] }], false);
        world.happen({ kind: "start", at: 0 });
        for (const { wait, roll } of steps) {
          world.pass(wait);
          const [member] = world.known.members;
          if (member === undefined || !isUp(member.state)) continue;
          const { id, life, state } = member;
          if (state.tag === "Draining") world.happen({ kind: "drained", id, life, at: world.at });
          else world.happen({ kind: "ended", id, life, ending: { kind: "failed", error }, at: world.at, roll });
        }
        world.settle();
        expect(world.known.members[0]?.state.tag).toBe("Ready");
      }),
      runs(100),
    );
  });

  test("a circle is found by name, and a tree has none", () => {
    const edges = (tree: readonly Tree[]) =>
      new Map(tree.map(({ id, after, bound }) => [id, [...after, ...bound].map(String)]));
    fc.assert(
      fc.property(trees, (tree) => {
        expect(findCycle(edges(tree))).toBeUndefined();
      }),
      runs(100),
    );
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), (tree, one, two) => {
        const [from, to] = [one % tree.length, two % tree.length].toSorted((a, b) => a - b) as [number, number];
        const closed = edges(tree);
        closed.set(`${from}`, [...(closed.get(`${from}`) ?? []), `${to}`]);
        closed.set(`${to}`, [...(closed.get(`${to}`) ?? []), `${from}`]);
        const cycle = findCycle(closed);
        expect(cycle?.at(0)).toBe(cycle?.at(-1));
        for (const [i, id] of (cycle ?? []).entries()) {
          const next = cycle?.[i + 1];
          if (next !== undefined) expect(closed.get(id)).toContain(next);
        }
        expect(cycle).toBeDefined();
      }),
      runs(100),
    );
  });
};
