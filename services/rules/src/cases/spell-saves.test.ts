/** Spells that force a creature to save: difficulty, cover, halving, slots, and both editions' numbers. */
import { expect, test } from "vitest";
import { seededDice } from "../dice/source.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { buildGame, type Case, runCases } from "../testing/case.ts";

const cast = (spell_name: string) => ({ weapon: spell_name, target: "Goblin", is_spell_attack: true, spell_name });
const caster = {
  characterClass: "Wizard",
  level: 5,
  stats: { intelligence: 18 },
  cantrips: ["Sacred Flame", "Acid Splash", "Vicious Mockery", "Poison Spray"],
  knownSpells: [
    "Fireball",
    "Black Tentacles",
    "Blade Barrier",
    "Wall of Ice",
    "Thunderwave",
    "Disintegrate",
    "Flame Strike",
    "Inflict Wounds",
    "Blight",
    "Harm",
  ],
};
/** The d20 is the goblin's; DC 15. */
const save = (name: string, spell: string, rest: Partial<Case> & Pick<Case, "dice" | "want">): Case => ({
  attack: cast(spell),
  ...rest,
  name: `${spell}: ${name}`,
  player: { ...caster, ...rest.player },
});
/** A Fireball's changes; 5.2 remembers that a slot was spent on a spell. */
const burnt = (hp: number, edition: "5.1" | "5.2") => [
  "Aria spellSlotsUsed.3=1",
  ...(edition === "5.2" ? ["Aria scene.usedThisTurn+Spell Slot"] : []),
  "Aria scene.usedThisTurn+Fireball",
  `Goblin currentHp=${hp}`,
];
const eights = (count: number, face = 1) => Array.from({ length: count }, () => face);

