/** Odds: known values, agreement with every way the dice can fall, agreement with simulation, and what can never happen. */
import type { Game, Odds, Question } from "@fairlead/contracts/rules";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Case, gameOf } from "../cases/case.fixture.ts";
import { seeded } from "../dice/source.ts";
import { isRefusal } from "../refusal.ts";
import { settle } from "../settle.ts";
import { listed, moments } from "./distribution.ts";
import { chanceOf, everyRun, spreadOf } from "./enumerate.fixture.ts";
import { fractionOf } from "./fraction.ts";
import { oddsOf } from "./odds.ts";

const fighter = {
  inventory: ["Longsword", "Greatsword", "Dagger", "Glaive", "Mace"],
  weaponProficiencies: ["Martial Weapons", "Simple Weapons"],
  stats: { strength: 18 },
};
const attack = (intent: Partial<Extract<Question, { kind: "attack" }>["intent"]> = {}): Question => ({
  kind: "attack",
  intent: { weapon: "Longsword", target: "Goblin", ...intent },
});

const brief = ({ success, crit, mean }: Odds) => ({
  success: success.fraction,
  crit: crit.fraction,
  mean: mean.fraction,
});

describe("known values", () => {
  test("+6 against AC 15, 1d8+4", () => {
    const odds = oddsOf(gameOf({ player: fighter }, "5.1"), attack());
    expect(brief(odds)).toEqual({ success: "3/5", crit: "1/20", mean: "213/40" });
    expect(odds.success.decimal).toBe("0.600000");
    expect(odds.mean.decimal).toBe("5.325000");
  });

  test("+6 against AC 15, 1d8+3: mean 4.725", () => {
    const player = { ...fighter, level: 5, stats: { strength: 16 } };
    expect(oddsOf(gameOf({ player }, "5.1"), attack()).mean.decimal).toBe("4.725000");
  });

  test("+11 against AC 13, 1d8+5: crit 1/20, mean 9.25", () => {
    const player = { ...fighter, level: 17, stats: { strength: 20 } };
    const odds = oddsOf(gameOf({ player, npc: { ac: 13 } }, "5.1"), attack());
    expect(brief(odds)).toEqual({ success: "19/20", crit: "1/20", mean: "37/4" });
  });

  test("AC 40: one in twenty; AC 1 with a big bonus: nineteen in twenty", () => {
    expect(oddsOf(gameOf({ player: fighter, npc: { ac: 40 } }, "5.1"), attack()).success.fraction).toBe("1/20");
    const player = { ...fighter, level: 17, stats: { strength: 30 } };
    expect(oddsOf(gameOf({ player, npc: { ac: 1 } }, "5.1"), attack()).success.fraction).toBe("19/20");
  });

  test("needing 11: advantage 3/4, disadvantage 1/4, three dice 7/8", () => {
    const player = { inventory: ["Dagger"], stats: { strength: 10, dexterity: 10 } };
    const success = (scene: Case["scene"], rulings: Case["rulings"] = {}, dexterity = 10) =>
      oddsOf(
        gameOf({ player: { ...player, stats: { strength: 8, dexterity } }, npc: { ac: 11 }, scene, rulings }, "5.1"),
        attack({ weapon: "Dagger" }),
      ).success.fraction;
    expect(success({})).toBe("1/2");
    expect(success({ advantage: ["a"] })).toBe("3/4");
    expect(success({ disadvantage: ["a"] })).toBe("1/4");
    expect(success({ advantage: ["a"], disadvantage: ["b"] })).toBe("1/2");
    expect(success({ advantage: ["a"] }, { elvenAccuracy: true })).toBe("7/8");
  });

  test("a check with DC 15 and no modifier: 6/20; a halfling's: 63/200", () => {
    const check: Question = { kind: "check", intent: { skill: "Stealth", dc: 15 } };
    expect(oddsOf(gameOf({}, "5.1"), check).success.fraction).toBe("3/10");
    expect(oddsOf(gameOf({ player: { race: "Halfling" } }, "5.1"), check).success.fraction).toBe("63/200");
  });

  test("acid arrow at +2 against AC 18: 4d4, half of them on a miss, 8d4 on a critical hit", () => {
    const player = { characterClass: "Wizard", level: 3, knownSpells: ["Acid Arrow"] };
    const intent = { weapon: "Acid Arrow", is_spell_attack: true };
    const odds = oddsOf(gameOf({ player, npc: { ac: 18 } }, "5.1"), attack(intent));
    // 15/20 of 4.75 (half of 4d4, rounded down), 4/20 of 10, 1/20 of 20
    expect(brief(odds)).toEqual({ success: "1/4", crit: "1/20", mean: "105/16" });
    expect(
      odds.distribution.reduce((sum, { value, probability }) => sum + value * Number(probability.decimal), 0),
    ).toBeCloseTo(6.5625, 3);
  });

  test("a save that fails outright has no chance", () => {
    const odds = oddsOf(gameOf({ player: { conditions: ["Stunned"] } }, "5.1"), {
      kind: "save",
      intent: { ability: "dexterity", dc: 5 },
    });
    expect(odds.success.fraction).toBe("0");
    expect(odds.notes).toMatch(/without a roll/);
  });

  test("an attack that cannot be made deals 0 for certain", () => {
    const odds = oddsOf(gameOf({ player: fighter, npc: { cover: "total" } }, "5.1"), attack());
    expect(odds).toMatchObject({ against: "N/A", distribution: [{ value: 0, probability: { fraction: "1" } }] });
  });
});

