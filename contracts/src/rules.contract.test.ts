/** The examples people run by hand are the contract's own, and every one of them decodes. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decoder } from "./core/index.ts";
import rules from "./rules.contract.ts";

const files = {
  resolveAttack: "attack",
  resolveSkillCheck: "skill-check",
  resolveSavingThrow: "saving-throw",
  markImpossible: "impossible",
  markNoCheck: "no-check",
  replay: "replay",
} as const;

const procedures = Object.entries(files).map(([name, file]) => {
  const procedure = rules.procedures[name as keyof typeof files];
  const text = readFileSync(new URL(`../../examples/${file}.json`, import.meta.url), "utf8");
  return { name, procedure, example: JSON.parse(text) as unknown };
});

describe.each(procedures)("$name", ({ procedure, example }) => {
  test("its example file is its first example", () => {
    expect(example).toEqual(procedure.examples?.[0]?.input);
  });

  test("its example decodes", () => {
    expect(decoder(procedure.input)(example)).toMatchObject({ ok: true });
  });
});

test.each(["odds", "classify"] as const)("examples/%s.json decodes", (name) => {
  const text = readFileSync(new URL(`../../examples/${name}.json`, import.meta.url), "utf8");
  expect(decoder(rules.procedures[name].input)(JSON.parse(text))).toMatchObject({ ok: true });
});

test("a sheet without its maximum of hit points does not fight, where it fought with 1", () => {
  const { input, examples } = rules.procedures.startEncounter;
  const example = structuredClone(examples?.[0]?.input) as { party: { maxHP?: number }[] };
  expect(decoder(input)(example)).toMatchObject({ ok: true });
  delete example.party[0]?.maxHP;
  expect(decoder(input)(example)).toMatchObject({ ok: false, issues: [{ path: "party[0].maxHP" }] });
});

const attack = (change: (input: AttackExample) => void) => {
  const example = structuredClone(procedures[0]?.example) as AttackExample;
  change(example);
  return decoder(rules.procedures.resolveAttack.input)(example);
};

interface AttackExample {
  readonly game: {
    edition?: string;
    player: Record<string, unknown>;
    npcs: Record<string, unknown>[];
    scene?: Record<string, unknown> | null;
  };
  readonly intent: Record<string, unknown>;
  dice: Record<string, unknown>;
  [field: string]: unknown;
}

describe("a sheet is taken as it is", () => {
  test.each<[string, (input: AttackExample) => void]>([
    ["fields that no rule reads", ({ game }) => Object.assign(game.player, { maxCantrips: 3, maxKnownSpells: 6 })],
    [
      "a level-up that is pending",
      ({ game }) => Object.assign(game.player, { pendingLevelUp: { fromLevel: 1, levels: [{ level: 2 }] } }),
    ],
    ["fields of its own", ({ game }) => Object.assign(game.player, { strenght: 20, tags: ["x"] })],
    ["fields of its own in a creature", ({ game }) => Object.assign(game.npcs[0] ?? {}, { portrait: "goblin.png" })],
    ["fields of its own in the scene", ({ game }) => Object.assign(game, { scene: { weather: "rain" } })],
    [
      "null for what is left out",
      ({ game }) => Object.assign(game.player, { subclass: null, cantrips: null, knownSpells: null, spellSlots: null }),
    ],
    ["null for a scene", ({ game }) => Object.assign(game, { scene: null })],
    [
      "null in a feature",
      ({ game }) => Object.assign(game.player, { features: [{ name: "Rage", chosenOption: null }] }),
    ],
    ["negative hit points", ({ game }) => Object.assign(game.player, { currentHP: -3 })],
    ["negative hit points of a creature", ({ game }) => Object.assign(game.npcs[0] ?? {}, { currentHp: -7 })],
    [
      "a long description",
      ({ game }) => Object.assign(game.player, { features: [{ name: "Rage", description: "long ".repeat(4_000) }] }),
    ],
    ["no edition", ({ game }) => delete game.edition],
  ])("%s", (_, change) => {
    expect(attack(change)).toMatchObject({ ok: true });
  });

  test("hit points below 0 count as 0, and the edition is 5.1", () => {
    const decoded = attack(({ game }) => {
      delete game.edition;
      game.player.currentHP = -3;
    });
    expect(decoded).toMatchObject({ ok: true, value: { game: { edition: "5.1", player: { currentHP: 0 } } } });
  });
});

describe("a mistyped field of the call is refused with the nearest name", () => {
  test.each<[string, (input: AttackExample) => void, string]>([
    ["intent.wepon", ({ intent }) => Object.assign(intent, { wepon: "Rapier" }), "weapon"],
    ["dice.sead", ({ dice }) => Object.assign(dice, { sead: 1 }), "seed"],
    ["dise", (input) => Object.assign(input, { dise: { seed: 1 } }), "dice"],
    ["game.scenes", ({ game }) => Object.assign(game, { scenes: {} }), "scene"],
  ])("%s", (path, change, near) => {
    expect(attack(change)).toMatchObject({ ok: false, issues: [{ path, fix: `did you mean ${near}?` }] });
  });
});

test.each([
  ["class", "characterClass"],
  ["lvl", "level"],
])("a required field sent as `%s` is refused with its name", (wrong, right) => {
  const { [right]: value, ...player } = { name: "Bo", characterClass: "Fighter", level: 1 } as Record<string, unknown>;
  const decode = decoder(rules.procedures.resolveSkillCheck.input);
  const sent = { game: { player: { ...player, [wrong]: value } }, intent: { skill: "Athletics", dc: 10 } };
  expect(decode(sent)).toMatchObject({
    ok: false,
    issues: [{ path: `game.player.${right}`, expected: `\`${right}\`, which was sent as \`${wrong}\`` }],
  });
});

describe("skills and abilities are read in letters of any case", () => {
  test.each([
    ["resolveSkillCheck", { skill: "stealth" }, { skill: "Stealth" }],
    ["resolveSkillCheck", { skill: "SLEIGHT_OF_HAND" }, { skill: "Sleight of Hand" }],
    ["resolveSavingThrow", { ability: "Dexterity" }, { ability: "dexterity" }],
    ["resolveAbilityCheck", { ability: "STR" }, { ability: "strength" }],
  ] as const)("%s: %o", (name, named, read) => {
    const player = { name: "Bo", characterClass: "Fighter", level: 1 };
    const decode = decoder(rules.procedures[name].input);
    expect(decode({ game: { player }, intent: { ...named, dc: 10 } })).toMatchObject({
      ok: true,
      value: { intent: read },
    });
    expect(decode({ game: { player }, intent: { skill: "Cooking", ability: "luck", dc: 10 } })).toMatchObject({
      ok: false,
    });
  });
});

test("a minimal character is enough", () => {
  const decode = decoder(rules.procedures.resolveSkillCheck.input);
  const player = { name: "Bo", characterClass: "Fighter", level: 1 };
  expect(decode({ game: { edition: "5.2", player }, intent: { skill: "Athletics", dc: 10 } })).toMatchObject({
    ok: true,
  });
});
