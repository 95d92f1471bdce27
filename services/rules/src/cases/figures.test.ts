/** Concentration, and the figures that class tables and the sheet come to. */
import type { Figure, Game } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { attacksPerAction, bardicDie, cantripTier, martialArtsDie, rageDamage } from "../data/classes.ts";
import { scriptedDice } from "../dice/source.ts";
import { resolveConcentration } from "../resolve/concentration.ts";
import { listFigures } from "../resolve/figures.ts";
import { proficiencyBonus } from "../sheet/character.ts";
import { buildGame, type Case, describeRule, features } from "../testing/case.ts";

const editions = ["5.1", "5.2"] as const;

describe(describeRule("concentration", "concentration"), () => {
  const keep = (edition: Game["edition"], damage: number, dice: number[], player: NonNullable<Case["player"]> = {}) =>
    resolveConcentration(
      buildGame({ player, scene: { incoming: { dice: "9d9", onSuccess: "half" } } }, edition),
      damage,
      scriptedDice(dice),
    );

  test.each([
    ["5.1", 1, "10"],
    ["5.1", 21, "10"],
    ["5.1", 22, "11"],
    ["5.1", 23, "11"],
    ["5.1", 80, "40"],
    ["5.2", 80, "30"],
    ["5.2", 59, "29"],
  ] as const)("%s: %i damage is DC %s", (edition, damage, dc) => {
    expect(keep(edition, damage, [12]).dcOrAc).toBe(dc);
  });

  test.each(editions)("%s: kept, with proficiency in Constitution saves", (edition) => {
    const player = { level: 5, stats: { constitution: 14 }, savingThrowProficiencies: ["constitution"] };
    const { total, success, changes, damage, checkType } = keep(edition, 30, [10], player);
    expect({ total, success, changes, damage, checkType }).toEqual({
      total: 15,
      success: true,
      changes: [],
      damage: undefined,
      checkType: "Concentration",
    });
  });

  test.each(editions)("%s: lost", (edition) => {
    const { success, changes, rules } = keep(edition, 30, [14]);
    expect(success).toBe(false);
    expect(changes).toMatchObject([{ who: "Aria", field: "conditions", op: "remove", value: "Concentrating" }]);
    expect(rules).toContainEqual(expect.objectContaining({ number: "dcOrAc", effect: "15", rule: "concentration" }));
  });

  test.each(["Incapacitated", "Stunned", "Unconscious"])("%s: lost without a roll", (condition) => {
    const { success, dieResult, changes } = keep("5.2", 4, [], { conditions: [condition] });
    expect({ success, dieResult, lost: changes.length }).toEqual({ success: false, dieResult: 0, lost: 1 });
  });

  test.each(editions)("%s: a rage keeps none", (edition) => {
    const { success, dieResult } = keep(edition, 4, [], { effects: [{ name: "Rage" }] });
    expect({ success, dieResult }).toEqual({ success: false, dieResult: 0 });
  });

  test("Bless helps", () => {
    expect(keep("5.1", 4, [7, 3], { effects: [{ name: "Bless" }] })).toMatchObject({ total: 10, success: true });
  });
});

type Worn = NonNullable<NonNullable<Case["player"]>["worn"]>;
const figures = (player: NonNullable<Case["player"]>, worn: Worn = {}, edition: Game["edition"] = "5.1") =>
  new Map(
    listFigures(buildGame({ player: { ...player, worn } }, edition)).map((figure): [string, Figure] => [
      figure.name,
      figure,
    ]),
  );

test("unarmed damage: 1 and STR; a monk without armor has the die of the edition, and the better of STR and DEX", () => {
  const shown = (player: NonNullable<Case["player"]>, worn: Worn, edition: Game["edition"]) =>
    figures({ level: 11, stats: { strength: 12, dexterity: 16 }, ...player }, worn, edition).get("unarmed-damage");
  const monk = { characterClass: "Monk", ...features("Martial Arts") };
  expect(shown({}, {}, "5.1")).toMatchObject({ value: "2", components: "1, STR +1 = 2" });
  expect(shown(monk, {}, "5.1")).toMatchObject({ value: "1d8+3", components: "1d8, DEX +3" });
  expect(shown(monk, {}, "5.2")).toMatchObject({ value: "1d10+3" });
  expect(shown({ ...monk, stats: {} }, {}, "5.2")).toMatchObject({ value: "1d10" });
  expect(shown(monk, { shield: 2 }, "5.1")).toMatchObject({ value: "2" });
});

test("exhaustion: 5.1 halves speed at 2, hit points at 4, and stops at 5; 5.2 takes 5 feet a level", () => {
  const shown = (exhaustion: number, edition: Game["edition"]) => {
    const all = figures({ exhaustion, maxHP: 31 }, {}, edition);
    return [all.get("speed")?.value, all.get("hit-point-maximum")?.value];
  };
  expect([0, 1, 2, 3, 4, 5].map((level) => shown(level, "5.1"))).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ["halved", undefined],
    ["halved", undefined],
    ["halved", "15"],
    ["0", "15"],
  ]);
  expect(shown(3, "5.2")).toEqual(["-15 ft", undefined]);
});

