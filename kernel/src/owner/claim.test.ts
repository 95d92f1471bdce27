/**
 * Processes that claim a folder and are killed, in memory: every order of a few of them, and some of more. In words: at most one of them ever owns it; and once none
 * is killed any more, one of those that are left does, for each of them has its turns.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { claim, type LockFolder } from "./lock.ts";
import type { OwnerRecord } from "./record.ts";

const recordOf = (pid: number): OwnerRecord => ({
  schema: 1,
  pid,
  processStart: "",
  pidSpace: "",
  bootId: "",
  startedAt: "",
  command: "call",
  version: "1",
  user: "1",
  configuration: "",
  socket: "",
  key: "",
  url: null,
  phase: "open",
});

/** A process that wants to own the folder: looks, claims where the owner is gone, and begins again where it lost. */
class Actor {
  readonly #world: World;
  readonly pid: number;
  #steps: Generator<void, boolean, void> | undefined;
  state: "outside" | "owner" | "dead" = "outside";
  #number = 0;
  /** The files at each step of its claim: all that it can know. */
  #seen: string[] = [];

  /** What it does next, and whether it lives, depend on this alone. */
  get key(): string {
    return `${this.state} ${this.#number} ${this.#seen.join(" ")}`;
  }

  constructor(world: World, pid: number) {
    this.#world = world;
    this.pid = pid;
  }

  step(): void {
    if (this.state !== "outside") return;
    if (this.#steps === undefined) {
      const latest = Math.max(0, ...this.#world.folder.numbers());
      const pid = this.#world.files.get(latest);
      if (pid !== undefined && this.#world.isRunning(pid)) return;
      this.#number = latest + 1;
      this.#steps = claim(this.#world.folder, this.#number, recordOf(this.pid));
      return;
    }
    this.#seen.push(JSON.stringify([...this.#world.files]));
    const step = this.#steps.next();
    if (step.done !== true) return;
    this.#steps = undefined;
    this.#seen = [];
    this.#number = 0;
    if (step.value) this.state = "owner";
  }

  /** Ends at any moment; its file stays. */
  kill(): void {
    this.state = "dead";
  }
}

class World {
  readonly files = new Map<number, number>();
  readonly actors: readonly Actor[];
  readonly folder: LockFolder = {
    numbers: () => [...this.files.keys()],
    create: (number, { pid }) => {
      if (this.files.has(number)) return false;
      this.files.set(number, pid);
      return true;
    },
    remove: (number) => void this.files.delete(number),
  };

  constructor(count: number) {
    this.actors = Array.from({ length: count }, (_, pid) => new Actor(this, pid));
  }

  isRunning(pid: number): boolean {
    return this.actors[pid]?.state !== "dead";
  }

  get key(): string {
    return [JSON.stringify([...this.files]), ...this.actors.map(({ key }) => key)].join("\n");
  }

  owners(): readonly number[] {
    return this.actors.filter(({ state }) => state === "owner").map(({ pid }) => pid);
  }
}

const event = (count: number) =>
  fc.record({ actor: fc.nat(count - 1), kill: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0) });

interface Move {
  readonly actor: number;
  readonly kill: boolean;
}

const played = (count: number, moves: readonly Move[]): World => {
  const world = new World(count);
  for (const { actor, kill } of moves) {
    if (kill) world.actors[actor]?.kill();
    else world.actors[actor]?.step();
  }
  return world;
};

/** Every state that so many of them can come to, by each step and each kill from each state; and how many there are. */
const explore = (count: number, judge: (world: World, moves: readonly Move[]) => void): number => {
  const known = new Set<string>();
  const open: (readonly Move[])[] = [[]];
  for (const moves of open) {
    const world = played(count, moves);
    if (known.has(world.key)) continue;
    known.add(world.key);
    judge(world, moves);
    for (const [actor, { state }] of world.actors.entries())
      for (const kill of state === "dead" ? [] : [false, true]) open.push([...moves, { actor, kill }]);
  }
  return known.size;
};

const inLongTier = process.env.TESTS_TIER === "long";

describe("claiming a folder", () => {
  test("makes one process the owner in every order in which a few step and die, and another one after it", {
    timeout: 600_000,
  }, () => {
    const count = inLongTier ? 4 : 2;
    const states = explore(count, (world, moves) => {
      expect(world.owners().length).toBeLessThanOrEqual(1);
      if (world.actors.every(({ state }) => state === "dead")) return;
      const later = played(count, moves);
      for (let turn = 0; turn < 40; turn += 1) for (const actor of later.actors) actor.step();
      expect(later.owners().length).toBe(1);
    });
    expect(states).toBeGreaterThan(10 ** count);
  });

  test("makes at most one process the owner, in whatever order they run and die", () => {
    fc.assert(
      fc.property(fc.array(event(6), { minLength: 20, maxLength: 200 }), (events) => {
        const world = new World(6);
        for (const { actor, kill } of events) {
          if (kill) world.actors[actor]?.kill();
          else world.actors[actor]?.step();
          expect(world.owners().length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("makes one of those that are left the owner, once each of them has had its turns", () => {
    fc.assert(
      fc.property(fc.array(event(5), { maxLength: 80 }), fc.nat(4), (events, survivor) => {
        const world = new World(5);
        for (const { actor, kill } of events) {
          if (kill && actor !== survivor) world.actors[actor]?.kill();
          else world.actors[actor]?.step();
        }
        for (let turn = 0; turn < 40; turn += 1) for (const actor of world.actors) actor.step();
        expect(world.owners().length).toBe(1);
      }),
    );
  });

  test("is lost by who was so slow that its number is free again", () => {
    const world = new World(3);
    world.files.set(7, 2);
    world.actors[2]?.kill();
    const slow = claim(world.folder, 4, recordOf(0));
    world.files.set(7, 1);
    while (slow.next().done !== true);
    expect([...world.files]).toEqual([[7, 1]]);
  });
});
