/** A multiclass character: features count with the levels of their class, proficiency and cantrips with the character's. */
import type { Game } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { listFigures } from "../resolve/figures.ts";
import { classLevels } from "../sheet/class-levels.ts";
import { spellSlots } from "../sheet/spell-slots.ts";
import { buildGame, type Case, features, runCases } from "../testing/case.ts";

const both = { characterClass: "Fighter", classLevels: { Fighter: 5, Rogue: 3 }, level: 8 };
const sneak = { weapon: "Rapier", extra_damage_sources: ["Sneak Attack"] };
const armed = { inventory: ["Rapier"], weaponProficiencies: ["Rapier"], stats: { dexterity: 16 } };

runCases("Fighter 5/Rogue 3", "sneak-attack", [
  {
    name: "2d6 of Sneak Attack, proficiency of level 8",
    player: { ...both, ...armed, ...features("Sneak Attack") },
    npc: { engaged: true },
    attack: sneak,
    dice: [12, 1, 1, 1],
    want: { modifier: "+6", lines: ["Rapier 1d8+3 piercing", "Sneak Attack 2d6 piercing"] },
  },
  {
    name: "written as the class",
    player: { ...armed, characterClass: "Fighter 5 / Rogue 3", level: 8, ...features("Sneak Attack") },
    npc: { engaged: true },
    attack: sneak,
    dice: [12, 1, 1, 1],
    want: { modifier: "+6", lines: ["Rapier 1d8+3 piercing", "Sneak Attack 2d6 piercing"] },
  },
  {
    name: "the level of a formula is that of the class",
    player: { ...both, ...armed, features: [{ name: "Sneak Attack", scalingFormula: "ceil(level/2)d6" }] },
    npc: { engaged: true },
    attack: sneak,
    dice: [12, 1, 1, 1],
    want: { lines: ["Rapier 1d8+3 piercing", "Sneak Attack 2d6 piercing"] },
  },
  {
    name: "a rage of 3 levels of a barbarian",
    source: "rage",
    player: {
      ...armed,
      characterClass: "Barbarian",
      classLevels: { Barbarian: 3, Fighter: 13 },
      level: 16,
      stats: { strength: 16 },
      inventory: ["Club"],
      effects: [{ name: "Rage" }],
      ...features("Rage"),
    },
    attack: { weapon: "Club" },
    dice: [15, 1],
    want: { lines: ["Club 1d4+3 bludgeoning", "Rage +2 bludgeoning"] },
  },
  {
    name: "a cantrip grows with the level of the character",
    source: "cantrip-scaling",
    player: { characterClass: "Wizard", classLevels: { Wizard: 2, Fighter: 3 }, level: 5, cantrips: ["Fire Bolt"] },
    attack: { weapon: "Fire Bolt" },
    dice: [15, 1, 1],
    want: { modifier: "+3", lines: ["Fire Bolt 2d10 fire"] },
  },
]);

describe("the figures of a multiclass character", () => {
  const figure = (player: NonNullable<Case["player"]>, name: string, edition: Game["edition"] = "5.1") =>
    listFigures(buildGame({ player }, edition)).find((one) => one.name === name)?.value;

  test.each([
    [{ ...both, ...features("Sneak Attack") }, "sneak-attack", "2d6"],
    [both, "attacks-per-action", "2"],
    [both, "proficiency-bonus", "+3"],
    [
      { characterClass: "Monk", classLevels: { Monk: 4, Fighter: 4 }, level: 8, ...features("Martial Arts") },
      "martial-arts-die",
      "d4",
    ],
  ] as const)("%o: %s is %s", (player, name, value) => {
    expect(figure(player as NonNullable<Case["player"]>, name)).toBe(value);
  });

  const slots = (levels: Readonly<Record<string, number>>, edition: Game["edition"]) => {
    const level = Object.values(levels).reduce((sum, count) => sum + count, 0);
    return spellSlots(buildGame({ player: { characterClass: "x", classLevels: levels, level } }, edition));
  };

  test.each<[Readonly<Record<string, number>>, Game["edition"], Readonly<Record<string, number>>]>([
    [{ Fighter: 5, Wizard: 3 }, "5.1", { 1: 4, 2: 2 }],
    [{ Cleric: 3, Wizard: 2 }, "5.1", { 1: 4, 2: 3, 3: 2 }],
    [{ Paladin: 3, Wizard: 2 }, "5.1", { 1: 4, 2: 2 }],
    [{ Paladin: 3, Wizard: 2 }, "5.2", { 1: 4, 2: 3 }],
    [{ Paladin: 5, Fighter: 1 }, "5.1", { 1: 4, 2: 2 }],
    [{ Warlock: 3, Wizard: 3 }, "5.1", { 1: 4, 2: 4 }],
    [{ Fighter: 5, Rogue: 3 }, "5.1", {}],
  ])("slots of %o in %s", (levels, edition, expected) => {
    expect(slots(levels, edition)).toEqual(expected);
  });
});

test("one class has all levels, and a class in brackets is none", () => {
  expect([...classLevels({ characterClass: "Rogue", level: 7 })]).toEqual([["rogue", 7]]);
  expect([...classLevels({ characterClass: "Rogue 3/Bard", level: 7 })]).toEqual([["rogue 3/bard", 7]]);
  expect([...classLevels({ characterClass: "x", level: 7, classLevels: { "Rogue (Thief)": 7 } })]).toEqual([
    ["rogue", 7],
  ]);
});
