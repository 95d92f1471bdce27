/** The state machine against a model: whatever is added, changed, removed, dies and comes back, what is connected is what is wanted. */
import { longestPause } from "@fairlead/kernel/service";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTarget, endpointKey, type Health, Simulation } from "../testing/simulation.ts";
import { connectionState } from "./connection.ts";
import { classify } from "./fault.ts";
import { backoff, bounds } from "./machine.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const names = ["a", "b", "c"];
const urls = ["http://one/mcp", "http://two/mcp", "http://three/mcp"];

const name = fc.constantFrom(...names);
const url = fc.constantFrom(...urls);
const health = fc.constantFrom<Health>("alive", "refusing", "silent", "broken");

type Command =
  | { readonly kind: "add"; readonly name: string; readonly url: string }
  | { readonly kind: "remove" | "demand" | "reconnect"; readonly name: string }
  | { readonly kind: "become"; readonly url: string; readonly health: Health }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "call"; readonly name: string }
  | { readonly kind: "ping"; readonly name: string; readonly answered: readonly boolean[] };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("add" as const), name, url }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("remove", "demand", "reconnect"), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("become" as const), url, health }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 700 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("call" as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("ping" as const), name, answered: fc.array(fc.boolean()) }) },
);

/** A run and what was wanted along it. */
const play = (commands: readonly Command[], chances: readonly number[]) => {
  let at = 0;
  const simulation = new Simulation(() => chances[at++ % chances.length] ?? 0);
  const wanted = new Map<string, string>();
  let removals = 0;
  for (const command of commands) {
    switch (command.kind) {
      case "add":
        wanted.set(command.name, command.url);
        simulation.send({ on: "add", name: command.name, target: createTarget(command.url) });
        break;
      case "remove":
        if (wanted.delete(command.name)) removals += 1;
        simulation.send({ on: "remove", name: command.name });
        break;
      case "demand":
      case "reconnect":
        simulation.send({ on: command.kind, name: command.name });
        break;
      case "become":
        simulation.become(command.url, command.health);
        break;
      case "pass":
        simulation.pass(command.ms);
        break;
      case "call":
        simulation.call(command.name);
        break;
      case "ping":
        for (const answered of command.answered) simulation.ping(command.name, answered);
    }
  }
  return { simulation, wanted, removals: () => removals };
};

const run = { commands: fc.array(command, { maxLength: 24 }), chances: fc.array(fc.nat(999), { minLength: 1 }) };
const chance = (numbers: readonly number[]): readonly number[] => numbers.map((number) => number / 1_000);

describe("any interleaving", () => {
  it("ends with what is wanted, connected once and to the right place, and never calls itself connected falsely (property 6)", () => {
    fc.assert(
      fc.property(run.commands, run.chances, (commands, chances) => {
        const { simulation, wanted, removals } = play(commands, chance(chances));
        for (const each of urls) simulation.become(each, "alive");
        simulation.pass(bounds.blockedMs + 10_000);
        const actual = [...simulation.open.values()].filter(({ up }) => up);
        expect(new Map(actual.map((each) => [each.name, endpointKey(each.target)]))).toEqual(wanted);
        expect(simulation.open.size).toBe(wanted.size);
        expect([...simulation.state.connections.values()].map(connectionState)).toEqual(
          [...wanted].map(() => "connected"),
        );
        expect(simulation.wrongs).toEqual([]);
        expect(simulation.published.filter(({ event }) => event.type === "Removed")).toHaveLength(removals());
      }),
      { numRuns: inLongTier ? 10_000 : 2_000 },
    );
  });

  it("reports nothing of a generation that another has followed, and nothing after the removal (property 13)", () => {
    fc.assert(
      fc.property(run.commands, run.chances, (commands, chances) => {
        const { simulation } = play(commands, chance(chances));
        simulation.pass(5_000);
        const latest = new Map<string, number>();
        for (const { event } of simulation.published) {
          if (event.type === "Removed") {
            expect(latest.get(event.name)).toBeDefined();
            latest.delete(event.name);
            continue;
          }
          const known = latest.get(event.name);
          if (known === undefined) expect(event.type).toBe("Connecting");
          else expect(event.generation).toBeGreaterThanOrEqual(known);
          latest.set(event.name, event.generation);
        }
      }),
      { numRuns: inLongTier ? 3_000 : 600 },
    );
  });

  it("never keeps open what is not an entry's own", () => {
    fc.assert(
      fc.property(run.commands, run.chances, (commands, chances) => {
        const { simulation } = play(commands, chance(chances));
        const own = new Set([...simulation.state.connections.values()].map(({ generation }) => generation));
        expect([...simulation.open.keys()].filter((generation) => !own.has(generation))).toEqual([]);
      }),
      { numRuns: inLongTier ? 3_000 : 600 },
    );
  });
});

