/** Rules that meet: several sources at once, and the order in which they count. */
import { expect, test } from "vitest";
import { type Case, features, play, runCases } from "../testing/case.ts";

const mace = {
  inventory: ["Mace", "Shortbow", "Greatsword"],
  weaponProficiencies: ["Simple Weapons", "Martial Weapons"],
};
const plain: Pick<Case, "player" | "attack"> = { player: mace, attack: { weapon: "Mace" } };

runCases("who sees whom", "unseen", [
  {
    ...plain,
    name: "an attacker invisible and blinded: one die",
    player: { ...mace, conditions: ["Invisible", "Blinded"] },
    dice: [15, 4],
    want: { die: 15, rules: ["unseen", "condition"] },
  },
  {
    ...plain,
    name: "a target invisible and blinded: one die",
    npc: { conditions: ["Invisible", "Blinded"] },
    dice: [3],
    want: { die: 3 },
  },
  {
    ...plain,
    name: "both invisible: one die",
    player: { ...mace, conditions: ["Invisible"] },
    npc: { conditions: ["Invisible"] },
    dice: [3],
    want: { die: 3 },
  },
  {
    ...plain,
    name: "an invisible attacker, poisoned and frightened, at a prone, restrained target: still one die",
    player: { ...mace, conditions: ["Invisible", "Poisoned", "Frightened"] },
    npc: { conditions: ["Prone", "Restrained"] },
    dice: [3],
    want: { die: 3 },
  },
  {
    ...plain,
    name: "a prone target and a prone attacker: one die",
    player: { ...mace, conditions: ["Prone"] },
    npc: { conditions: ["Prone"] },
    dice: [3],
    want: { die: 3 },
  },
]);

const chimera = {
  level: 9,
  stats: { strength: 16, dexterity: 10 },
  inventory: ["Rapier"],
  weaponProficiencies: ["Martial Weapons"],
  spellSlots: { "1": 4 },
};

runCases("dice of a critical hit", "critical-hit", [
  {
    name: "5.1: weapon 2 and 1 of Brutal Critical, Sneak Attack 10, smite 4; the flat 3 once",
    editions: ["5.1"],
    player: { ...chimera, ...features("Brutal Critical", "Sneak Attack", "Divine Smite") },
    npc: { engaged: true },
    attack: { weapon: "Rapier", extra_damage_sources: ["Sneak Attack", "Divine Smite"] },
    dice: [20, ...Array.from({ length: 17 }, () => 1)],
    want: {
      damage: 20,
      lines: ["Rapier 3d8+3 piercing", "Sneak Attack 10d6 piercing", "Divine Smite 4d8 radiant"],
      drawn: [20, 8, 8, 8, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 8, 8, 8, 8],
    },
  },
  {
    name: "5.2: no Brutal Critical",
    editions: ["5.2"],
    player: { ...chimera, ...features("Brutal Critical") },
    attack: { weapon: "Rapier" },
    dice: [20, 1, 1],
    want: { lines: ["Rapier 2d8+3 piercing"] },
  },
  {
    name: "a claimed source that is denied doubles nothing",
    player: { ...chimera, ...features("Sneak Attack") },
    npc: { engaged: false },
    attack: { weapon: "Rapier", extra_damage_sources: ["Sneak Attack"] },
    dice: [20, 1, 1],
    want: { granted: [false], damage: 5 },
  },
]);

runCases("what is taken off, in order", "resistance", [
  {
    name: "resistance before temporary hit points: 11, 5, 2 left of 7",
    source: "temporary-hit-points",
    player: { ...mace, stats: { strength: 16 } },
    npc: { resistances: ["slashing"], temporaryHp: 7 },
    attack: { weapon: "Greatsword" },
    dice: [15, 4, 4],
    want: { damage: 5, changes: ["Goblin temporaryHp=2"], rules: ["resistance", "temporary-hit-points"] },
  },
  {
    name: "Evasion's half before resistance: 15, 7, 3",
    source: "evasion",
    player: { currentHP: 20, maxHP: 20, resistances: ["fire"], ...features("Evasion") },
    save: { ability: "dexterity", dc: 15 },
    scene: { incoming: { dice: "4d6", damageType: "fire", onSuccess: "half" } },
    dice: [5, 4, 4, 4, 3],
    want: { damage: 3, changes: ["Aria currentHP=17"] },
  },
  {
    name: "5.2: the ward's d4 before resistance: 15, 12, 6",
    source: "resistance-cantrip",
    editions: ["5.2"],
    player: {
      currentHP: 20,
      maxHP: 20,
      resistances: ["fire"],
      effects: [{ name: "Resistance", damageType: "fire" }],
    },
    save: { ability: "dexterity", dc: 15 },
    scene: { incoming: { dice: "4d6", damageType: "fire", onSuccess: "half" } },
    dice: [5, 4, 4, 4, 3, 3],
    want: { damage: 6 },
  },
  {
    name: "massive damage counts what temporary hit points leave: 23 less 5 less 6 is 12 of 12",
    source: "dropping-to-0",
    player: { currentHP: 6, maxHP: 12, temporaryHP: 5 },
    save: { ability: "dexterity", dc: 15 },
    scene: { incoming: { dice: "23", onSuccess: "half" } },
    dice: [5],
    want: { changes: ["Aria temporaryHP=0", "Aria currentHP=0", "Aria conditions+Dead"] },
  },
  {
    name: "and one less does not kill",
    source: "dropping-to-0",
    player: { currentHP: 6, maxHP: 12, temporaryHP: 5 },
    save: { ability: "dexterity", dc: 15 },
    scene: { incoming: { dice: "22", onSuccess: "half" } },
    dice: [5],
    want: { changes: ["Aria temporaryHP=0", "Aria currentHP=0", "Aria conditions+Unconscious"] },
  },
]);

runCases("numbers that meet", "archery", [
  {
    name: "Archery's +2 beyond the normal range, against half cover",
    player: { ...mace, ...features("Archery") },
    npc: { distance: 100, cover: "half" },
    attack: { weapon: "Shortbow" },
    dice: [18, 13, 4],
    want: { die: 13, modifier: "+4", total: 17, ac: "17", success: true },
  },
  {
    name: "half a proficiency is none for Reliable Talent",
    source: "reliable-talent",
    player: features("Reliable Talent", "Jack of All Trades"),
    check: { skill: "Stealth", dc: 10 },
    dice: [5],
    want: { die: 5, modifier: "+1" },
  },
  {
    name: "a halfling's reliable talent: a 1 is rolled again, and the 4 counts as 10",
    source: "reliable-talent",
    player: { race: "Halfling", skillProficiencies: ["Stealth"], ...features("Reliable Talent") },
    check: { skill: "Stealth", dc: 10 },
    dice: [1, 4],
    want: { die: 10, total: 12 },
  },
  {
    name: "Bless, Bane and exhaustion on one attack: 2 + 3 - 4, and in 5.2 less 2",
    source: "bless",
    player: { ...mace, exhaustion: 1, effects: [{ name: "Bless" }, { name: "Bane" }] },
    attack: { weapon: "Mace" },
    dice: [10, 3, 4],
    want: { modifier: "+1", total: 11 },
    in52: { modifier: "-1", total: 9 },
  },
]);

test("creatures of one name are distinguished by their ids", () => {
  const { changes } = play({ ...plain, name: "", dice: [15, 4], want: {} }, "5.2");
  expect(changes).toEqual([expect.objectContaining({ who: "Goblin", id: "goblin-1", field: "currentHp", value: 96 })]);
});