/** What the solver says, and what running the resolver for every fall of the dice says. */
const bothWays = (game: Game, question: Question) => {
  const runs = everyRun((dice) => settle(game, question, dice));
  const { success, crit, mean: solvedMean, variance: solvedVariance, distribution, measured } = oddsOf(game, question);
  const damage = measured === "damage";
  const spread = spreadOf(runs, (result) => (damage ? (result.damage?.totalDamage ?? 0) : result.total));
  const { mean, variance } = moments(spread);
  return {
    solved: { success, crit, mean: solvedMean, variance: solvedVariance, distribution },
    counted: {
      success: fractionOf(chanceOf(runs, (result) => result.success)),
      crit: fractionOf(chanceOf(runs, (result) => result.success && result.damage?.isCrit === true)),
      mean: fractionOf(mean),
      variance: fractionOf(variance),
      distribution: listed(spread).map(({ value, probability }) => ({ value, probability: fractionOf(probability) })),
    },
  };
};

const situations: readonly (Omit<Case, "dice" | "want" | "name"> & { readonly name: string })[] = [
  { name: "a longsword", player: fighter },
  { name: "advantage", player: fighter, scene: { advantage: ["a"] } },
  {
    name: "disadvantage and resistance",
    player: fighter,
    scene: { disadvantage: ["a"] },
    npc: { resistances: ["slashing"] },
  },
  {
    name: "vulnerable and resistant",
    player: fighter,
    npc: { resistances: ["slashing"], vulnerabilities: ["slashing"] },
  },
  {
    name: "a halfling with advantage",
    player: { ...fighter, race: "Halfling" },
    attack: { weapon: "Dagger" },
    scene: { advantage: ["a"] },
  },
  {
    name: "a halfling with disadvantage",
    player: { ...fighter, race: "Halfling" },
    attack: { weapon: "Dagger" },
    scene: { disadvantage: ["a"] },
  },
  {
    name: "great weapon fighting for added dice too",
    player: {
      ...fighter,
      features: [{ name: "Fighting Style", chosenOption: "Great Weapon Fighting" }, { name: "Hunter's Mark" }],
      effects: [{ name: "Hunter's Mark" }],
      weaponDamage: { Maul: { dice: "1d2", stat: "str" } },
    },
    rulings: { greatWeaponAllDice: true },
    attack: { weapon: "Maul" },
  },
  { name: "bless and bane", player: { ...fighter, effects: [{ name: "Bless" }, { name: "Bane" }] } },
  {
    name: "inspiration",
    player: { ...fighter, effects: [{ name: "Bardic Inspiration", die: 6 }] },
    scene: { spendInspiration: true },
  },
  {
    name: "inspiration and bless",
    player: { ...fighter, effects: [{ name: "Bless" }, { name: "Bardic Inspiration", die: 6 }] },
    scene: { spendInspiration: true },
  },
  { name: "a wide critical range", player: { ...fighter, features: [{ name: "Superior Critical" }] }, npc: { ac: 24 } },
  {
    name: "a wide critical range that hits",
    player: { ...fighter, features: [{ name: "Superior Critical" }] },
    npc: { ac: 30 },
    rulings: { wideCritNeedsHit: false },
  },
  { name: "a paralyzed target", player: fighter, npc: { conditions: ["Paralyzed"] }, attack: { weapon: "Dagger" } },
  {
    name: "great weapon fighting, versatile",
    player: { ...fighter, features: [{ name: "Great Weapon Fighting" }] },
    scene: { hands: "two" },
  },
  {
    name: "savage attacker",
    player: { ...fighter, features: [{ name: "Savage Attacker" }] },
    attack: { weapon: "Mace" },
  },
  { name: "a weak arm", player: { ...fighter, stats: { strength: 3 } }, attack: { weapon: "Mace" } },
  { name: "graze", player: { ...fighter, weaponMasteries: ["Glaive"] }, attack: { weapon: "Glaive" } },
  {
    name: "two types, one resisted",
    player: { ...fighter, effects: [{ name: "Divine Favor" }] },
    npc: { resistances: ["radiant"] },
  },
  {
    name: "hunter's mark",
    player: { ...fighter, effects: [{ name: "Hunter's Mark" }] },
    attack: { weapon: "Dagger" },
    npc: { resistances: ["piercing"] },
  },
  {
    name: "sneak attack",
    player: { ...fighter, features: [{ name: "Sneak Attack" }] },
    npc: { engaged: true },
    attack: { weapon: "Dagger", extra_damage_sources: ["Sneak Attack"] },
  },
  {
    name: "rage and brutal critical",
    player: {
      ...fighter,
      level: 9,
      features: [{ name: "Rage" }, { name: "Brutal Critical" }],
      effects: [{ name: "Rage" }],
    },
  },
  { name: "half-orc", player: { ...fighter, race: "Half-Orc" }, npc: { cover: "half" } },
  {
    name: "sacred flame",
    player: { characterClass: "Cleric", cantrips: ["Sacred Flame"], level: 1 },
    attack: { weapon: "Sacred Flame", is_spell_attack: true },
    npc: { resistances: ["radiant"], dodging: true },
  },
  {
    name: "burning hands, halved and resisted",
    player: { characterClass: "Wizard", knownSpells: ["Burning Hands"] },
    attack: { weapon: "Burning Hands", is_spell_attack: true },
    npc: { resistances: ["fire"], savingThrowBonus: 2 },
  },
  {
    name: "burning hands on the helpless",
    player: { characterClass: "Wizard", knownSpells: ["Burning Hands"] },
    attack: { weapon: "Burning Hands", is_spell_attack: true },
    npc: { conditions: ["Unconscious"] },
  },
  { name: "exhausted", player: { ...fighter, exhaustion: 3 } },
  {
    name: "topple, whose save changes no damage",
    editions: ["5.2"],
    player: { ...fighter, inventory: ["Quarterstaff"], weaponMasteries: ["Quarterstaff"] },
    attack: { weapon: "Quarterstaff" },
  },
  {
    name: "cunning strike, paid with dice",
    editions: ["5.2"],
    player: { ...fighter, level: 3, features: [{ name: "Sneak Attack" }, { name: "Cunning Strike" }] },
    npc: { engaged: true },
    attack: { weapon: "Dagger", extra_damage_sources: ["Sneak Attack", "Cunning Strike: Withdraw"] },
  },
  {
    name: "brutal strike without its advantage, on what another sundered",
    editions: ["5.2"],
    player: {
      ...fighter,
      level: 9,
      features: [{ name: "Brutal Strike" }],
      effects: [{ name: "Reckless Attack" }],
      stats: { strength: 16 },
      inventory: ["Club"],
    },
    npc: { ac: 22, conditions: ["Sundered by Bo"] },
    attack: { weapon: "Club", extra_damage_sources: ["Brutal Strike"] },
  },
];

