/** Effects that a hit carries with another source (5.2): Cunning Strike, the blows of Brutal Strike, and what they leave behind. */
import { describe, expect, test } from "vitest";
import { isRefusal } from "../result/refusal.ts";
import { type Case, features, play, runCases } from "../testing/case.ts";

const editions = ["5.2"] as const;

const rogue = {
  characterClass: "Rogue",
  level: 5,
  stats: { dexterity: 16 },
  inventory: ["Rapier", "Poisoner's Kit"],
  weaponProficiencies: ["Martial Weapons"],
  ...features("Sneak Attack", "Cunning Strike"),
};
const cunning = (name: string, strikes: readonly string[], row: Partial<Case>): Case => ({
  editions,
  npc: { engaged: true },
  dice: [],
  want: {},
  ...row,
  name,
  player: { ...rogue, ...row.player },
  attack: { weapon: "Rapier", extra_damage_sources: ["Sneak Attack", ...strikes] },
});
const devious = {
  level: 14,
  ...features("Sneak Attack", "Cunning Strike", "Improved Cunning Strike", "Devious Strikes"),
};

runCases("Cunning Strike", "cunning-strike", [
  cunning("Trip costs a die, and a failed DEX save of DC 8 + 3 + 3 falls prone", ["Trip"], {
    dice: [12, 1, 2, 3, 13],
    want: {
      granted: [true, true],
      lines: ["Rapier 1d8+3 piercing", "Sneak Attack 2d6 piercing"],
      notes: /Trip: Goblin falls prone, 13 on the dexterity save, DC 14/,
      changes: ["Aria scene.usedThisTurn+Sneak Attack", "Goblin currentHp=91", "Goblin conditions+Prone"],
    },
  }),
  cunning("Trip: a 14 stands", ["Trip"], { dice: [12, 1, 2, 3, 14], want: { notes: /Trip: Goblin saves/ } }),
  cunning("Trip: cover helps the creature", ["Trip"], {
    npc: { engaged: true, cover: "half" },
    dice: [12, 1, 2, 3, 12],
    want: { notes: /saves, 14 on/ },
  }),
  cunning("Trip: the stunned do not save at all", ["Trip"], {
    npc: { engaged: true, conditions: ["Stunned"] },
    dice: [12, 3, 1, 2, 3],
    want: { notes: /falls prone, without a dexterity save: Goblin is stunned/ },
  }),
  cunning("Trip: nobody huge", ["Trip"], {
    npc: { engaged: true, size: "huge" },
    dice: [12, 1, 2, 3, 4],
    want: { granted: [true, false], lines: ["Rapier 1d8+3 piercing", "Sneak Attack 3d6 piercing"] },
  }),
  cunning("Poison: a Constitution save", ["Cunning Strike: Poison"], {
    dice: [12, 1, 2, 3, 1],
    want: {
      notes: /1 on the constitution save/,
      changes: ["Aria scene.usedThisTurn+Sneak Attack", "Goblin currentHp=91", "Goblin conditions+Poisoned"],
    },
  }),
  cunning("Poison: not without the kit", ["Poison"], {
    player: { inventory: ["Rapier"] },
    dice: [12, 1, 2, 3, 4],
    want: { granted: [true, false], notes: /no Poisoner's Kit/ },
  }),
  cunning("Withdraw needs no save", ["Cunning Strike (Withdraw)"], {
    dice: [12, 1, 2, 3],
    want: { granted: [true, true], notes: /half their speed/ },
  }),
  cunning("one effect a hit", ["Withdraw", "Trip"], {
    dice: [12, 1, 2, 3],
    want: { granted: [true, true, false], notes: /at most 1/ },
  }),
  cunning("two with Improved Cunning Strike, each for its dice: 7d6 less 1 and 6", ["Trip", "Knock Out"], {
    player: devious,
    dice: [12, 1, 20, 1],
    want: {
      granted: [true, true, true],
      lines: ["Rapier 1d8+3 piercing", "Sneak Attack piercing"],
      notes: /Trip: Goblin saves.*Knock Out: Goblin is unconscious.*DC 16/,
    },
  }),
  cunning("no dice that are spent already", ["Obscure", "Knock Out"], {
    player: devious,
    dice: [12, 1, 1, 1, 1, 1, 20],
    want: { granted: [true, true, false], notes: /it costs 6 dice of Sneak Attack, and 4 are left/ },
  }),
  cunning("Daze costs two", ["Daze"], {
    player: devious,
    dice: [12, 1, 1, 1, 1, 1, 1, 2],
    want: { notes: /Daze: Goblin is dazed/, lines: ["Rapier 1d8+3 piercing", "Sneak Attack 5d6 piercing"] },
  }),
  cunning("the options of level 14 need their feature", ["Daze"], {
    dice: [12, 1, 2, 3, 4],
    want: { granted: [true, false], notes: /does not have Devious Strikes/ },
  }),
  cunning("Stealth Attack is the Thief's", ["Stealth Attack"], {
    player: { ...features("Sneak Attack", "Cunning Strike", "Supreme Sneak") },
    dice: [12, 1, 2, 3],
    want: { granted: [true, true], notes: /stays hidden/ },
  }),
  cunning("nothing without Sneak Attack", ["Trip"], {
    npc: { engaged: false },
    dice: [12, 1],
    want: { granted: [false, false], notes: /it comes with Sneak Attack/ },
  }),
  cunning("the same twice counts once", ["Trip", "Cunning Strike: Trip"], {
    player: devious,
    dice: [12, 1, 1, 1, 1, 1, 1, 1, 20],
    want: { granted: [true, true, false], notes: /claimed twice/ },
  }),
  cunning("a critical hit doubles the dice that are left", ["Trip"], {
    dice: [20, 1, 1, 1, 1, 1, 1, 20],
    want: { crit: true, lines: ["Rapier 2d8+3 piercing", "Sneak Attack 4d6 piercing"] },
  }),
  cunning("a miss carries nothing", ["Trip"], { dice: [2], want: { granted: [true, true], changes: [] } }),
  cunning("5.1 does not have it", ["Trip"], {
    editions: ["5.1"],
    dice: [12, 1, 2, 3, 4],
    want: { granted: [true, false], notes: /a rule of 5.2/ },
  }),
]);

const barbarian = {
  characterClass: "Barbarian",
  level: 9,
  stats: { strength: 18 },
  inventory: ["Greataxe"],
  weaponProficiencies: ["Martial Weapons"],
  ...features("Brutal Strike"),
  effects: [{ name: "Reckless Attack" as const }],
};
const brutal = (name: string, strikes: readonly string[], row: Partial<Case>): Case => ({
  editions,
  dice: [12, 5, 10],
  want: {},
  ...row,
  name,
  player: { ...barbarian, ...row.player },
  attack: { weapon: "Greataxe", extra_damage_sources: ["Brutal Strike", ...strikes] },
});

runCases("Brutal Strike", "brutal-strike", [
  brutal("Forceful Blow pushes", ["Forceful Blow"], { want: { granted: [true, true], notes: /pushed 15 feet/ } }),
  brutal("Hamstring Blow slows", ["Brutal Strike: Hamstring Blow"], {
    want: {
      granted: [true, true],
      changes: ["Aria scene.usedThisTurn+Brutal Strike", "Goblin currentHp=81", "Goblin conditions+Hamstrung"],
    },
  }),
  brutal("Staggering Blow is for level 13", ["Staggering Blow"], { want: { granted: [true, false] } }),
  brutal("one effect below level 17", ["Staggering Blow", "Sundering Blow"], {
    player: { level: 13, ...features("Brutal Strike", "Improved Brutal Strike") },
    want: { granted: [true, true, false] },
  }),
  brutal("two effects and 2d10 at level 17", ["Staggering Blow", "Sundering Blow"], {
    player: { level: 17, ...features("Brutal Strike", "Improved Brutal Strike") },
    dice: [12, 5, 10, 10],
    want: {
      granted: [true, true, true],
      changes: [
        "Aria scene.usedThisTurn+Brutal Strike",
        "Goblin currentHp=71",
        "Goblin conditions+Staggered",
        "Goblin conditions+Sundered by Aria",
      ],
    },
  }),
  brutal("a miss spends it all the same: the roll was chosen", ["Forceful Blow"], {
    dice: [2],
    want: { success: false, changes: ["Aria scene.usedThisTurn+Brutal Strike"] },
  }),
  brutal("refused under disadvantage, it leaves the reckless advantage where it was", [], {
    player: { conditions: ["Poisoned"] },
    dice: [12, 5],
    want: { granted: [false], drawn: [20, 12], rules: ["reckless-attack"] },
  }),
  {
    editions,
    name: "Sundered by another: +5 once, and the mark goes with the roll",
    player: { ...barbarian, effects: [] },
    npc: { ac: 20, conditions: ["Sundered by Bo"] },
    attack: { weapon: "Greataxe" },
    dice: [2],
    want: { modifier: "+13", changes: ["Goblin conditions-Sundered by Bo"] },
  },
  {
    editions,
    name: "not for whoever sundered it",
    player: { ...barbarian, effects: [] },
    npc: { conditions: ["Sundered by Aria"] },
    attack: { weapon: "Greataxe" },
    dice: [2],
    want: { modifier: "+8", changes: [] },
  },
]);

describe("a strike that could be several", () => {
  test("is a question back that lists them", () => {
    try {
      play(cunning("", ["Cunning Strike"], { dice: [12, 1, 2, 3] }), "5.2");
    } catch (thrown) {
      expect(isRefusal(thrown) && thrown.reason).toBe("ambiguous_name");
      expect(isRefusal(thrown) && thrown.data).toMatchObject({
        what: "damage source",
        candidates: expect.arrayContaining(["Cunning Strike: Trip", "Cunning Strike: Daze"]),
      });
      return;
    }
    expect.unreachable("a bare Cunning Strike was taken for one of them");
  });
});
