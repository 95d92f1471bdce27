/** Named switches: points the text leaves open, and rules outside the SRD, each off unless the table turns it on. */
import { describe, expect, test } from "vitest";
import { buildGame, type Case, runCases } from "../testing/case.ts";

const martial = ["Simple Weapons", "Martial Weapons"];
const strong = { weaponProficiencies: martial, stats: { strength: 16 } };
const named = (...names: string[]) => ({ features: names.map((name) => ({ name })) });

const greatWeapon = {
  ...strong,
  inventory: ["Greatsword"],
  features: [{ name: "Fighting Style", chosenOption: "Great Weapon Fighting" }, { name: "Divine Smite" }],
  spellSlots: { "1": 1 },
};
const smiting = { weapon: "Greatsword", extra_damage_sources: ["Divine Smite"] };

runCases("great weapon fighting and the dice of other sources", "great-weapon-fighting", [
  {
    name: "5.1: only the weapon's dice are rolled again",
    editions: ["5.1"],
    player: greatWeapon,
    attack: smiting,
    dice: [15, 1, 5, 6, 1, 2],
    want: { damage: 17, lines: ["Greatsword 2d6+3 slashing", "Divine Smite 2d8 radiant"] },
  },
  {
    name: "5.1: with the switch, the smite's as well",
    editions: ["5.1"],
    player: greatWeapon,
    rulings: { greatWeaponAllDice: true },
    attack: smiting,
    dice: [15, 1, 5, 6, 1, 7, 2, 8],
    want: { damage: 29 },
  },
  {
    name: "5.2: with the switch, the smite's 1s and 2s count as 3",
    editions: ["5.2"],
    player: greatWeapon,
    rulings: { greatWeaponAllDice: true },
    attack: smiting,
    dice: [15, 1, 6, 1, 2],
    want: { damage: 18 },
  },
] satisfies Case[]);

const monkish = { stats: { strength: 16 }, ...named("Divine Smite"), spellSlots: { "1": 1 } };

runCases("divine smite with bare hands", "divine-smite", [
  {
    name: "5.1: not",
    editions: ["5.1"],
    player: monkish,
    attack: { weapon: "Unarmed Strike", extra_damage_sources: ["Divine Smite"] },
    dice: [15],
    want: { damage: 4, granted: [false] },
  },
  {
    name: "5.1: with the switch",
    editions: ["5.1"],
    player: monkish,
    rulings: { smiteUnarmedBefore52: true },
    attack: { weapon: "Unarmed Strike", extra_damage_sources: ["Divine Smite"] },
    dice: [15, 4, 4],
    want: { damage: 12, granted: [true] },
  },
  {
    name: "5.1: the switch is not for Improved Divine Smite, which wants a weapon",
    source: "improved-divine-smite",
    editions: ["5.1"],
    player: { ...monkish, ...named("Improved Divine Smite") },
    rulings: { smiteUnarmedBefore52: true },
    attack: { weapon: "Unarmed Strike" },
    dice: [15],
    want: { damage: 4 },
  },
] satisfies Case[]);

const pact = {
  ...strong,
  inventory: ["Longsword"],
  characterClass: "Warlock",
  level: 5,
  ...named("Eldritch Smite"),
};

runCases("eldritch smite", "eldritch-smite", [
  {
    name: "5.1: not in the SRD",
    editions: ["5.1"],
    player: pact,
    attack: { weapon: "Longsword", extra_damage_sources: ["Eldritch Smite"] },
    dice: [15, 5],
    want: { damage: 8, granted: [false] },
  },
  {
    name: "5.1: with the switch, 1d8 and 1d8 for every slot level",
    editions: ["5.1"],
    player: pact,
    rulings: { eldritchSmiteBefore52: true },
    attack: { weapon: "Longsword", extra_damage_sources: ["Eldritch Smite"] },
    dice: [15, 5, 1, 2, 3, 4],
    want: {
      damage: 18,
      granted: [true],
      rules: ["eldritch-smite"],
      changes: [
        "Aria spellSlotsUsed.3=1",
        "Aria scene.usedThisTurn+Eldritch Smite",
        "Goblin conditions+Prone",
        "Goblin currentHp=82",
      ],
    },
  },
  {
    name: "5.2: nobody gargantuan is thrown down",
    editions: ["5.2"],
    player: pact,
    npc: { size: "gargantuan" },
    attack: { weapon: "Longsword", extra_damage_sources: ["Eldritch Smite"] },
    dice: [15, 5, 1, 2, 3, 4],
    want: {
      changes: ["Aria spellSlotsUsed.3=1", "Aria scene.usedThisTurn+Eldritch Smite", "Goblin currentHp=82"],
    },
  },
] satisfies Case[]);

