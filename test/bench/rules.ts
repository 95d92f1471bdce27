/**
 * The rules: resolutions a second, and the exact odds of an attack with ten dice, each against the obvious naive implementation.
 *
 * The naive resolver rolls with `Math.random`, knows one rule and says nothing about why; the naive odds try every fall of the
 * ten dice of a hit, and leave out the critical hit's twenty, which would take 10^7 times as long.
 */
import { decoder, type HandlerInput } from "@fairlead/contracts";
import rules from "@fairlead/contracts/rules";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import type { Call, Host, StartedService } from "@fairlead/kernel/service";
import service from "@fairlead/service-rules";

type Procedures = (typeof rules)["procedures"];

const rounds = 5;
const milliseconds = 400;

/** Level 17: a rapier's 1d8 and a sneak attack's 9d6. */
const game = {
  edition: "5.1",
  player: {
    name: "Aria",
    characterClass: "Rogue",
    level: 17,
    stats: { dexterity: 20 },
    weaponProficiencies: ["Rapier"],
    features: [{ name: "Sneak Attack" }],
    inventory: ["Rapier"],
  },
  npcs: [{ name: "Ogre", ac: 15, currentHp: 100, maxHp: 100, engaged: true }],
} as const;
const intent = { weapon: "Rapier", target: "Ogre", extra_damage_sources: ["Sneak Attack"] };

export const benchRules = async (): Promise<void> => {
  const running = service.start(host) as StartedService<typeof rules>;
  const handlers = typeof running.handlers === "function" ? await running.handlers() : running.handlers;
  const resolve = handlers.resolveAttack as (input: unknown, call: Call) => unknown;
  const odds = handlers.odds as (input: unknown, call: Call) => unknown;
  const attack = decode("resolveAttack", { game, intent, dice: { seed: "bench" } });
  const question = decode("odds", { game, question: { kind: "attack", intent } });
  const kernel = openMemoryKernel([service], { env: {} });
  const input = { game, intent, dice: { seed: "bench" } };

  const resolving = {
    naive: await rate(() => naiveAttack()),
    "resolveAttack, the handler alone": await rate(() => resolve(attack, call)),
    "resolveAttack, whole path": await rate(() => kernel.call("rules.resolveAttack", input)),
  };
  table("resolutions", "a second", resolving);

  const solving = {
    "naive, hits only": await rate(() => naiveOdds(), 1),
    "odds, the handler alone": await rate(() => odds(question, call)),
    "odds, whole path": await rate(() => kernel.call("rules.odds", { game, question: { kind: "attack", intent } })),
  };
  table("odds of a 10-die attack", "a second", solving);
  await kernel.close();
};

const table = (title: string, unit: string, rows: Readonly<Record<string, number>>): void => {
  const [first = 1] = Object.values(rows);
  console.log(`\n| ${title} | ${unit} | to naive |\n|---|---|---|`);
  for (const [name, figure] of Object.entries(rows)) {
    console.log(`| ${name} | ${figure.toPrecision(4)} | ${(figure / first).toPrecision(3)} |`);
  }
};

/** Best of a few rounds, so that a busy machine does not tell the story. */
const rate = async (once: () => unknown, turns = rounds): Promise<number> => {
  let best = 0;
  for (let round = 0; round < turns; round += 1) {
    const started = performance.now();
    let count = 0;
    while (performance.now() - started < milliseconds) {
      await once();
      count += 1;
    }
    best = Math.max(best, (count * 1_000) / (performance.now() - started));
  }
  return best;
};

const roll = (count: number, sides: number): number[] =>
  Array.from({ length: count }, () => 1 + Math.floor(Math.random() * sides));

const sum = (faces: readonly number[]): number => faces.reduce((total, face) => total + face, 0);

const naiveAttack = () => {
  const [die = 1] = roll(1, 20);
  const total = die + 5 + 6;
  const crit = die === 20;
  const success = crit || (die !== 1 && total >= 15);
  if (!success) return { die, total, success, damage: 0 };
  const rapier = roll(crit ? 2 : 1, 8);
  const sneak = roll(crit ? 18 : 9, 6);
  return { die, total, success, damage: sum(rapier) + 5 + sum(sneak), rapier, sneak };
};

/** How often each damage falls: 8 x 6^9 ways. */
const naiveOdds = (): Map<number, number> => {
  const ways = new Map<number, number>();
  const fall = (left: readonly number[], total: number): void => {
    const [sides, ...others] = left;
    if (sides === undefined) {
      ways.set(total, (ways.get(total) ?? 0) + 1);
      return;
    }
    for (let face = 1; face <= sides; face += 1) fall(others, total + face);
  };
  fall([8, ...Array.from({ length: 9 }, () => 6)], 5);
  return ways;
};

const decode = <N extends "resolveAttack" | "odds">(name: N, input: unknown): unknown => {
  const decoded = decoder<HandlerInput<Procedures[N]>>(rules.procedures[name].input)(input);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  return decoded.value;
};

const unsaved = () => Promise.reject(new Error("it keeps no sessions"));

const host: Host = {
  config: undefined,
  env: {},
  stays: true,
  stateDir: () => "",
  sessions: { load: unsaved, save: unsaved, remove: unsaved },
  span: () => undefined,
  log: () => undefined,
  event: () => undefined,
  events: () => {
    throw new Error("no events in a bench");
  },
  peer: () => {
    throw new Error("no peers in a bench");
  },
};

const call: Call = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  principal: { id: "bench", access: ["read"] },
  traceparent: "",
  innerAttempts: Number.POSITIVE_INFINITY,
  lastEventId: undefined,
  file: undefined,
  progress: () => undefined,
  log: () => undefined,
  run: undefined,
  question: () => Promise.reject(new Error("there is no caller")),
  fail: (...[reason]) => {
    throw new Error(reason);
  },
};