const dead = (health: Health, chances: () => number = () => 0.999): Simulation => {
  const simulation = new Simulation(chances);
  simulation.become(urls[0] ?? "", health);
  simulation.send({ on: "add", name: "a", target: createTarget(urls[0] ?? "") });
  return simulation;
};

const delays = (simulation: Simulation): readonly number[] =>
  simulation.published.flatMap(({ event }) => (event.type === "Reconnecting" ? [event.delayMs] : []));

describe("a dead upstream", () => {
  it("is tried after 100 ms, doubling to 3 s, for ever", () => {
    const simulation = dead("refusing");
    simulation.pass(200_000);
    expect(delays(simulation).slice(0, 8)).toEqual([99, 199, 399, 799, 1_599, 2_998, 2_998, 2_998]);
    expect(delays(simulation).length).toBeGreaterThan(60);
    expect(delays(simulation).every((ms) => ms <= 3_000)).toBe(true);
  });

  it("has pauses between half their bound and all of it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 5 }),
        (chances) => {
          let at = 0;
          const simulation = dead("refusing", () => chances[at++ % chances.length] ?? 0);
          simulation.pass(5_000);
          const bound = (index: number): number => longestPause(index + 1, backoff);
          const outside = (ms: number, index: number): boolean => ms < bound(index) / 2 || ms > bound(index);
          expect(delays(simulation).filter(outside)).toEqual([]);
        },
      ),
    );
  });

  it("starts afresh after a success that lasted", () => {
    const simulation = dead("refusing");
    simulation.pass(5_000);
    simulation.become(urls[0] ?? "", "alive");
    simulation.pass(20_000);
    expect(simulation.entry("a")).toMatchObject({ phase: { tag: "connected" }, attempt: 0 });
    simulation.become(urls[0] ?? "", "refusing");
    simulation.pass(10);
    expect(simulation.entry("a")?.attempt).toBe(1);
  });

  it("is tried again even when its timer is early", () => {
    const simulation = dead("refusing");
    simulation.pass(50);
    const entry = simulation.entry("a");
    if (entry === undefined) throw new Error("not there");
    simulation.send({ on: "awake", generation: entry.generation });
    expect(simulation.entry("a")?.phase).toEqual(entry.phase);
    const begun = simulation.starts.length;
    simulation.pass(200);
    expect(simulation.starts.length).toBeGreaterThan(begun);
  });

  it("that dies as soon as it is up is not respawned ever faster", () => {
    const simulation = new Simulation(() => 0.999);
    simulation.send({ on: "add", name: "a", target: createTarget(urls[0] ?? "") });
    for (let ms = 0; ms < 20_000; ms += 10) {
      simulation.pass(10);
      const entry = simulation.entry("a");
      if (entry?.phase.tag === "connected") {
        simulation.send({ on: "lost", generation: entry.generation, fault: classify({ what: "closed" }) });
      }
    }
    expect(simulation.starts.length).toBeLessThan(15);
  });

  it("is tried at once for somebody who waits, and at most every 100 ms (property 4)", () => {
    const simulation = dead("refusing");
    simulation.pass(5_000);
    const before = simulation.starts.length;
    for (let ms = 0; ms < 1_000; ms += 5) {
      simulation.send({ on: "demand", name: "a" });
      simulation.pass(5);
    }
    const attempts = simulation.starts.length - before;
    expect(attempts).toBeGreaterThanOrEqual(8);
    expect(attempts).toBeLessThanOrEqual(11);
  });

  it("that waiting cannot fix is blocked, looked at every minute, and at once when asked (property 7)", () => {
    const simulation = dead("broken");
    simulation.pass(100);
    expect(simulation.entry("a")?.phase).toMatchObject({ tag: "waiting", after: "blocked" });
    expect(simulation.starts).toHaveLength(1);
    simulation.send({ on: "demand", name: "a" });
    simulation.pass(59_000);
    expect(simulation.starts).toHaveLength(1);
    simulation.pass(2_000);
    expect(simulation.starts).toHaveLength(2);
    simulation.send({ on: "reconnect", name: "a" });
    simulation.pass(100);
    expect(simulation.starts).toHaveLength(3);
    simulation.send({ on: "add", name: "a", target: createTarget(urls[1] ?? "") });
    simulation.pass(100);
    expect(simulation.entry("a")?.phase.tag).toBe("connected");
  });
});

