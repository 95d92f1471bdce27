/** Spells without a roll, by value: what they leave on whom, what they end, and what a mark does to rolls and to the Armor Class. */

import { decoder, type HandlerInput } from "@fairlead/contracts";
import rules from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { computeOdds } from "../odds/odds.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { buildGame, type Case, runCases } from "../testing/case.ts";

/** A caster who knows the spell. */
const knows = (spell: string, player: Case["player"] = {}) => ({
  player: {
    characterClass: "Wizard",
    level: 9,
    stats: { intelligence: 16 },
    knownSpells: [spell],
    ...player,
  },
  attack: { weapon: spell },
});
const friend = { disposition: "friendly" } as const;
const concentrates = (spell: string) => `Aria conditions+Concentrating (${spell})`;

runCases("boons are cast", "spell-effect", [
  {
    name: "Bless on an ally",
    editions: ["5.1"],
    ...knows("Bless"),
    npc: friend,
    dice: [],
    want: {
      success: true,
      notes: /Goblin has Bless/,
      changes: [
        "Aria spellSlotsUsed.1=1",
        "Aria scene.usedThisTurn+Bless",
        concentrates("Bless"),
        "Goblin conditions+Bless",
      ],
    },
  },
  {
    name: "on the caster, by name",
    editions: ["5.1"],
    ...knows("Shield of Faith"),
    attack: { weapon: "Shield of Faith", target: "Aria" },
    dice: [],
    want: {
      changes: ["Aria spellSlotsUsed.1=1", concentrates("Shield of Faith"), "Aria conditions+Shield of Faith"],
    },
  },
  {
    name: "a cantrip costs nothing",
    editions: ["5.1"],
    ...knows("Guidance", { cantrips: ["Guidance"], knownSpells: [] }),
    npc: friend,
    dice: [],
    want: { changes: [concentrates("Guidance"), "Goblin conditions+Guidance"] },
  },
  {
    name: "Mage Armor without concentration",
    editions: ["5.1"],
    ...knows("Mage Armor"),
    npc: friend,
    dice: [],
    want: { changes: ["Aria spellSlotsUsed.1=1", "Goblin conditions+Mage Armor"] },
  },
  {
    name: "Hunter's Mark is an effect of the caster's, on its target",
    editions: ["5.1"],
    ...knows("Hunter's Mark"),
    dice: [],
    want: {
      notes: /Aria has Hunter's Mark on Goblin/,
      changes: ["Aria spellSlotsUsed.1=1", concentrates("Hunter's Mark"), "Aria effects+Hunter's Mark: goblin-1"],
    },
  },
  {
    name: "Divine Favor",
    editions: ["5.2"],
    ...knows("Divine Favor"),
    attack: { weapon: "Divine Favor", target: "Aria" },
    dice: [],
    want: {
      changes: ["Aria spellSlotsUsed.1=1", "Aria scene.usedThisTurn+Spell Slot", "Aria effects+Divine Favor"],
    },
  },
  {
    name: "Enlarge/Reduce asks which",
    ...knows("Enlarge/Reduce"),
    npc: friend,
    dice: [],
    want: { impossible: /write Enlarge\/Reduce \(Enlarge\), Enlarge\/Reduce \(Reduce\)/ },
  },
  {
    name: "Enlarge on an ally needs no save",
    editions: ["5.1"],
    ...knows("Enlarge/Reduce"),
    attack: { weapon: "Enlarge/Reduce (enlarge)" },
    npc: friend,
    dice: [],
    want: { changes: ["Aria spellSlotsUsed.2=1", concentrates("Enlarge/Reduce"), "Goblin conditions+Enlarge"] },
  },
  {
    name: "Reduce on an enemy is saved against",
    editions: ["5.1"],
    ...knows("Enlarge/Reduce"),
    dice: [5],
    want: { success: true, total: 5 },
  },
  {
    name: "the ability of Enhance Ability",
    editions: ["5.1"],
    ...knows("Enhance Ability"),
    attack: { weapon: "Enhance Ability (strength)" },
    npc: friend,
    dice: [],
    want: {
      changes: ["Aria spellSlotsUsed.2=1", concentrates("Enhance Ability"), "Goblin conditions+Bull's Strength"],
    },
  },
  {
    name: "on a dead creature",
    ...knows("Bless"),
    npc: { ...friend, conditions: ["Dead"] },
    dice: [],
    want: { impossible: /is dead/ },
  },
]);

