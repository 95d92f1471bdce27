/** Damage that is taken, by hand: adjustments, then resistance, then vulnerability; defences with a qualifier; what effects, traits and worn items bring. */
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { takeDamage } from "../resolve/take-damage.ts";
import { buildGame, type Case, features, runCases } from "../testing/case.ts";

const sword: Pick<Case, "attack"> & { readonly player: NonNullable<Case["player"]> } = {
  player: { stats: { strength: 16 }, weaponProficiencies: ["Longsword"], inventory: ["Longsword", "Club"] },
  attack: { weapon: "Longsword" },
};
const houseRules = "feature Bark | slashing damage | -3\nfeature Brittle | damage | +2\ncondition Sore | damage | +1";

const order: readonly Case[] = [
  {
    /** SRD 5.2's own order: 11 - 3 = 8, halved to 4, doubled to 8. */
    name: "adjustment, resistance, vulnerability",
    ...sword,
    npc: { traits: ["Bark"], resistances: ["slashing"], vulnerabilities: ["slashing"] },
    rulings: { houseRules },
    dice: [15, 8],
    want: { damage: 8, rules: ["house-rule", "resistance", "vulnerability"], changes: ["Goblin currentHp=92"] },
  },
  {
    name: "an adjustment of another type does nothing",
    ...sword,
    attack: { weapon: "Club" },
    npc: { traits: ["Bark"] },
    rulings: { houseRules },
    dice: [15, 3],
    want: { damage: 6, rules: ["!house-rule"] },
  },
  {
    name: "never below 0",
    ...sword,
    player: { ...sword.player, stats: { strength: 8 } },
    npc: { traits: ["Bark"] },
    rulings: { houseRules },
    dice: [19, 2],
    want: { damage: 0 },
  },
  {
    name: "two adjustments, of a trait and of a condition",
    ...sword,
    npc: { traits: ["Brittle"], conditions: ["Sore"] },
    rulings: { houseRules },
    dice: [15, 5],
    want: { damage: 11 },
  },
  {
    name: "what is immune takes nothing, whatever is added",
    ...sword,
    npc: { traits: ["Brittle"], immunities: ["slashing"] },
    rulings: { houseRules },
    dice: [15, 5],
    want: { damage: 0, rules: ["immunity"] },
  },
];

const qualified: readonly Case[] = [
  {
    name: "a plain blade",
    ...sword,
    npc: { nonmagical: { defence: "resistance" } },
    dice: [15, 6],
    want: { damage: 4, rules: ["resistance"] },
  },
  {
    name: "a blade with a bonus is magical",
    ...sword,
    player: { ...sword.player, inventory: ["Longsword +1"] },
    attack: { weapon: "Longsword +1" },
    npc: { nonmagical: { defence: "immunity" } },
    dice: [15, 6],
    want: { damage: 10, rules: ["!immunity"] },
  },
  {
    name: "silver, where silver is the exception",
    ...sword,
    player: {
      ...sword.player,
      weaponDamage: { "Silvered Longsword": { dice: "1d8", stat: "str", damageType: "slashing" } },
    },
    attack: { weapon: "Silvered Longsword" },
    npc: { nonmagical: { defence: "immunity", unless: "silvered" } },
    dice: [17, 6],
    want: { damage: 9, rules: ["!immunity"] },
  },
  {
    name: "a plain blade, where silver is the exception",
    ...sword,
    npc: { nonmagical: { defence: "immunity", unless: "silvered" } },
    dice: [15, 6],
    want: { damage: 0, rules: ["immunity"] },
  },
  {
    name: "the spell Magic Weapon",
    ...sword,
    player: { ...sword.player, effects: [{ name: "Magic Weapon", bonus: 1 }] },
    npc: { nonmagical: { defence: "immunity" } },
    dice: [15, 6],
    want: { damage: 10, rules: ["!immunity"] },
  },
  {
    name: "fire of a blade is no blow",
    ...sword,
    player: {
      ...sword.player,
      weaponDamage: { Brand: { dice: "1d8", stat: "str", damageType: "fire" } },
      weaponProficiencies: ["Brand"],
    },
    attack: { weapon: "Brand" },
    npc: { nonmagical: { defence: "immunity" } },
    dice: [15, 6],
    want: { damage: 9 },
  },
  {
    name: "Stoneskin on a creature",
    ...sword,
    npc: { conditions: ["Stoneskin"] },
    source: "spell-at-work",
    dice: [15, 6],
    want: { damage: 4, rules: ["spell-at-work"] },
  },
];

