/** The service at its edge: examples, output that fits the contract, seeds, declared errors, and the same bytes every time. */
import { type CallerInput, decoder, FairleadError, type HandlerInput } from "@fairlead/contracts";
import rules, { type RollResult } from "@fairlead/contracts/rules";
import type { Call, Host, StartedService } from "@fairlead/kernel/service";
import { describe, expect, test } from "vitest";
import { rulesConfig } from "./classify/settings.ts";
import service from "./service.ts";

type Procedures = (typeof rules)["procedures"];
type Name = keyof Procedures;

const unsaved = () => Promise.reject(new Error("it keeps no sessions"));

const host: Host = {
  config: rulesConfig.parse({}),
  env: {},
  stays: true,
  stateDir: () => "",
  sessions: { load: unsaved, save: unsaved, remove: unsaved },
  span: () => undefined,
  log: () => undefined,
  event: () => undefined,
  events: () => {
    throw new Error("no events here");
  },
  peer: () => {
    throw new Error("no peers here");
  },
};
const running = service.start(host) as StartedService<typeof rules>;
const handlers = typeof running.handlers === "function" ? await running.handlers() : running.handlers;

const call = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  principal: { id: "test", access: ["read"] },
  traceparent: "",
  lastEventId: undefined,
  progress: () => undefined,
  fail: (reason: string, text: { readonly message: string }, data?: unknown) =>
    new FairleadError({ code: "invalid_argument", reason, message: text.message, data }),
} as const;

/** Decodes as dispatch does, calls the handler, and checks the output as dispatch does. */
const answerTo = <N extends Name>(name: N, input: CallerInput<Procedures[N]>): unknown => {
  const decoded = decoder<HandlerInput<Procedures[N]>>(rules.procedures[name].input)(input);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  const handler = handlers[name] as (input: unknown, call: unknown) => unknown;
  return handler(decoded.value, call as unknown as Call);
};

const checked = <T>(name: Name, answer: T): T => {
  expect(decoder(rules.procedures[name].output)(answer)).toEqual({ ok: true, value: answer });
  return answer;
};

const ask = <N extends Name>(name: N, input: CallerInput<Procedures[N]>): RollResult =>
  checked(name, answerTo(name, input) as RollResult);

/** Those of an encounter, which is kept on disk (`encounter/encounters.test.ts`). */
const kept = [
  "startEncounter",
  "encounterState",
  "endTurn",
  "undoAction",
  "endEncounter",
  "encounterLog",
  "encounters",
  "encounterOdds",
  "rest",
];
const names = (Object.keys(rules.procedures) as Name[]).filter((name) => !kept.includes(name));
const exampleInput = (name: Name) =>
  structuredClone(rules.procedures[name].examples?.[0]?.input) as CallerInput<Procedures[Name]>;
const attack = () => exampleInput("resolveAttack") as CallerInput<Procedures["resolveAttack"]>;

describe.each(names)("%s", (name) => {
  test("its example gives an answer that fits the contract, twice the same", async () => {
    const first = JSON.stringify(checked(name, await answerTo(name, exampleInput(name))));
    expect(JSON.stringify(await answerTo(name, exampleInput(name)))).toBe(first);
  });

  test("an answer is plain JSON: integers, text, no holes", async () => {
    const answer = await answerTo(name, exampleInput(name));
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    const numbers = JSON.stringify(answer).match(/(?<=[:[,])-?\d[\d.eE+-]*(?=[,\]}])/g) ?? [];
    for (const number of numbers) expect(Number.isInteger(Number(number))).toBe(true);
  });
});

test("Aria's attack, by its seed", () => {
  const { checkType, components, dieResult, total, success, damage, raw, dice } = ask("resolveAttack", attack());
  expect({ checkType, components, dieResult, total, success, damage: damage?.totalDamage }).toEqual({
    checkType: "Rapier Attack",
    components: "DEX +4, Prof +3 = +7",
    dieResult: 12,
    total: 19,
    success: true,
    damage: 17,
  });
  expect(raw).toBe(
    [
      "CHECK: Rapier Attack",
      "COMPONENTS: DEX +4, Prof +3 = +7",
      "ROLL: 12 + 7 = 19",
      "DC/AC: 15",
      "RESULT: SUCCESS",
      "DAMAGE: Rapier: 1d8+4 piercing; Sneak Attack: 3d6 piercing",
      "NOTES: 19 hits Goblin, AC 15. 17 damage",
    ].join("\n"),
  );
  expect(dice?.draws.map(({ sides }) => sides)).toEqual([20, 8, 6, 6, 6]);
});

test("without dice the server makes a seed, and the seed gives the answer again", () => {
  const { dice: _, ...input } = attack();
  const first = ask("resolveAttack", input);
  const seed = first.dice?.seed ?? "";
  expect(seed).toMatch(/^[0-9a-f]{32}$/);
  expect(first.dice?.madeBy).toBe("server");
  const again = ask("resolveAttack", { ...input, dice: { seed } });
  expect(again).toEqual({ ...first, dice: { ...first.dice, madeBy: "caller" } });
  expect(ask("resolveAttack", input).dice?.seed).not.toBe(seed);
});

