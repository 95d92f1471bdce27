/**
 * Generations of connections, in every order of four actors over the real state machine: the user (adds, moves to another address, removes, asks for a reconnect), the
 * upstream (each attempt that was ever opened may still report something, also when it is long closed), the clock (the next timer), and a caller (a demand).
 * Seven of the eight places are taken by attempts that never answer, so that two connections want one place. In words:
 *
 * - what is open is what the connections are about: one attempt each, of their own generation, and nothing else;
 * - an attempt is opened once and closed once, never before it was opened, and no number is used twice;
 * - what comes from an old generation changes nothing and leads to nothing;
 * - events of a connection never go back to an older generation, and it is `Connected` only by the attempt that said so;
 * - a place is free only while the queue is empty, and each that waits has a timer or waits for a demand;
 * - whatever happened: once the user is quiet and upstreams answer, what is connected is what is wanted.
 *
 * Every state within so many steps is looked at once; two are the same where they differ only by how generations are numbered and when it all began.
 */
import { expect, test } from "vitest";
import { createTarget, endpointKey } from "../testing/simulation.ts";
import { type Generation, initialState, type MachineState } from "./connection.ts";
import { classify } from "./fault.ts";
import { bounds, type MachineAction, type MachineInput, step } from "./machine.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const urls = ["http://one/mcp", "http://two/mcp"].map(createTarget);
const [one, two] = urls;
if (one === undefined || two === undefined) throw new Error("no addresses");
const refused = classify({ what: "silent", misses: 3 });
const hopeless = classify({ what: "address", message: "none" });
const status = { what: "status", opening: true, session: false } as const;
const doubtful = classify({ what: "answer", message: "no JSON" });
if (doubtful.kind !== "doubtful") throw new Error("not in doubt");
const asksToWait = classify({ ...status, status: 503, retryAfterMs: 5_000 });

interface Attempt {
  readonly name: string;
  readonly target: string;
  readonly isClosed: boolean;
}

/** All there is: the machine's state, and what the actions have led to. */
interface World {
  readonly at: number;
  readonly state: MachineState;
  readonly attempts: ReadonlyMap<Generation, Attempt>;
  /** By name: the latest `wake`. */
  readonly timers: ReadonlyMap<string, { readonly generation: Generation; readonly at: number }>;
  readonly wanted: ReadonlyMap<string, string>;
  /** By name, since it was added: the latest generation that was reported. */
  readonly reported: ReadonlyMap<string, number>;
}

const empty: World = {
  at: 0,
  state: initialState,
  attempts: new Map(),
  timers: new Map(),
  wanted: new Map(),
  reported: new Map(),
};

const check = (isRight: boolean, sentence: string): void => {
  if (!isRight) throw new Error(sentence);
};

/** What an action does outside of the machine, where each has to be one that makes sense. */
const act = (world: World, action: MachineAction, input: MachineInput): World => {
  switch (action.do) {
    case "open": {
      check(!world.attempts.has(action.generation), "an attempt was opened twice");
      const { name, target } = action;
      const attempt = { name, target: endpointKey(target), isClosed: false };
      return { ...world, attempts: new Map(world.attempts).set(action.generation, attempt) };
    }
    case "close": {
      const attempt = world.attempts.get(action.generation);
      check(attempt !== undefined && !attempt.isClosed, "what is not open was closed");
      if (attempt === undefined) return world;
      return { ...world, attempts: new Map(world.attempts).set(action.generation, { ...attempt, isClosed: true }) };
    }
    case "wake": {
      const { name, generation, at } = action;
      return { ...world, timers: new Map(world.timers).set(name, { generation, at }) };
    }
    case "publish": {
      const { event } = action;
      const reported = new Map(world.reported);
      if (event.type === "Removed") {
        reported.delete(event.name);
        return { ...world, reported };
      }
      check(event.generation >= (reported.get(event.name) ?? 0), "an event goes back to an older generation");
      const isByItself = input.on === "opened" && input.generation === event.generation;
      check(event.type !== "Connected" || isByItself, "connected without an attempt that said so");
      return { ...world, reported: reported.set(event.name, event.generation) };
    }
  }
};