runCases("conditions are ended", "spell-effect", [
  {
    name: "Lesser Restoration ends the one that is named",
    editions: ["5.1"],
    ...knows("Lesser Restoration"),
    attack: { weapon: "Lesser Restoration (poisoned)" },
    npc: { ...friend, conditions: ["Blinded", "Poisoned by a spider"] },
    dice: [],
    want: { changes: ["Aria spellSlotsUsed.2=1", "Goblin conditions-Poisoned by a spider"] },
  },
  {
    name: "and says when there is none",
    editions: ["5.1"],
    ...knows("Lesser Restoration"),
    npc: { ...friend, conditions: ["Charmed"] },
    dice: [],
    want: { notes: /does nothing/, changes: ["Aria spellSlotsUsed.2=1"] },
  },
  {
    name: "Power Word Heal",
    editions: ["5.2"],
    ...knows("Power Word Heal", { level: 17 }),
    npc: { ...friend, currentHp: 3, maxHp: 40, conditions: ["Stunned"] },
    dice: [],
    want: {
      changes: [
        "Aria spellSlotsUsed.9=1",
        "Aria scene.usedThisTurn+Spell Slot",
        "Goblin currentHp=40",
        "Goblin conditions-Stunned",
      ],
    },
  },
]);

runCases("by hit points", "spell-effect", [
  {
    name: "Power Word Stun on 100 hit points",
    editions: ["5.1"],
    ...knows("Power Word Stun", { level: 17 }),
    dice: [],
    want: { ac: "17", changes: ["Aria spellSlotsUsed.8=1", "Goblin conditions+Stunned"] },
  },
  {
    name: "Power Word Stun on 151",
    editions: ["5.1"],
    ...knows("Power Word Stun", { level: 17 }),
    npc: { currentHp: 151, maxHp: 151 },
    dice: [],
    want: { notes: /more than 150 hit points/, changes: ["Aria spellSlotsUsed.8=1"] },
  },
  {
    name: "Power Word Kill on 101 of 5.2 deals damage",
    editions: ["5.2"],
    ...knows("Power Word Kill", { level: 17 }),
    npc: { currentHp: 101, maxHp: 101 },
    dice: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    want: { damage: 12, lines: ["Power Word Kill 12d12 psychic"] },
  },
  {
    name: "Sleep reaches who has few hit points",
    editions: ["5.1"],
    ...knows("Sleep"),
    npc: { currentHp: 7 },
    dice: [1, 1, 1, 1, 3],
    want: {
      success: true,
      notes: /7 hit points against 7/,
      changes: ["Aria spellSlotsUsed.1=1", "Aria scene.usedThisTurn+Sleep", "Goblin conditions+Unconscious"],
    },
  },
  {
    name: "and not who has one more",
    editions: ["5.1"],
    ...knows("Sleep"),
    npc: { currentHp: 8 },
    dice: [1, 1, 1, 1, 3],
    want: { success: false, changes: ["Aria spellSlotsUsed.1=1", "Aria scene.usedThisTurn+Sleep"] },
  },
  {
    name: "nor the undead",
    editions: ["5.1"],
    ...knows("Sleep"),
    npc: { creatureType: "undead" },
    dice: [],
    want: { impossible: /undead/ },
  },
  {
    name: "Divine Word on 25 hit points",
    editions: ["5.1"],
    ...knows("Divine Word", { level: 13 }),
    npc: { currentHp: 25 },
    dice: [2],
    want: {
      changes: [
        "Aria spellSlotsUsed.7=1",
        "Aria scene.usedThisTurn+Divine Word",
        "Goblin conditions+Deafened",
        "Goblin conditions+Blinded",
        "Goblin conditions+Stunned",
      ],
    },
  },
]);

const club = { inventory: ["Club"] };