describe("the solver agrees with every fall of the dice", () => {
  for (const situation of situations) {
    for (const edition of situation.editions ?? (["5.1", "5.2"] as const)) {
      test(`${edition}: ${situation.name}`, () => {
        const { solved, counted } = bothWays(gameOf(situation, edition), attack(situation.attack));
        expect(solved).toEqual(counted);
      });
    }
  }

  const tests: readonly { readonly name: string; readonly row: Partial<Case>; readonly question: Question }[] = [
    {
      name: "reliable talent with disadvantage",
      row: {
        player: { skillProficiencies: ["Stealth"], features: [{ name: "Reliable Talent" }], conditions: ["Poisoned"] },
      },
      question: { kind: "check", intent: { skill: "Stealth", dc: 15 } },
    },
    {
      name: "guidance and inspiration",
      row: {
        player: { effects: [{ name: "Guidance" }, { name: "Bardic Inspiration", die: 8 }] },
        scene: { spendInspiration: true },
      },
      question: { kind: "check", intent: { skill: "Arcana", dc: 14 } },
    },
    {
      name: "a halfling's save with bless",
      row: { player: { race: "halfling", effects: [{ name: "Bless" }] }, scene: { advantage: ["a"] } },
      question: { kind: "save", intent: { ability: "wisdom", dc: 13 } },
    },
    {
      name: "a save for half, resisted",
      row: {
        player: { resistances: ["fire"] },
        scene: { incoming: { dice: "3d6", damageType: "fire", onSuccess: "half" } },
      },
      question: { kind: "save", intent: { ability: "dexterity", dc: 13 } },
    },
    {
      name: "a save for half with Evasion",
      row: {
        player: { features: [{ name: "Evasion" }] },
        scene: { incoming: { dice: "2d8+3", damageType: "cold", onSuccess: "half" } },
      },
      question: { kind: "save", intent: { ability: "dexterity", dc: 13 } },
    },
    {
      name: "a ward off what a raging barbarian takes",
      row: {
        player: {
          features: [{ name: "Rage" }],
          effects: [{ name: "Rage" }, { name: "Resistance", damageType: "slashing" }],
        },
        scene: { incoming: { dice: "2d6", damageType: "slashing", onSuccess: "none" } },
      },
      question: { kind: "save", intent: { ability: "strength", dc: 12 } },
    },
    {
      name: "no save at all, and all of the damage",
      row: {
        player: { conditions: ["Paralyzed"] },
        scene: { incoming: { dice: "4d6", damageType: "fire", onSuccess: "half" } },
      },
      question: { kind: "save", intent: { ability: "dexterity", dc: 12 } },
    },
  ];
  for (const { name, row, question } of tests) {
    for (const edition of ["5.1", "5.2"] as const) {
      test(`${edition}: ${name}`, () => {
        const { solved, counted } = bothWays(gameOf(row, edition), question);
        expect(solved).toEqual(counted);
      });
    }
  }
});