const wantedAfter = ({ wanted }: World, input: MachineInput): ReadonlyMap<string, string> => {
  const next = new Map(wanted);
  if (input.on === "add") next.set(input.name, endpointKey(input.target));
  if (input.on === "remove") next.delete(input.name);
  return next;
};

const after = (world: World, input: MachineInput, at = world.at): World => {
  const { state, actions } = step(world.state, input, { at, chance: 0.5 });
  const isOld =
    "generation" in input &&
    ![...world.state.connections.values()].some((each) => each.generation === input.generation);
  check(!isOld || (state === world.state && actions.length === 0), "an old generation changed something");
  let next: World = { ...world, at, state, wanted: wantedAfter(world, input) };
  for (const action of actions) next = act(next, action, input);
  return next;
};

const holds = ({ state, attempts, timers, wanted }: World): void => {
  const open = [...attempts].filter(([, { isClosed }]) => !isClosed);
  const own = [...state.connections.values()].filter(({ phase: { tag } }) => tag === "opening" || tag === "connected");
  check(open.length === own.length, "what is open is not what the connections are about");
  for (const { name, generation, target } of own) {
    const attempt = attempts.get(generation);
    const isOwn = attempt?.isClosed === false && attempt.name === name && attempt.target === endpointKey(target);
    check(isOwn, "a connection is about what is not open");
  }
  const entries = [...state.connections.values()];
  const targets = new Map(entries.map(({ name, target }) => [name, endpointKey(target)]));
  check(targets.size === wanted.size && [...wanted].every(([name, url]) => targets.get(name) === url), "not as wanted");
  const opening = new Set(entries.filter(({ phase }) => phase.tag === "opening").map(({ generation }) => generation));
  check(
    [...state.places].every((each) => opening.has(each)),
    "a place is taken by what is not an attempt under way",
  );
  check(state.places.size <= bounds.places, "more places than there are");
  const queued = entries.filter(({ phase }) => phase.tag === "queued").map(({ name }) => name);
  check(queued.toSorted().join() === state.queue.toSorted().join(), "the queue is not what waits for a place");
  check(queued.length === 0 || state.places.size === bounds.places, "a place is free, and one waits for it");
  for (const { name, generation, phase } of entries) {
    if (phase.tag !== "waiting") continue;
    const timer = timers.get(name);
    check(timer?.generation === generation && timer.at === phase.until, "one waits without a timer");
  }
};

const nextTimer = ({ timers, state }: World) =>
  [...timers.values()]
    .filter(({ generation, at }) => {
      const isOwn = [...state.connections.values()].some((each) => each.generation === generation);
      return isOwn && Number.isFinite(at);
    })
    .toSorted((a, b) => a.at - b.at)[0];

/** The upstreams answer, the clock goes on, the user does nothing. */
const heals = (world: World): void => {
  let last = world;
  for (let turn = 0; turn < 20; turn += 1) {
    for (const [generation, { isClosed, name }] of last.attempts) {
      if (!isClosed && !name.startsWith("busy")) last = after(last, { on: "opened", generation, tools: 1 });
    }
    const timer = nextTimer(last);
    if (timer !== undefined)
      last = after(last, { on: "awake", generation: timer.generation }, Math.max(last.at, timer.at));
  }
  for (const { name, phase } of last.state.connections.values()) {
    check(phase.tag === "connected" || name.startsWith("busy"), "one that is wanted is not connected");
  }
  holds(last);
};

interface Move {
  readonly what: string;
  readonly input: MachineInput;
  readonly at?: number;
}