runCases("damage taken", "resistance", order);
runCases("defences with a qualifier", "resistance", qualified);

/** `source` is what strikes. */
const taken = (
  player: Case["player"],
  damageType: "bludgeoning" | "cold" | "fire" | "poison" | "psychic" | "slashing",
  more: { readonly edition?: "5.1" | "5.2"; readonly source?: string; readonly houseRules?: string } = {},
): number => {
  const rulings = more.houseRules === undefined ? {} : { houseRules: more.houseRules };
  const game = buildGame({ player: { currentHP: 90, maxHP: 90, ...player }, rulings }, more.edition ?? "5.1");
  const intent = { damage: "21", damageType, crit: false, doubled: false, source: more.source ?? "Goblin's club" };
  return takeDamage(game, intent, scriptedDice([])).total;
};

describe("what a character has against damage (21 of it)", () => {
  test.each([
    ["nothing", {}, "fire", 21],
    ["a Ring of Warmth, worn", { inventory: ["Ring of Warmth (worn)"] }, "cold", 10],
    ["a Ring of Warmth in a bag", { inventory: ["Ring of Warmth"] }, "cold", 21],
    ["a Ring of Resistance of that type", { inventory: ["Ring of Resistance (fire) (attuned)"] }, "fire", 10],
    ["a Ring of Resistance of another type", { inventory: ["Ring of Resistance (acid) (attuned)"] }, "fire", 21],
    ["Dwarven Resilience", features("Dwarven Resilience"), "poison", 10],
    ["a red ancestor", { features: [{ name: "Draconic Ancestry", chosenOption: "Red" }] }, "fire", 10],
    ["a white ancestor", { features: [{ name: "Draconic Ancestry", chosenOption: "White" }] }, "fire", 21],
    ["Protection from Energy (cold)", { conditions: ["Protection from Energy (cold)"] }, "cold", 10],
    ["Protection from Energy (fire)", { conditions: ["Protection from Energy (fire)"] }, "cold", 21],
    ["a warm Fire Shield", { conditions: ["Fire Shield (warm)"] }, "cold", 10],
    ["a chill Fire Shield", { conditions: ["Fire Shield (chill)"] }, "cold", 21],
    ["a mind that is blank", { effects: [{ name: "Mind Blank" }] }, "psychic", 0],
    ["a body of stone", { conditions: ["Petrified"] }, "bludgeoning", 10],
    ["a rage", { ...features("Rage"), effects: [{ name: "Rage" }] }, "slashing", 10],
    ["a rage in plate", { ...features("Rage"), effects: [{ name: "Rage" }], worn: { armor: "heavy" } }, "slashing", 21],
    [
      "two resistances, which count once",
      { resistances: ["fire"], inventory: ["Staff of Fire (equipped)"] },
      "fire",
      10,
    ],
  ] as const)("%s", (_, player, type, expected) => {
    expect(taken(player as Case["player"], type)).toBe(expected);
  });

  test("a blow that is magical passes what only plain blows meet", () => {
    const bearer = { nonmagical: { defence: "resistance" } } as const;
    expect(taken(bearer, "slashing")).toBe(10);
    expect(taken(bearer, "slashing", { source: "Longsword +1" })).toBe(21);
    expect(taken(bearer, "fire")).toBe(21);
  });

  test("editions differ", () => {
    expect(taken({ conditions: ["Stoneskin"] }, "slashing", { source: "Longsword +1" })).toBe(21);
    expect(taken({ conditions: ["Stoneskin"] }, "slashing", { source: "Longsword +1", edition: "5.2" })).toBe(10);
    expect(taken({ effects: [{ name: "Heroes' Feast" }] }, "poison")).toBe(0);
    expect(taken({ effects: [{ name: "Heroes' Feast" }] }, "poison", { edition: "5.2" })).toBe(10);
  });

  test("a table's own: numbers of the sheet, and a vulnerability", () => {
    const tough = { ...features("Tough Hide"), level: 5 };
    expect(taken(tough, "slashing", { houseRules: "feature Tough Hide | damage | -proficiency" })).toBe(18);
    const doll = { effects: [{ name: "Doll" }] };
    expect(taken(doll, "fire", { houseRules: "effect Doll | fire damage | vulnerability" })).toBe(42);
  });
});