test("8,000 attacks by seed lie within 4 sigma of the mean and of the chance to hit", () => {
  const player = { ...fighter, level: 5, features: [{ name: "Sneak Attack" }], effects: [{ name: "Bless" as const }] };
  const game = gameOf({ player, npc: { engaged: true } }, "5.1");
  const question = attack({ weapon: "Dagger", extra_damage_sources: ["Sneak Attack"] });
  const odds = oddsOf(game, question);
  const runs = 8_000;
  let damage = 0;
  let hits = 0;
  for (let index = 0; index < runs; index += 1) {
    const result = settle(game, question, seeded(`simulation ${index}`, "caller"));
    damage += result.damage?.totalDamage ?? 0;
    hits += result.success ? 1 : 0;
  }
  const mean = Number(odds.mean.decimal);
  const sigma = Math.sqrt(Number(odds.variance.decimal) / runs);
  expect(Math.abs(damage / runs - mean)).toBeLessThan(4 * sigma);
  const chance = Number(odds.success.decimal);
  expect(Math.abs(hits / runs - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / runs));
});

test("more advantage never lowers the odds, and disadvantage never raises them", () => {
  const scenes = { worse: { disadvantage: ["a"] }, plain: {}, better: { advantage: ["a"] } };
  fc.assert(
    fc.property(
      fc.record({
        ac: fc.integer({ min: 0, max: 40 }),
        strength: fc.integer({ min: 1, max: 30 }),
        level: fc.integer({ min: 1, max: 20 }),
        race: fc.constantFrom("Halfling", "Elf"),
      }),
      ({ ac, strength, level, race }) => {
        const at = (scene: Case["scene"]) =>
          oddsOf(
            gameOf({ player: { ...fighter, level, race, stats: { strength } }, npc: { ac }, scene }, "5.2"),
            attack(),
          );
        const [worse, plain, better] = [at(scenes.worse), at(scenes.plain), at(scenes.better)];
        for (const part of ["success", "crit", "mean"] as const) {
          expect(Number(worse[part].decimal)).toBeLessThanOrEqual(Number(plain[part].decimal));
          expect(Number(plain[part].decimal)).toBeLessThanOrEqual(Number(better[part].decimal));
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("a higher AC never raises the odds", () => {
  const success = (ac: number) =>
    Number(oddsOf(gameOf({ player: fighter, npc: { ac } }, "5.1"), attack()).success.decimal);
  for (let ac = 1; ac <= 40; ac += 1) expect(success(ac)).toBeLessThanOrEqual(success(ac - 1));
});

test("more dice than can be solved at once are refused", () => {
  const game = gameOf({ player: { weaponDamage: { Doom: { dice: "99d100", stat: "str" } } } }, "5.1");
  try {
    oddsOf(game, attack({ weapon: "Doom" }));
    expect.unreachable();
  } catch (thrown) {
    expect(isRefusal(thrown) && thrown.reason).toBe("too_many_outcomes");
  }
});
