/** What a hit carries beside its damage (5.2): Topple's save, Cunning Strike, the blows of Brutal Strike, and what they leave behind. */
import { describe, expect, test } from "vitest";
import { isRefusal } from "../refusal.ts";
import { type Case, features, play, runCases } from "./case.fixture.ts";

const editions = ["5.2"] as const;

const maul: Pick<Case, "editions" | "player" | "attack"> = {
  editions,
  player: { inventory: ["Maul"], stats: { strength: 16 }, weaponMasteries: ["Maul"] },
  attack: { weapon: "Maul" },
};

runCases("Topple", "topple", [
  {
    ...maul,
    name: "DC 8 + 3, untrained with the maul and all the same + 2: a 12 falls",
    dice: [15, 4, 4, 12],
    want: {
      drawn: [20, 6, 6, 20],
      rules: ["topple"],
      notes: /Topple: Goblin falls prone, 12 on the constitution save, DC 13/,
      changes: ["Goblin currentHp=89", "Goblin conditions+Prone"],
    },
  },
  {
    ...maul,
    name: "a 13 stands",
    dice: [15, 4, 4, 13],
    want: { notes: /Topple: Goblin saves, 13 on the constitution save, DC 13/, changes: ["Goblin currentHp=89"] },
  },
  {
    ...maul,
    name: "the creature's own bonus counts",
    npc: { savingThrowBonus: 4 },
    dice: [15, 4, 4, 9],
    want: { notes: /saves, 13 on/ },
  },
  {
    ...maul,
    name: "who lies already does not save",
    npc: { conditions: ["Prone"] },
    dice: [15, 3, 4, 4],
    want: { drawn: [20, 20, 6, 6] },
  },
  { ...maul, name: "a miss asks for no save", dice: [2], want: { success: false, drawn: [20] } },
  {
    ...maul,
    name: "Staggered: the save has disadvantage, and the mark is gone after it",
    npc: { conditions: ["Staggered"] },
    dice: [15, 4, 4, 20, 2],
    want: { changes: ["Goblin currentHp=89", "Goblin conditions-Staggered", "Goblin conditions+Prone"] },
  },
]);

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
    npc: {},
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

const cleaver: Pick<Case, "editions" | "player" | "attack"> = {
  editions,
  player: { inventory: ["Halberd", "Longsword"], stats: { strength: 16 }, weaponMasteries: ["Halberd", "Longsword"] },
  attack: { weapon: "Halberd" },
};
const twin = { inventory: ["Shortsword", "Dagger"], stats: { dexterity: 16 }, weaponMasteries: ["Dagger"] };

runCases("attacks that follow another", "cleave", [
  {
    ...cleaver,
    name: "Cleave's second attack: its own roll, no modifier to damage, once a turn",
    scene: { attack: "cleave" },
    dice: [15, 7],
    want: {
      lines: ["Halberd 1d10 slashing"],
      notes: /^(?!.*Cleave)/,
      changes: ["Aria scene.usedThisTurn+Cleave", "Goblin currentHp=93"],
    },
  },
  {
    ...cleaver,
    name: "a negative modifier is taken all the same",
    player: { ...cleaver.player, stats: { strength: 8 } },
    scene: { attack: "cleave" },
    dice: [19, 4, 7],
    npc: { ac: 2 },
    want: { lines: ["Halberd 1d10-1 slashing"] },
  },
  {
    ...cleaver,
    name: "not twice",
    scene: { attack: "cleave", usedThisTurn: ["Cleave"] },
    dice: [],
    want: { impossible: /once a turn/ },
  },
  {
    ...cleaver,
    name: "not with a longsword",
    attack: { weapon: "Longsword" },
    scene: { attack: "cleave" },
    dice: [],
    want: { impossible: /cannot cleave/ },
  },
  {
    name: "the extra attack of two light weapons is a bonus action, and there is one",
    source: "two-weapon-fighting",
    player: { ...twin, weaponMasteries: [] },
    attack: { weapon: "Shortsword" },
    scene: { attack: "bonus", usedThisTurn: ["Bonus Action"] },
    dice: [],
    want: { impossible: /bonus action is spent/ },
  },
  {
    editions,
    name: "Nick leaves the bonus action alone",
    source: "nick",
    player: twin,
    attack: { weapon: "Dagger" },
    scene: { attack: "bonus", usedThisTurn: ["Bonus Action"] },
    dice: [15, 4],
    want: { damage: 4, changes: ["Aria scene.usedThisTurn+Nick", "Goblin currentHp=96"] },
  },
  {
    editions,
    name: "and works once a turn",
    source: "nick",
    player: twin,
    attack: { weapon: "Dagger" },
    scene: { attack: "bonus", usedThisTurn: ["Nick"] },
    dice: [],
    want: { impossible: /once a turn/ },
  },
  {
    name: "a flurry is several strikes of one bonus action",
    source: "martial-arts",
    player: { ...twin, ...features("Martial Arts", "Flurry of Blows") },
    attack: { weapon: "Unarmed Strike" },
    scene: { attack: "bonus", usedThisTurn: ["Bonus Action"] },
    dice: [15, 4],
    want: { success: true },
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

test("the creature's save stands among the rules with every part of it", () => {
  const npc = { savingThrowBonus: 4, conditions: ["Staggered"] };
  const { rules } = play({ ...maul, name: "", npc, dice: [15, 4, 4, 20, 2], want: {} }, "5.2");
  const about = rules.filter(({ effect }) => effect.startsWith("Topple save: "));
  expect(about.map(({ number, effect, rule }) => `${number} ${effect} ${rule}`)).toEqual([
    "changes Topple save: disadvantage brutal-strike",
    "changes Topple save: lowest of 20 and 2 advantage-and-disadvantage",
    "changes Topple save: +4 d20-test",
  ]);
});