/** Everything that can come next. */
const moves = (world: World, names: readonly string[]): readonly Move[] => {
  const found: Move[] = [];
  const move = (what: string, input: MachineInput, at?: number): void => {
    found.push({ what, input, ...(at !== undefined && { at }) });
  };
  for (const name of names) {
    for (const target of urls) move(`add ${name}`, { on: "add", name, target });
    for (const on of ["remove", "reconnect", "demand"] as const) move(`${on} ${name}`, { on, name });
  }
  for (const [generation, { name }] of world.attempts) {
    if (name.startsWith("busy")) continue;
    move("opened", { on: "opened", generation, tools: 1 });
    for (const fault of [refused, hopeless, doubtful, asksToWait]) {
      move("failed", { on: "failed", generation, fault });
      move("lost", { on: "lost", generation, fault });
    }
    for (const on of ["missed", "heard", "yield", "awake"] as const) move(on, { on, generation });
  }
  const timer = nextTimer(world);
  if (timer !== undefined) move("awake", { on: "awake", generation: timer.generation }, Math.max(world.at, timer.at));
  return found;
};

/** A world without its beginning: generations by their order, times from now on. */
const keyOf = ({ at, state, attempts, timers, wanted, reported }: World): string => {
  const generations = new Map(
    [...attempts.keys(), ...[...state.connections.values()].map((each) => each.generation)]
      .toSorted((a, b) => a - b)
      .map((generation, index) => [generation, index]),
  );
  const ago = (time: number): number => (Number.isFinite(time) ? Math.max(time - at, -bounds.blockedMs) : 1e9);
  return JSON.stringify([
    [...state.connections.values()].map((each) => [
      each.name,
      endpointKey(each.target),
      generations.get(each.generation),
      each.phase.tag === "waiting"
        ? {
            ...each.phase,
            until: ago(each.phase.until),
            notBefore: ago(each.phase.notBefore ?? Number.NEGATIVE_INFINITY),
          }
        : each.phase,
      each.fault?.kind === "doubtful",
      Math.max(ago(each.since), -3_000),
      each.attempt,
      each.streak,
      Math.max(ago(each.startedAt), -bounds.demandMs),
    ]),
    state.queue,
    [...state.places].map((each) => generations.get(each)),
    Math.max(ago(state.paceAt), 0),
    [...attempts.values()].map(({ name, isClosed }) => [name, isClosed]),
    [...timers].map(([name, timer]) => [name, generations.get(timer.generation), ago(timer.at)]),
    [...wanted],
    [...reported.keys()],
  ]);
};

/** How many different states there are within so many steps. */
const explore = (begin: World, names: readonly string[], depth: number): number => {
  const known = new Set([keyOf(begin)]);
  let open: { readonly world: World; readonly path: readonly string[] }[] = [{ world: begin, path: [] }];
  for (let steps = 0; steps < depth; steps += 1) {
    const next: typeof open = [];
    for (const { world, path } of open) {
      for (const { what, input, at } of moves(world, names)) {
        const way = [...path, what];
        try {
          const then = after(world, input, at);
          holds(then);
          const key = keyOf(then);
          if (known.has(key)) continue;
          known.add(key);
          heals(then);
          next.push({ world: then, path: way });
        } catch (cause) {
          throw new Error(way.join(", "), { cause });
        }
      }
    }
    open = next;
  }
  return known.size;
};

test("one connection, all places free", { timeout: 600_000 }, () => {
  const states = explore(empty, ["a"], inLongTier ? 10 : 5);
  expect(states).toBeGreaterThan(inLongTier ? 10_000 : 200);
});

test("two connections and one place", { timeout: 600_000 }, () => {
  let busy = empty;
  for (let at = 1; at < bounds.places; at += 1) busy = after(busy, { on: "add", name: `busy${at}`, target: one });
  expect(busy.state.places.size).toBe(bounds.places - 1);
  const states = explore(busy, ["a", "b"], inLongTier ? 6 : 3);
  expect(states).toBeGreaterThan(inLongTier ? 15_000 : 150);
});