runCases("marks count", "spell-at-work", [
  { name: "Shield of Faith", player: club, npc: { conditions: ["Shield of Faith"] }, dice: [16], want: { ac: "17" } },
  { name: "Shield itself", player: club, npc: { conditions: ["Shield"] }, dice: [16], want: { ac: "20" } },
  { name: "Haste", player: club, npc: { conditions: ["Haste"] }, dice: [16], want: { ac: "17" } },
  { name: "Slow", player: club, npc: { conditions: ["Slow"] }, dice: [2], want: { ac: "13" } },
  {
    name: "Barkskin raises a low Armor Class",
    player: club,
    npc: { ac: 12, conditions: ["Barkskin"] },
    dice: [2],
    want: { ac: "16" },
    in52: { ac: "17" },
  },
  {
    name: "Barkskin and plate",
    player: club,
    npc: { ac: 18, conditions: ["Barkskin"] },
    dice: [2],
    want: { ac: "18" },
  },
  { name: "Blur", player: club, npc: { conditions: ["Blur"] }, dice: [19, 2], want: { die: 2 } },
  {
    name: "Holy Aura",
    player: club,
    npc: { conditions: ["Holy Aura"] },
    dice: [19, 2],
    want: { die: 2, rules: ["spell-at-work"] },
  },
  {
    name: "Bless among the conditions of a sheet",
    player: { ...club, conditions: ["Bless"] },
    dice: [12, 4, 1],
    want: { total: 16, success: true },
  },
  {
    name: "Bless of a creature that saves",
    ...knows("Hold Person"),
    npc: { conditions: ["Bless"] },
    dice: [10, 4],
    want: { total: 14 },
  },
  {
    name: "Bane of a creature that saves",
    ...knows("Hold Person"),
    npc: { conditions: ["Bane"] },
    dice: [10, 4],
    want: { total: 6 },
  },
  {
    name: "Resistance is for one save",
    editions: ["5.1"],
    ...knows("Hold Person"),
    npc: { conditions: ["Resistance"] },
    dice: [18, 4],
    want: {
      total: 22,
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Hold Person",
        concentrates("Hold Person"),
        "Goblin conditions-Resistance",
      ],
    },
  },
  {
    name: "Guidance among the conditions ends with the check",
    editions: ["5.1"],
    player: { conditions: ["Guidance"] },
    check: { skill: "Stealth", dc: 10 },
    dice: [8, 4],
    want: { total: 12, changes: ["Aria conditions-Guidance"] },
  },
  {
    name: "Protection from Energy",
    ...knows("Fireball"),
    npc: { conditions: ["Protection from Energy (fire)"] },
    dice: [2, 6, 6, 6, 6, 6, 6, 6, 6],
    want: { damage: 24 },
  },
  {
    name: "Protection from another energy",
    ...knows("Fireball"),
    npc: { conditions: ["Protection from Energy (cold)"] },
    dice: [2, 6, 6, 6, 6, 6, 6, 6, 6],
    want: { damage: 48 },
  },
  {
    name: "Warding Bond",
    player: club,
    npc: { conditions: ["Warding Bond"] },
    dice: [16, 4],
    want: { ac: "16", damage: 2 },
  },
]);

runCases("more spells that are saved against", "spell-damage", [
  {
    name: "Spirit Guardians of the radiant kind",
    ...knows("Spirit Guardians"),
    attack: { weapon: "Spirit Guardians (radiant)" },
    dice: [2, 8, 8, 8],
    want: { damage: 24, lines: ["Spirit Guardians 3d8 radiant"] },
  },
  {
    name: "Guardian of Faith deals 20",
    ...knows("Guardian of Faith"),
    dice: [20],
    want: { damage: 10 },
  },
  {
    name: "Wind Wall",
    ...knows("Wind Wall"),
    dice: [2, 1, 1, 1],
    want: { damage: 3 },
    in52: { damage: 3 },
    editions: ["5.1"],
  },
  {
    name: "Heat Metal without a roll",
    editions: ["5.1"],
    ...knows("Heat Metal"),
    dice: [3, 4],
    want: { damage: 7, lines: ["Heat Metal 2d8 fire"] },
  },
]);

describe("a pool of hit points", () => {
  const spread = decoder<HandlerInput<(typeof rules)["procedures"]["resolveAttack"]>>(
    rules.procedures.resolveAttack.input,
  )({
    game: {
      edition: "5.1",
      player: {
        ...{ name: "Aria", characterClass: "Wizard", level: 3, currentHP: 10, maxHP: 10 },
        ...{ stats: { intelligence: 16 }, knownSpells: ["Sleep"] },
      },
      npcs: [
        { name: "Ogre", ac: 11, currentHp: 59, maxHp: 59 },
        { name: "Bat", ac: 12, currentHp: 1, maxHp: 1 },
        { name: "Rat", ac: 12, currentHp: 9, maxHp: 9 },
      ],
    },
    intent: { weapon: "Sleep", target: "Ogre; Rat; Bat" },
  });
  if (!spread.ok) throw new Error("the game does not fit the contract");

  test("reaches those with the fewest first, with one roll", () => {
    const result = resolveAttack(spread.value.game, spread.value.intent, scriptedDice([2, 2, 2, 2, 2]));
    expect(result.targets?.map(({ target, success }) => [target, success])).toEqual([
      ["Bat", true],
      ["Rat", true],
      ["Ogre", false],
    ]);
    expect(result.changes.filter(({ field }) => field === "conditions").map(({ who }) => who)).toEqual(["Bat", "Rat"]);
  });
});

test("the odds of a pool: six of 32,768 falls of 5d8 reach 39", () => {
  const game = buildGame({ ...knows("Sleep"), npc: { currentHp: 39 } }, "5.1");
  const odds = computeOdds(game, { kind: "attack", intent: { weapon: "Sleep", target: "Goblin" } });
  expect(odds.success.fraction).toBe("3/16384");
});
