/** The solver against every way the dice can fall: the resolver itself, run once for each. */
import type { Game, Question } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { listProbabilities, moments } from "../odds/distribution.ts";
import { toFraction } from "../odds/fraction.ts";
import { computeOdds } from "../odds/odds.ts";
import { buildGame, type Case } from "./case.ts";
import { everyRun, runChance, runDistribution } from "./every-run.ts";
import { attack, fighter, run } from "./odds-question.ts";

/** What the solver says, and what running the resolver for every fall of the dice says. */
const bothWays = (game: Game, question: Question) => {
  const runs = everyRun((dice) => run(game, question, dice));
  const {
    success,
    crit,
    mean: solvedMean,
    variance: solvedVariance,
    distribution,
    measured,
  } = computeOdds(game, question);
  const damage = measured === "damage";
  const spread = runDistribution(runs, (result) => (damage ? (result.damage?.totalDamage ?? 0) : result.total));
  const { mean, variance } = moments(spread);
  return {
    solved: { success, crit, mean: solvedMean, variance: solvedVariance, distribution },
    counted: {
      success: toFraction(runChance(runs, (result) => result.success)),
      crit: toFraction(runChance(runs, (result) => result.success && result.damage?.isCrit === true)),
      mean: toFraction(mean),
      variance: toFraction(variance),
      distribution: listProbabilities(spread).map(({ value, probability }) => ({
        value,
        probability: toFraction(probability),
      })),
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
    name: "less damage by a trait, then resistance and vulnerability",
    player: fighter,
    npc: { traits: ["Bark"], resistances: ["slashing"], vulnerabilities: ["slashing"] },
    rulings: { houseRules: "feature Bark | slashing damage | -3" },
  },
  {
    name: "two types of damage, of which the first is adjusted",
    player: { ...fighter, effects: [{ name: "Hymn" }] },
    npc: { traits: ["Bark", "Dry"] },
    rulings: {
      houseRules: "effect Hymn | hit | +1d6 fire\nfeature Bark | damage | -4\nfeature Dry | fire damage | +2",
    },
  },
  { name: "a plain blade on what only magic hurts", player: fighter, npc: { nonmagical: { defence: "resistance" } } },
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
    name: "a spell on a creature that evades",
    player: { characterClass: "Wizard", knownSpells: ["Burning Hands"], level: 1 },
    attack: { weapon: "Burning Hands", is_spell_attack: true },
    npc: { traits: ["Evasion"], savingThrowBonus: 3 },
  },
  {
    name: "a spell on a creature that resists magic",
    player: { characterClass: "Cleric", cantrips: ["Sacred Flame"], level: 1 },
    attack: { weapon: "Sacred Flame", is_spell_attack: true },
    npc: { traits: ["Magic Resistance"] },
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
  { name: "in armor without training", player: { ...fighter, worn: { armor: "heavy" } } },
  {
    name: "blight on a plant, whose dice show the most",
    editions: ["5.1"],
    player: { characterClass: "Druid", level: 7, knownSpells: ["Blight"] },
    attack: { weapon: "Blight", is_spell_attack: true },
    npc: { creatureType: "Plant", savingThrowBonus: 3 },
  },
  {
    name: "blight on the undead, which it leaves alone",
    editions: ["5.1"],
    player: { characterClass: "Druid", level: 7, knownSpells: ["Blight"] },
    attack: { weapon: "Blight", is_spell_attack: true },
    npc: { creatureType: "Undead" },
  },
  {
    name: "a ray of sickness, whose poison changes no damage",
    editions: ["5.2"],
    player: { characterClass: "Wizard", knownSpells: ["Ray of Sickness"] },
    attack: { weapon: "Ray of Sickness", is_spell_attack: true },
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

/** The tests of one edition of the rules. */
/** With every so many-th of the situations. */
export const testEdition = (edition: "5.1" | "5.2", every = 1) =>
  describe("the solver agrees with every fall of the dice", () => {
    for (const situation of situations.filter((_, at) => at % every === 0)) {
      if (situation.editions?.includes(edition) ?? true) {
        test(`${edition}: ${situation.name}`, () => {
          const { solved, counted } = bothWays(buildGame(situation, edition), attack(situation.attack));
          expect(solved).toEqual(counted);
        });
      }
    }

    const tests: readonly { readonly name: string; readonly row: Partial<Case>; readonly question: Question }[] = [
      {
        name: "reliable talent with disadvantage",
        row: {
          player: {
            skillProficiencies: ["Stealth"],
            features: [{ name: "Reliable Talent" }],
            conditions: ["Poisoned"],
          },
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
    for (const { name, row, question } of tests.filter((_, at) => at % every === 0)) {
      test(`${edition}: ${name}`, () => {
        const { solved, counted } = bothWays(buildGame(row, edition), question);
        expect(solved).toEqual(counted);
      });
    }
  });