describe(describeRule("armor class", "unarmored-defense"), () => {
  const agile = { dexterity: 18, constitution: 16, wisdom: 14 };
  const rows: readonly (readonly [string, NonNullable<Case["player"]>, Worn, string])[] = [
    ["no armor", { stats: agile }, {}, "10, DEX +4 = 14"],
    ["a shield", { stats: agile }, { shield: 2 }, "10, DEX +4, Shield +2 = 16"],
    ["light armor", { stats: agile }, { armor: "light", armorBase: 12 }, "12, DEX +4 = 16"],
    ["medium armor caps dexterity at 2", { stats: agile }, { armor: "medium", armorBase: 14 }, "14, DEX +2 = 16"],
    [
      "medium armor does not raise a low one",
      { stats: { dexterity: 8 } },
      { armor: "medium", armorBase: 14 },
      "14, DEX -1 = 13",
    ],
    ["heavy armor", { stats: { dexterity: 8 } }, { armor: "heavy", armorBase: 18 }, "18 = 18"],
    [
      "Defense in armor",
      { stats: agile, ...features("Defense") },
      { armor: "heavy", armorBase: 16 },
      "16, Defense +1 = 17",
    ],
    ["no Defense without armor", { stats: agile, ...features("Defense") }, {}, "10, DEX +4 = 14"],
    [
      "a barbarian",
      { characterClass: "Barbarian", stats: agile, ...features("Unarmored Defense") },
      { shield: 2 },
      "10, DEX +4, CON +3, Shield +2 = 19",
    ],
    [
      "a monk",
      { characterClass: "Monk", stats: agile, ...features("Unarmored Defense") },
      {},
      "10, DEX +4, WIS +2 = 16",
    ],
    [
      "a monk with a shield",
      { characterClass: "Monk", stats: agile, ...features("Unarmored Defense") },
      { shield: 2 },
      "10, DEX +4, Shield +2 = 16",
    ],
    [
      "a frail barbarian",
      { characterClass: "Barbarian", stats: { constitution: 8 }, ...features("Unarmored Defense") },
      {},
      "10, DEX +0 = 10",
    ],
  ];
  test.each(rows)("%s", (_, player, worn, components) => {
    const figure = figures(player, worn).get("armor-class");
    expect(figure?.components).toBe(components);
    expect(components.endsWith(` = ${figure?.value}`)).toBe(true);
  });
});

test("a shield without training: 5.1 counts it, 5.2 does not", () => {
  const shield = { shield: 2 };
  expect(figures({}, shield, "5.1").get("armor-class")?.value).toBe("12");
  expect(figures({}, shield, "5.2").get("armor-class")?.value).toBe("10");
  expect(figures({ armorProficiencies: ["Shields"] }, shield, "5.2").get("armor-class")?.value).toBe("12");
});

describe(describeRule("class figures", "extra-attack"), () => {
  test.each([
    ["fighter", [1, 1, 2, 2, 3, 3, 4]],
    ["paladin", [1, 1, 2, 2, 2, 2, 2]],
    ["wizard", [1, 1, 1, 1, 1, 1, 1]],
  ] as const)("attacks of a %s at 1, 4, 5, 10, 11, 19, 20", (characterClass, expected) => {
    expect([1, 4, 5, 10, 11, 19, 20].map((level) => attacksPerAction(characterClass, level))).toEqual(expected);
  });

  test("steps stand where the tables have them", () => {
    const levels = [1, 4, 5, 8, 9, 10, 11, 14, 15, 16, 17, 20];
    expect(levels.map(bardicDie)).toEqual([6, 6, 8, 8, 8, 10, 10, 10, 12, 12, 12, 12]);
    expect(levels.map((level) => proficiencyBonus({ level }))).toEqual([2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6]);
    expect(levels.map(rageDamage)).toEqual([2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4]);
    expect(levels.map(cantripTier)).toEqual([1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4]);
    expect([1, 5, 11, 17].map((level) => martialArtsDie(level, "5.1"))).toEqual([4, 6, 8, 10]);
    expect([1, 5, 11, 17].map((level) => martialArtsDie(level, "5.2"))).toEqual([6, 8, 10, 12]);
  });

  test("a caster has a save DC, an attack bonus and slots; the sheet's own slots win", () => {
    const wizard = { characterClass: "Wizard", level: 5, stats: { intelligence: 18 } };
    const found = figures(wizard);
    expect(
      ["spell-save-dc", "spell-attack", "cantrip-dice", "spell-slots"].map((name) => found.get(name)?.value),
    ).toEqual(["15", "+7", "x2", "level 1: 4, level 2: 3, level 3: 2"]);
    expect(figures({ ...wizard, spellSlots: { "1": 1 } }).get("spell-slots")?.value).toBe("level 1: 1");
    expect(figures({ characterClass: "Fighter" }).has("spell-save-dc")).toBe(false);
  });

  test("only features that are on the sheet are counted", () => {
    const rogue = { characterClass: "Rogue", level: 5 };
    expect(figures(rogue).has("sneak-attack")).toBe(false);
    expect(figures({ ...rogue, ...features("Sneak Attack") }).get("sneak-attack")).toMatchObject({
      value: "3d6",
      source: "SRD 5.1, Rogue: Sneak Attack",
    });
    const paladin = { characterClass: "Paladin", level: 18, stats: { charisma: 8 }, ...features("Aura of Protection") };
    expect(figures(paladin).get("aura-of-protection")?.value).toBe("+1 within 30 ft");
    const barbarian = { characterClass: "Barbarian", level: 13, ...features("Rage", "Brutal Critical") };
    expect(figures(barbarian).get("brutal-critical")?.value).toBe("2 dice");
    expect(figures(barbarian, {}, "5.2").has("brutal-critical")).toBe(false);
  });
});
