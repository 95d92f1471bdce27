/**
 * Defects found in other programs that resolve the same rules: each is a row that must hold here. The first part is the list
 * of the program this service was specified after; the second is what users of others have reported.
 */
import { expect, test } from "vitest";
import { isRefusal } from "../result/refusal.ts";
import { type Case, play, runCases } from "../testing/case.ts";

const refusal = (row: Pick<Case, "npc" | "player" | "attack">) => {
  try {
    play({ player: { inventory: ["Club"] }, ...row, name: "", dice: [], want: {} }, "5.1");
  } catch (thrown) {
    if (isRefusal(thrown)) return thrown;
    throw thrown;
  }
  return undefined;
};

const fighter = { inventory: ["Longsword"], weaponProficiencies: ["Martial Weapons"], stats: { strength: 16 } };
const rogue = {
  ...fighter,
  inventory: ["Scimitar", "Longsword"],
  stats: { dexterity: 16 },
  features: [{ name: "Sneak Attack" }],
};

test("a target is never found in the middle of a name: Goblin is not Hobgoblin", () => {
  const thrown = refusal({ npc: { name: "Hobgoblin" }, attack: { target: "Goblin" } });
  expect(thrown).toMatchObject({ reason: "unknown_target", data: { known: ["Hobgoblin (goblin-1)"] } });
});

test("nor does a long name find a short one: Goblin Boss is not Goblin", () => {
  expect(refusal({ attack: { target: "Goblin Boss" } })?.reason).toBe("unknown_target");
});

test("two of a name are a question back", () => {
  const thrown = refusal({
    player: { inventory: ["Longsword +1", "Longsword +2"] },
    attack: { weapon: "Longsword" },
  });
  expect(thrown).toMatchObject({ reason: "ambiguous_name", data: { candidates: ["Longsword +1", "Longsword +2"] } });
});