describe("the gaps of the plan that this one replaces", () => {
  it("a service that died is not called connected, and is reconnected", () => {
    const simulation = dead("alive");
    simulation.pass(100);
    simulation.become(urls[0] ?? "", "refusing");
    simulation.pass(2);
    expect(simulation.entry("a")).toMatchObject({ phase: { tag: "waiting" }, fault: { reason: "closed" } });
    simulation.become(urls[0] ?? "", "alive");
    simulation.pass(3_100);
    expect(simulation.entry("a")?.phase.tag).toBe("connected");
  });

  it("an old loop that wakes after a change of address touches nothing and reports nothing", () => {
    const simulation = dead("refusing");
    simulation.pass(4_000);
    simulation.send({ on: "add", name: "a", target: createTarget(urls[1] ?? "") });
    const before = simulation.published.length;
    simulation.pass(60_000);
    expect(simulation.published.slice(before).map(({ event }) => event.type)).toEqual(["Connected"]);
    expect(simulation.published.some(({ event }) => event.type === "Removed")).toBe(false);
    expect(endpointKey(simulation.entry("a")?.target ?? createTarget(""))).toBe(urls[1]);
  });

  it("a black hole is left after a time and tried again", () => {
    const simulation = dead("silent");
    simulation.pass(10_000);
    expect(simulation.starts.length).toBeGreaterThan(3);
    expect(simulation.entry("a")).toMatchObject({ fault: { reason: "timeout" } });
  });

  it("adding the same again changes nothing", () => {
    const simulation = dead("alive");
    simulation.pass(100);
    const before = simulation.state;
    simulation.send({ on: "add", name: "a", target: createTarget(urls[0] ?? "") });
    expect(simulation.state).toEqual(before);
    expect(simulation.published.map(({ event }) => event.type)).toEqual(["Connecting", "Connected"]);
  });

  it("removing stops a loop that waits, and the attempt under way", () => {
    for (const ms of [1, 100, 3_000]) {
      const simulation = dead("refusing");
      simulation.pass(ms);
      simulation.send({ on: "remove", name: "a" });
      const begun = simulation.starts.length;
      simulation.pass(60_000);
      expect(simulation.starts.length).toBe(begun);
      expect(simulation.open.size).toBe(0);
      expect(simulation.published.at(-1)?.event).toEqual({ type: "Removed", name: "a" });
    }
  });
});

describe("one that rests", () => {
  it("is not begun until somebody waits for it, and is kept up from then on", () => {
    const simulation = new Simulation(() => 0.5);
    const url = urls[0] ?? "";
    simulation.send({ on: "add", name: "a", target: createTarget(url), waitsForDemand: true });
    simulation.pass(600_000);
    expect(simulation.starts).toEqual([]);
    expect(simulation.published.map(({ event }) => event.type)).toEqual(["Connecting"]);
    simulation.send({ on: "demand", name: "a" });
    simulation.pass(100);
    expect(simulation.entry("a")?.phase.tag).toBe("connected");
    simulation.become(url, "refusing");
    simulation.pass(100);
    simulation.become(url, "alive");
    simulation.pass(3_100);
    expect(simulation.entry("a")?.phase.tag).toBe("connected");
    simulation.send({ on: "remove", name: "a" });
    expect(simulation.open.size).toBe(0);
  });
});