const pole = { ...strong, inventory: ["Glaive", "Quarterstaff"] };

runCases("the other end of a polearm", "polearm-master", [
  {
    name: "no bonus attack without the switch",
    player: pole,
    scene: { attack: "bonus" },
    attack: { weapon: "Glaive" },
    dice: [],
    want: { impossible: /light weapon/ },
  },
  {
    name: "with it, 1d4 bludgeoning and the modifier",
    player: pole,
    scene: { attack: "bonus" },
    rulings: { polearmMaster: true },
    attack: { weapon: "Glaive" },
    dice: [15, 2],
    want: { damage: 5, lines: ["Glaive 1d4+3 bludgeoning"], rules: ["polearm-master"] },
  },
  {
    name: "an attack of the Attack action is the blade",
    player: pole,
    rulings: { polearmMaster: true },
    attack: { weapon: "Glaive" },
    dice: [15, 2],
    want: { damage: 5, lines: ["Glaive 1d10+3 slashing"], rules: ["!polearm-master"] },
  },
  {
    name: "a weapon that is none has no other end",
    player: { ...strong, inventory: ["Greataxe"] },
    scene: { attack: "bonus" },
    rulings: { polearmMaster: true },
    attack: { weapon: "Greataxe" },
    dice: [],
    want: { impossible: /light weapon/ },
  },
] satisfies Case[]);

runCases("conditions that name who is behind them", "condition", [
  {
    name: "a charmed character does not attack the charmer",
    player: { ...strong, inventory: ["Club"], conditions: ["Charmed by Goblin"] },
    dice: [],
    want: { impossible: /charmed by Goblin/ },
  },
  {
    name: "by the creature's id as well",
    player: { ...strong, inventory: ["Club"], conditions: ["Charmed (goblin-1)"] },
    dice: [],
    want: { impossible: /charmed/ },
  },
  {
    name: "another charmer is not a hindrance",
    player: { ...strong, inventory: ["Club"], conditions: ["Charmed by Hobgoblin"] },
    dice: [15, 2],
    want: { damage: 5 },
  },
  {
    name: "no damaging spell at the charmer either",
    player: {
      characterClass: "Wizard",
      cantrips: ["Fire Bolt"],
      spellcastingAbility: "intelligence",
      conditions: ["Charmed by the Goblin"],
    },
    attack: { weapon: "Fire Bolt", is_spell_attack: true },
    dice: [],
    want: { impossible: /charmed/ },
  },
  {
    name: "5.2: grappled, disadvantage against anyone but the grappler",
    editions: ["5.2"],
    player: { ...strong, inventory: ["Club"], conditions: ["Grappled by Ogre"] },
    dice: [15, 3],
    want: { die: 3, success: false, rules: ["condition"] },
  },
  {
    name: "5.2: none against the grappler",
    editions: ["5.2"],
    player: { ...strong, inventory: ["Club"], conditions: ["Grappled by Goblin"] },
    dice: [15, 2],
    want: { success: true, rules: ["!condition"] },
  },
  {
    name: "5.1: a grapple only holds",
    editions: ["5.1"],
    player: { ...strong, inventory: ["Club"], conditions: ["Grappled by Ogre"] },
    dice: [15, 2],
    want: { success: true, rules: ["!condition"] },
  },
  {
    name: "a fear of somebody is a fear",
    player: { ...strong, inventory: ["Club"], conditions: ["Frightened of the Dragon"] },
    dice: [15, 3],
    want: { die: 3, rules: ["condition"] },
  },
] satisfies Case[]);

describe("every switch", () => {
  test("is off by itself, but the one whose text is plain", () => {
    expect(buildGame({}, "5.1").rulings).toEqual({
      wideCritNeedsHit: true,
      duelingAfter51: false,
      elvenAccuracy: false,
      powerAttack: false,
      greatWeaponAllDice: false,
      smiteUnarmedBefore52: false,
      hexBefore52: false,
      eldritchSmiteBefore52: false,
      polearmMaster: false,
    });
  });
});