test("a number and its text are one seed", () => {
  expect(ask("resolveAttack", { ...attack(), dice: { seed: 42 } })).toEqual(
    ask("resolveAttack", { ...attack(), dice: { seed: "42" } }),
  );
});

test("the draws of a seeded answer, given as values, give the answer again", () => {
  const { dice, ...first } = ask("resolveAttack", attack());
  const values = dice?.draws.map(({ value }) => value) ?? [];
  const { dice: given, ...again } = ask("resolveAttack", { ...attack(), dice: { values } });
  expect(again).toEqual(first);
  expect(given).toMatchObject({ source: "values", madeBy: "caller", unused: 0 });
  expect(given?.draws).toEqual(dice?.draws);
});

describe("declared errors", () => {
  const reasonOf = (
    change: (input: CallerInput<Procedures["resolveAttack"]>) => CallerInput<Procedures["resolveAttack"]>,
  ) => {
    try {
      ask("resolveAttack", change(attack()));
    } catch (thrown) {
      if (thrown instanceof FairleadError) return thrown.reason;
      throw thrown;
    }
    return undefined;
  };
  const intent = (change: object) => reasonOf((input) => ({ ...input, intent: { ...input.intent, ...change } }));

  test.each([
    ["unknown_weapon", { weapon: "Chainsaw" }],
    ["unknown_target", { target: "Nobody" }],
    ["unknown_damage_source", { extra_damage_sources: ["Fire Punch"] }],
    ["unknown_spell", { is_spell_attack: true, spell_name: "Wish" }],
  ])("%s", (reason, change) => expect(intent(change)).toBe(reason));

  test("ambiguous_name", () => {
    const twin = { name: "Goblin", ac: 12, id: "goblin-2" };
    expect(reasonOf((input) => ({ ...input, game: { ...input.game, npcs: [...(input.game.npcs ?? []), twin] } }))).toBe(
      "ambiguous_name",
    );
    expect(
      reasonOf((input) => ({
        ...input,
        game: { ...input.game, npcs: [...(input.game.npcs ?? []), twin] },
        intent: { ...input.intent, target: "goblin-2" },
      })),
    ).toBeUndefined();
  });

  test("bad_house_rule", () => {
    const houseRules = "effect Hymn | save | lots";
    expect(reasonOf((input) => ({ ...input, game: { ...input.game, rulings: { houseRules } } }))).toBe(
      "bad_house_rule",
    );
    expect(() =>
      ask("passiveScore", {
        game: { player: { name: "A", characterClass: "Bard", level: 1 }, rulings: { houseRules } },
        intent: { skill: "Stealth" },
      }),
    ).toThrow("line 1");
  });

  test("not_enough_dice and impossible_die", () => {
    expect(reasonOf((input) => ({ ...input, dice: { values: [15] } }))).toBe("not_enough_dice");
    expect(reasonOf((input) => ({ ...input, dice: { values: [25] } }))).toBe("impossible_die");
  });

  test("every declared reason of the attack is tested here", () => {
    expect(Object.keys(rules.procedures.resolveAttack.errors ?? {}).sort()).toEqual([
      "ambiguous_name",
      "bad_house_rule",
      "impossible_die",
      "not_enough_dice",
      "unknown_damage_source",
      "unknown_spell",
      "unknown_target",
      "unknown_weapon",
    ]);
  });
});

describe("the game is the whole typed game in every procedure that takes one", () => {
  const taking = names.filter((name) => Object.hasOwn(exampleInput(name), "game"));
  const refused = (name: Name, change: (player: Record<string, unknown>) => void) => {
    const input = exampleInput(name) as { readonly game: { readonly player: Record<string, unknown> } };
    change(input.game.player);
    const decoded = decoder(rules.procedures[name].input)(input);
    return decoded.ok ? [] : decoded.issues.map(({ path }) => path);
  };

  test.each(taking)("%s takes a field that no rule reads, and refuses a score out of bounds by its path", (name) => {
    expect(refused(name, (player) => Object.assign(player, { strenght: 20 }))).toEqual([]);
    expect(refused(name, (player) => Object.assign(player, { stats: { dexterity: 99 } }))).toEqual([
      "game.player.stats.dexterity",
    ]);
  });
});

describe("a token that may only read", () => {
  const reads = { ...call, principal: { id: "test", access: ["read"] } };
  const scoped = {
    ...call,
    principal: {
      id: "test",
      access: ["read", "call"],
      grants: [
        { access: ["read"], services: ["rules"] },
        { access: ["call"], services: ["loop"] },
      ],
    },
  };

  test.each([
    ["read access", reads],
    ["another service's call access", scoped],
  ])("with %s resolves by value, and does not act in a fight", async (_, narrow) => {
    const { noCheck } = handlers as unknown as Record<string, (input: unknown, call: unknown) => unknown>;
    expect(noCheck?.({ reason: "an open door" }, narrow)).toMatchObject({ noCheck: true });
    expect(() => noCheck?.({ reason: "an open door", encounter: "any" }, narrow)).toThrow(
      "test may resolve a game by value, and not act in an encounter",
    );
  });
});