describe("many dead upstreams", () => {
  const many = (health: Health, count: number) => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const simulation = new Simulation(random);
    for (let at = 0; at < count; at += 1) {
      simulation.become(`http://dead-${at}/`, health);
      simulation.send({ on: "add", name: `dead-${at}`, target: createTarget(`http://dead-${at}/`) });
    }
    return simulation;
  };

  it.each(["refusing", "silent"] as const)(
    "%s: at most 70 begin in any second, 8 at once, from the first on",
    (health) => {
      const simulation = many(health, 200);
      simulation.pass(30_000);
      expect(simulation.wrongs).toEqual([]);
      const starts = simulation.starts.map(({ at }) => at);
      const within = starts.map((from) => starts.filter((at) => at >= from && at < from + 1_000).length);
      expect(Math.max(...within)).toBeLessThanOrEqual(70);
      expect(new Set(simulation.starts.map(({ name }) => name)).size).toBe(200);
    },
  );

  it("may be so many that the last live one has to wait, but not for long", () => {
    const simulation = many("alive", 200);
    simulation.pass(3_500);
    expect([...simulation.state.connections.values()].map(connectionState)).toEqual(
      Array.from({ length: 200 }, () => "connected"),
    );
  });

  it("are tried at once for who waits, whatever the others have had", () => {
    const simulation = many("refusing", 200);
    simulation.pass(100);
    expect(simulation.starts.some(({ name }) => name === "dead-199")).toBe(false);
    simulation.send({ on: "demand", name: "dead-199" });
    simulation.pass(30);
    expect(simulation.starts.some(({ name }) => name === "dead-199")).toBe(true);
  });

  it("wake no more often than they are tried", () => {
    const simulation = many("refusing", 200);
    simulation.pass(10_000);
    const { starts, wakes } = { starts: simulation.starts.length, wakes: simulation.wakes };
    simulation.pass(10_000);
    expect(simulation.wakes - wakes).toBeLessThanOrEqual(2 * (simulation.starts.length - starts) + 200);
  });

  it("do not keep a live one waiting, even when they swallow everything", () => {
    const simulation = many("silent", 40);
    simulation.send({ on: "add", name: "live", target: createTarget(urls[0] ?? "") });
    simulation.pass(400);
    expect(simulation.entry("live")?.phase.tag).toBe("connected");
  });

  it("let the one go first that somebody waits for", () => {
    const simulation = many("silent", 100);
    simulation.send({ on: "add", name: "live", target: createTarget(urls[0] ?? "") });
    simulation.send({ on: "demand", name: "live" });
    simulation.pass(bounds.yieldMs + 25);
    expect(simulation.entry("live")?.phase.tag).toBe("connected");
  });

  it("all come back within 3.5 s of a common outage, without a spike (property 8)", () => {
    const simulation = many("refusing", 200);
    simulation.pass(30_000);
    const from = simulation.now;
    for (let at = 0; at < 200; at += 1) simulation.become(`http://dead-${at}/`, "alive");
    simulation.pass(3_500);
    expect([...simulation.state.connections.values()].filter(({ phase }) => phase.tag === "connected")).toHaveLength(
      200,
    );
    for (let at = from; at < from + 3_500; at += 50) {
      expect(simulation.starts.filter((start) => start.at >= at && start.at < at + 100).length).toBeLessThan(20);
    }
  });
});

describe("silence", () => {
  it("is a loss after three pings in a row, not before", () => {
    const simulation = dead("alive");
    simulation.pass(100);
    const generation = simulation.entry("a")?.generation;
    if (generation === undefined) throw new Error("not there");
    for (const on of ["missed", "missed", "heard", "missed", "missed"] as const) simulation.send({ on, generation });
    expect(simulation.entry("a")?.phase.tag).toBe("connected");
    simulation.send({ on: "missed", generation });
    expect(simulation.entry("a")).toMatchObject({ fault: { reason: "silent" } });
  });
});