runCases("spells that force a save", "spell-save-dc", [
  save("DC 8 + proficiency + ability; a failed save takes all", "Fireball", {
    dice: [14, ...eights(8)],
    want: {
      ac: "15",
      success: true,
      damage: 8,
      lines: ["Fireball 8d6 fire"],
      changes: burnt(92, "5.1"),
    },
    in52: { changes: burnt(92, "5.2") },
  }),
  save("a passed save takes half, rounded down", "Fireball", {
    source: "save-for-half",
    dice: [15, ...eights(7), 2],
    want: { success: false, damage: 4 },
  }),
  save("the creature's bonus", "Fireball", {
    source: "d20-test",
    npc: { savingThrowBonus: 5 },
    dice: [10, ...eights(8)],
    want: { modifier: "+5", total: 15, success: false },
  }),
  save("half cover helps a dexterity save", "Fireball", {
    source: "cover",
    npc: { cover: "half" },
    dice: [13, ...eights(8)],
    want: { total: 15, success: false },
  }),
  save("but not against this one", "Sacred Flame", {
    source: "cover",
    npc: { cover: "three_quarters" },
    dice: [13, 1, 1],
    want: { total: 13, success: true, damage: 2 },
  }),
  save("cover is no help with constitution", "Blight", {
    source: "cover",
    player: { level: 7 },
    npc: { cover: "half" },
    dice: [14, ...eights(8)],
    want: { total: 14, success: true },
  }),
  save("a natural 20 does not save by itself", "Fireball", {
    source: "d20-test",
    npc: { savingThrowBonus: -6 },
    dice: [20, ...eights(8)],
    want: { success: true },
  }),
  save("a stunned creature fails without a roll", "Fireball", {
    source: "condition",
    npc: { conditions: ["Stunned"] },
    dice: eights(8),
    want: { success: true, die: 0, damage: 8 },
  }),
  save("a stunned creature rolls for constitution", "Blight", {
    source: "condition",
    player: { level: 7 },
    npc: { conditions: ["Stunned"] },
    dice: [18, ...eights(8)],
    want: { success: false, damage: 4 },
  }),
  save("a restrained creature has disadvantage", "Fireball", {
    source: "condition",
    npc: { conditions: ["Restrained"] },
    dice: [18, 2, ...eights(8)],
    want: { die: 2, success: true },
  }),
  save("a dodging creature has advantage", "Fireball", {
    source: "dodge",
    npc: { dodging: true },
    dice: [2, 18, ...eights(8)],
    want: { die: 18, success: false },
  }),
  save("resistance after the save: 16, 8, 4", "Fireball", {
    source: "resistance",
    npc: { resistances: ["fire"] },
    dice: [18, ...eights(8, 2)],
    want: { damage: 4 },
  }),
  save("immunity", "Fireball", {
    source: "immunity",
    npc: { immunities: ["fire"] },
    dice: [2, ...eights(8)],
    want: { success: true, damage: 0 },
  }),
  save("a higher slot: 9d6", "Fireball", {
    source: "spell-slots",
    player: { level: 7 },
    scene: { slotLevel: 4 },
    dice: [2, ...eights(9)],
    want: { lines: ["Fireball 9d6 fire"] },
  }),
  save("the next creature of the same casting costs no slot", "Fireball", {
    source: "spell-slots",
    scene: { usedThisTurn: ["Fireball"] },
    dice: [2, ...eights(8)],
    want: { changes: ["Goblin currentHp=92"] },
  }),
  save("level 5: two dice on a failure", "Acid Splash", {
    source: "cantrip-scaling",
    dice: [14, 6, 6],
    want: { success: true, damage: 12, lines: ["Acid Splash 2d6 acid"] },
  }),
  save("a save that leaves nothing rolls no damage", "Acid Splash", {
    source: "save-for-half",
    dice: [15],
    want: { success: false, damage: 0, lines: [], drawn: [20], changes: [] },
  }),
  save("its Magic Resistance is advantage", "Fireball", {
    source: "creature-trait",
    npc: { traits: ["Magic Resistance"] },
    dice: [2, 15, ...eights(8)],
    want: { die: 15, success: false, rules: ["creature-trait"] },
  }),
  save("its Evasion halves a failure", "Fireball", {
    source: "creature-trait",
    npc: { traits: ["evasion"] },
    dice: [14, ...eights(7), 2],
    want: { success: true, damage: 4, rules: ["creature-trait"], changes: burnt(96, "5.1") },
    in52: { changes: burnt(96, "5.2") },
  }),
  save("its Evasion leaves nothing of a success, and nothing is rolled", "Fireball", {
    source: "creature-trait",
    npc: { traits: ["Evasion"] },
    dice: [15],
    want: { success: false, damage: 0, drawn: [20], rules: ["creature-trait"] },
  }),
  save("its Evasion is for dexterity saves", "Blight", {
    source: "creature-trait",
    player: { level: 7 },
    npc: { traits: ["Evasion"] },
    dice: [2, ...eights(8)],
    want: { success: true, damage: 8, rules: ["!creature-trait"] },
  }),
  save("5.1: a stunned creature evades half", "Fireball", {
    source: "creature-trait",
    editions: ["5.1"],
    npc: { traits: ["Evasion"], conditions: ["Stunned"] },
    dice: eights(8),
    want: { success: true, damage: 4 },
  }),
  save("5.2: an incapacitated creature does not evade", "Fireball", {
    source: "creature-trait",
    editions: ["5.2"],
    npc: { traits: ["Evasion"], conditions: ["Stunned"] },
    dice: eights(8),
    want: { success: true, damage: 8 },
  }),
  save("5.1: d4s", "Vicious Mockery", {
    source: "spell-damage",
    editions: ["5.1"],
    dice: [2, 4, 4],
    want: { lines: ["Vicious Mockery 2d4 psychic"] },
  }),
  save("5.2: d6s", "Vicious Mockery", {
    source: "spell-damage",
    editions: ["5.2"],
    dice: [2, 4, 4],
    want: { lines: ["Vicious Mockery 2d6 psychic"] },
  }),
  save("5.1: a save", "Poison Spray", {
    source: "spell-damage",
    editions: ["5.1"],
    dice: [2, 1, 1],
    want: { ac: "15", lines: ["Poison Spray 2d12 poison"] },
  }),
  save("5.2: a save", "Inflict Wounds", {
    source: "spell-damage",
    editions: ["5.2"],
    dice: [2, 1, 1],
    want: { ac: "15", lines: ["Inflict Wounds 2d10 necrotic"] },
  }),
  save("5.1: an attack", "Inflict Wounds", {
    source: "spell-damage",
    editions: ["5.1"],
    dice: [15, 1, 1, 1],
    want: { modifier: "+7", lines: ["Inflict Wounds 3d10 necrotic"] },
  }),
  save("10d6 + 40, or nothing", "Disintegrate", {
    source: "spell-damage",
    player: { level: 11 },
    dice: [2, ...eights(10)],
    want: { damage: 50 },
  }),
  save("5.1: two types of four dice", "Flame Strike", {
    source: "spell-damage",
    editions: ["5.1"],
    player: { level: 9 },
    npc: { resistances: ["radiant"] },
    dice: [2, ...eights(8)],
    want: { lines: ["Flame Strike 4d6 fire", "Flame Strike 4d6 radiant"], damage: 6 },
  }),
  save("5.2: each type grows", "Flame Strike", {
    source: "spell-damage",
    editions: ["5.2"],
    player: { level: 11 },
    scene: { slotLevel: 6 },
    dice: [2, ...eights(12)],
    want: { lines: ["Flame Strike 6d6 fire", "Flame Strike 6d6 radiant"] },
  }),
  save("5.1: a dexterity save", "Black Tentacles", {
    editions: ["5.1"],
    player: { level: 7 },
    npc: { conditions: ["Restrained"] },
    dice: [18, 2, 1, 1, 1],
    want: { success: true, lines: ["Black Tentacles 3d6 bludgeoning"] },
  }),
  save("5.2: a strength save, which restraints do not hinder", "Black Tentacles", {
    editions: ["5.2"],
    player: { level: 7 },
    npc: { conditions: ["Restrained"] },
    dice: [18],
    want: { success: false, damage: 0 },
  }),
  save("5.1: slashing", "Blade Barrier", {
    source: "spell-damage",
    editions: ["5.1"],
    player: { level: 11 },
    dice: [2, ...eights(6)],
    want: { lines: ["Blade Barrier 6d10 slashing"] },
  }),
  save("5.2: force", "Blade Barrier", {
    source: "spell-damage",
    editions: ["5.2"],
    player: { level: 11 },
    dice: [2, ...eights(6)],
    want: { lines: ["Blade Barrier 6d10 force"] },
  }),
  save("two dice a slot level", "Wall of Ice", {
    source: "spell-slots",
    player: { level: 13 },
    scene: { slotLevel: 7 },
    dice: [2, ...eights(12)],
    want: { lines: ["Wall of Ice 12d6 cold"] },
  }),
  save("an area that starts at the caster ends somewhere", "Thunderwave", {
    source: "range",
    npc: { distance: 20 },
    dice: [],
    want: { impossible: /beyond the range of 15 feet/ },
  }),
  save("a sphere reaches its radius beyond the range: 150 and 20", "Fireball", {
    source: "range",
    npc: { distance: 170 },
    dice: [2, ...eights(8)],
    want: { damage: 8 },
  }),
  save("and no farther", "Fireball", {
    source: "range",
    npc: { distance: 175 },
    dice: [],
    want: { impossible: /170 feet/ },
  }),
  save("no slot of level 6 at level 5", "Harm", { source: "spell-slots", dice: [], want: { impossible: /slot/ } }),
  save("a claim has no attack to join", "Fireball", {
    attack: { ...cast("Fireball"), extra_damage_sources: ["Sneak Attack"] },
    dice: [2, ...eights(8)],
    want: { granted: [false] },
  }),
]);

test("one seed for a fireball on several goblins: the same damage, and each saves for itself", () => {
  const { npcs, ...rest } = buildGame({ player: caster }, "5.1");
  const [goblin] = npcs;
  if (goblin === undefined) throw new Error("there is a goblin");
  const game = { ...rest, npcs: [1, 2, 3, 4].map((number) => ({ ...goblin, id: `goblin-${number}` })) };
  const results = game.npcs.map(({ id }) =>
    resolveAttack(game, { ...cast("Fireball"), target: id }, seededDice("boom", "caller")),
  );
  expect(new Set(results.map(({ damage }) => JSON.stringify(damage?.breakdown[0]?.rolls))).size).toBe(1);
  expect(new Set(results.map(({ dieResult }) => dieResult)).size).toBeGreaterThan(1);
});