runCases("the reference program", "weapon-damage", [
  {
    name: "Longsword +1 keeps the proficiency of its category",
    source: "magic-weapon",
    player: { ...fighter, weaponDamage: { "Longsword +1": { dice: "1d8", stat: "str", bonus: 1 } } },
    attack: { weapon: "Longsword +1" },
    dice: [12, 1],
    want: { modifier: "+6", damage: 5, rules: ["magic-weapon"] },
  },
  {
    name: "negative damage is held at 0",
    source: "no-negative-damage",
    player: { inventory: ["Club"], stats: { strength: 1 } },
    npc: { ac: 10 },
    attack: { weapon: "Club" },
    dice: [19, 1],
    want: { success: true, damage: 0 },
  },
  {
    name: "negative damage of a critical hit is held at 0",
    source: "no-negative-damage",
    player: { inventory: ["Club"], stats: { strength: 1 } },
    attack: { weapon: "Club" },
    dice: [20, 1, 1],
    want: { damage: 0 },
  },
  {
    name: "a power attack is never +10 without -5",
    source: "power-attack",
    player: { inventory: ["Greataxe"], stats: { strength: 16 }, features: [{ name: "Great Weapon Master" }] },
    rulings: { powerAttack: true },
    attack: { weapon: "Greataxe", extra_damage_sources: ["Great Weapon Master"] },
    dice: [17, 1],
    want: { modifier: "-2", total: 15, damage: 14 },
  },
  {
    name: "a smite needs a slot",
    source: "divine-smite",
    player: { ...fighter, features: [{ name: "Divine Smite" }] },
    attack: { weapon: "Longsword", extra_damage_sources: ["Divine Smite"] },
    dice: [12, 1],
    want: { damage: 4, granted: [false] },
  },
  {
    name: "a smite is capped: a slot of level 5 rolls no more than one of level 4",
    source: "divine-smite",
    editions: ["5.1"],
    player: { ...fighter, features: [{ name: "Divine Smite" }], spellSlots: { "5": 1 } },
    attack: { weapon: "Longsword", extra_damage_sources: ["Divine Smite"] },
    dice: [12, 1, 1, 1, 1, 1, 1],
    want: { lines: ["Longsword 1d8+3 slashing", "Divine Smite 5d8 radiant"] },
  },
  {
    name: "a smite needs a melee weapon",
    source: "divine-smite",
    player: { ...fighter, inventory: ["Shortbow"], features: [{ name: "Divine Smite" }], spellSlots: { "1": 1 } },
    attack: { weapon: "Shortbow", extra_damage_sources: ["Divine Smite"] },
    dice: [19, 1],
    want: { granted: [false], changes: ["Goblin currentHp=99"] },
  },
  {
    name: "a smite burns the undead with one more die, and nobody else",
    source: "divine-smite",
    player: { ...fighter, features: [{ name: "Divine Smite" }], spellSlots: { "1": 1 } },
    npc: { creatureType: "Undead" },
    attack: { weapon: "Longsword", extra_damage_sources: ["Divine Smite"] },
    dice: [12, 1, 1, 1, 1],
    want: { lines: ["Longsword 1d8+3 slashing", "Divine Smite 3d8 radiant"] },
  },
  {
    name: "a smite spends its slot, on a hit alone",
    source: "divine-smite",
    player: { ...fighter, features: [{ name: "Divine Smite" }], spellSlots: { "1": 1 } },
    attack: { weapon: "Longsword", extra_damage_sources: ["Divine Smite"] },
    dice: [2],
    want: { success: false, changes: [] },
  },
  {
    name: "a smite cannot name a slot above the ninth",
    source: "divine-smite",
    player: { ...fighter, features: [{ name: "Divine Smite" }], spellSlots: { "1": 4 } },
    attack: { weapon: "Longsword", extra_damage_sources: ["Divine Smite 9"] },
    dice: [12, 1],
    want: { damage: 4, granted: [false] },
  },
  {
    name: "sneak attack has the weapon's type, not always piercing",
    source: "sneak-attack",
    player: rogue,
    npc: { engaged: true },
    attack: { weapon: "Scimitar", extra_damage_sources: ["Sneak Attack"] },
    dice: [12, 1, 1],
    want: { lines: ["Scimitar 1d6+3 slashing", "Sneak Attack 1d6 slashing"] },
  },
  {
    name: "sneak attack is not for every weapon",
    source: "sneak-attack",
    player: rogue,
    npc: { engaged: true },
    attack: { weapon: "Longsword", extra_damage_sources: ["Sneak Attack"] },
    dice: [15, 1],
    want: { granted: [false] },
  },
  {
    name: "sneak attack needs advantage or an ally",
    source: "sneak-attack",
    player: rogue,
    npc: { engaged: false },
    attack: { weapon: "Scimitar", extra_damage_sources: ["Sneak Attack"] },
    dice: [12, 1],
    want: { granted: [false] },
  },
  {
    name: "sneak attack works once a turn",
    source: "sneak-attack",
    player: rogue,
    npc: { engaged: true },
    scene: { usedThisTurn: ["Sneak Attack"] },
    attack: { weapon: "Scimitar", extra_damage_sources: ["Sneak Attack"] },
    dice: [12, 1],
    want: { granted: [false] },
  },
  {
    name: "a feature whose name holds the letters of rage is none",
    source: "rage",
    player: { ...fighter, features: [{ name: "Courageous Beverage" }], effects: [{ name: "Rage" }] },
    attack: { weapon: "Longsword" },
    dice: [12, 1],
    want: { damage: 4, rules: ["!rage"] },
  },
  {
    name: "a weapon's type is its own, not piercing by default",
    source: "weapon-damage",
    player: fighter,
    attack: { weapon: "Longsword" },
    dice: [12, 1],
    want: { lines: ["Longsword 1d8+3 slashing"] },
  },
  {
    name: "rage is raging, not having the feature",
    source: "rage",
    player: { ...fighter, features: [{ name: "Rage" }], effects: [] },
    attack: { weapon: "Longsword", extra_damage_sources: ["Rage"] },
    dice: [12, 1],
    want: { damage: 4, granted: [false] },
  },
  {
    name: "a blowgun deals its 1",
    source: "weapon-damage",
    editions: ["5.2"],
    player: { inventory: ["Blowgun"] },
    attack: { weapon: "Blowgun" },
    dice: [19],
    want: { damage: 1 },
  },
  {
    name: "a blowgun on a sheet deals its 1",
    source: "weapon-damage",
    player: { weaponDamage: { Blowgun: { dice: "1", stat: "none" } } },
    attack: { weapon: "Blowgun" },
    dice: [19],
    want: { damage: 1 },
  },
  {
    name: "the notes tell a 19 from a natural 20",
    source: "improved-critical",
    player: { ...fighter, features: [{ name: "Improved Critical" }] },
    attack: { weapon: "Longsword" },
    dice: [19, 1, 1],
    want: { crit: true, notes: /^(?!.*20).*natural 19/ },
  },
  {
    name: "advantage, cover and resistance exist",
    source: "advantage-and-disadvantage",
    player: fighter,
    npc: { cover: "half", resistances: ["slashing"] },
    scene: { advantage: ["prone"] },
    attack: { weapon: "Longsword" },
    dice: [2, 14, 5],
    want: { die: 14, ac: "17", damage: 4 },
  },
]);

runCases("what users of other programs reported", "critical-hit", [
  {
    name: "damage of a save rolled with advantage is rolled once",
    source: "save-for-half",
    save: { ability: "dexterity", dc: 15 },
    scene: { advantage: ["foresight"], incoming: { dice: "2d6", onSuccess: "half" } },
    dice: [3, 4, 5, 6],
    want: { success: false, damage: 11 },
  },
  {
    name: "a splash of another type has its own defence: resistance to one halves one",
    source: "save-for-half",
    player: { ...fighter, effects: [{ name: "Divine Favor" }] },
    npc: { resistances: ["slashing"], vulnerabilities: ["radiant"] },
    attack: { weapon: "Longsword" },
    dice: [12, 4, 3],
    want: { damage: 9 },
  },
  {
    name: "ten over the AC is not a critical hit, and +11 against AC 13 crits on 20 alone",
    player: { ...fighter, level: 17, stats: { strength: 20 } },
    npc: { ac: 13 },
    attack: { weapon: "Longsword" },
    dice: [19, 1],
    want: { total: 30, crit: false },
  },
  {
    name: "+6 hits AC 40 with a natural 20",
    source: "natural-20",
    player: fighter,
    npc: { ac: 40 },
    attack: { weapon: "Longsword" },
    dice: [20, 1, 1],
    want: { success: true },
  },
  {
    name: "+16 misses AC 1 with a natural 1",
    source: "natural-1",
    player: { ...fighter, level: 17, inventory: ["Longsword +3"], stats: { strength: 20 } },
    npc: { ac: 1 },
    attack: { weapon: "Longsword +3" },
    dice: [1],
    want: { success: false },
  },
  {
    name: "a critical hit doubles the dice, not the total",
    player: fighter,
    attack: { weapon: "Longsword" },
    dice: [20, 2, 7],
    want: { damage: 12 },
  },
  {
    name: "sneak attack dice are doubled by a critical hit",
    player: rogue,
    npc: { engaged: true },
    attack: { weapon: "Scimitar", extra_damage_sources: ["Sneak Attack"] },
    dice: [20, 1, 1, 6, 6],
    want: { damage: 17 },
  },
  {
    name: "advantage does not double damage",
    source: "advantage-and-disadvantage",
    player: fighter,
    scene: { advantage: ["help"] },
    attack: { weapon: "Longsword" },
    dice: [15, 16, 4],
    want: { damage: 7 },
  },
  {
    name: "a critical range does not hit by itself",
    source: "improved-critical",
    player: { ...fighter, features: [{ name: "Superior Critical" }] },
    npc: { ac: 30 },
    attack: { weapon: "Longsword" },
    dice: [18],
    want: { success: false },
  },
  {
    name: "the dropped die of disadvantage causes no critical hit",
    source: "advantage-and-disadvantage",
    player: fighter,
    scene: { disadvantage: ["fog"] },
    attack: { weapon: "Longsword" },
    dice: [20, 12, 1],
    want: { die: 12, crit: false },
  },
  {
    name: "a result says why a hit is critical: the range and the condition",
    player: fighter,
    npc: { conditions: ["Unconscious"], distance: 5 },
    attack: { weapon: "Longsword" },
    dice: [10, 12, 1, 1],
    want: { crit: true, notes: /unconscious and within 5 feet/, rules: ["condition", "!natural-20"] },
  },
]);
