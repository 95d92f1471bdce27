/** What holds for every character, weapon, creature and fall of the dice. */

import { decoder } from "@fairlead/contracts";
import type { Game, RollResult } from "@fairlead/contracts/rules";
import rules from "@fairlead/contracts/rules";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { weapons } from "./data/weapons.ts";
import { type Dice, seededDice } from "./dice/source.ts";
import { resolveAttack } from "./resolve/attack.ts";
import { resolveSkillCheck } from "./resolve/check.ts";
import { replay } from "./resolve/replay.ts";
import { resolveSavingThrow } from "./resolve/save.ts";
import { buildGame, type Case } from "./testing/case.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const edition = fc.constantFrom("5.1" as const, "5.2" as const);
const conditions = fc.subarray(
  [
    "Blinded",
    "Frightened",
    "Invisible",
    "Paralyzed",
    "Petrified",
    "Poisoned",
    "Prone",
    "Restrained",
    "Stunned",
    "Unconscious",
  ],
  { maxLength: 3 },
);
const claims = [
  "Sneak Attack",
  "Divine Smite",
  "Paladin's Smite",
  "Rage",
  "Hunter's Mark",
  "Hex",
  "Colossus Slayer",
  "Dueling",
  "Brutal Strike",
  "Forceful Blow",
  "Cunning Strike: Trip",
  "Cunning Strike: Poison",
  "Power Attack",
];
const effects = fc.subarray(
  [
    "Bane",
    "Bardic Inspiration",
    "Bless",
    "Divine Favor",
    "Guidance",
    "Hex",
    "Hunter's Mark",
    "Rage",
    "Reckless Attack",
    "Vex",
  ] as const,
  { maxLength: 4 },
);
const features = fc.subarray(
  [
    "Archery",
    "Brutal Critical",
    "Brutal Strike",
    "Colossus Slayer",
    "Cunning Strike",
    "Divine Smite",
    "Dueling",
    "Great Weapon Fighting",
    "Improved Critical",
    "Improved Divine Smite",
    "Jack of All Trades",
    "Martial Arts",
    "Paladin's Smite",
    "Rage",
    "Reliable Talent",
    "Savage Attacker",
    "Sneak Attack",
    "Superior Critical",
  ],
  { maxLength: 6 },
);
const score = fc.integer({ min: 1, max: 30 });
const types = fc.subarray(["bludgeoning", "piercing", "slashing", "radiant", "necrotic"] as const, { maxLength: 2 });

interface Situation {
  readonly game: Game;
  readonly weapon: string;
  readonly claimed: readonly string[];
}

const situation: fc.Arbitrary<Situation> = fc
  .record({
    edition,
    level: fc.integer({ min: 1, max: 20 }),
    strength: score,
    dexterity: score,
    race: fc.constantFrom("", "Halfling", "Half-Orc"),
    mine: conditions,
    theirs: conditions,
    effects,
    features,
    weapon: fc.nat(),
    magic: fc.constantFrom("", " +1", " +3"),
    proficient: fc.boolean(),
    exhaustion: fc.integer({ min: 0, max: 5 }),
    ac: fc.integer({ min: 0, max: 40 }),
    hp: fc.integer({ min: 0, max: 60 }),
    temporaryHp: fc.integer({ min: 0, max: 10 }),
    resistances: types,
    vulnerabilities: types,
    engaged: fc.boolean(),
    cover: fc.constantFrom("none" as const, "half" as const, "three_quarters" as const),
    advantage: fc.boolean(),
    disadvantage: fc.boolean(),
    hands: fc.constantFrom("one" as const, "two" as const),
    claimed: fc.subarray(claims, { maxLength: 4 }),
    powerAttack: fc.boolean(),
    armor: fc.constantFrom("none" as const, "light" as const, "heavy" as const),
    shield: fc.constantFrom(0, 2),
    trained: fc.boolean(),
  })
  .map((made) => {
    const rows = weapons[made.edition];
    const weapon = `${rows[made.weapon % rows.length]?.name}${made.magic}`;
    const row: Pick<Case, "player" | "npc" | "scene" | "rulings"> = {
      player: {
        level: made.level,
        race: made.race,
        stats: { strength: made.strength, dexterity: made.dexterity },
        conditions: made.mine,
        exhaustion: made.exhaustion,
        effects: made.effects.map((name) => ({ name })),
        features: made.features.map((name) => ({ name })),
        inventory: [weapon],
        weaponProficiencies: made.proficient ? ["Simple Weapons", "Martial Weapons"] : [],
        weaponMasteries: made.proficient ? [weapon] : [],
        spellSlots: { "1": 2 },
        worn: { armor: made.armor, shield: made.shield },
        armorProficiencies: made.trained ? ["All Armor", "Shields"] : [],
      },
      npc: {
        ac: made.ac,
        conditions: made.theirs,
        currentHp: made.hp,
        maxHp: 60,
        temporaryHp: made.temporaryHp,
        resistances: made.resistances,
        vulnerabilities: made.vulnerabilities,
        engaged: made.engaged,
        cover: made.cover,
      },
      scene: {
        hands: made.hands,
        spendInspiration: true,
        advantage: made.advantage ? ["a"] : [],
        disadvantage: made.disadvantage ? ["b"] : [],
      },
      rulings: { powerAttack: made.powerAttack },
    };
    return { game: buildGame(row, made.edition), weapon, claimed: made.claimed };
  });

const strike = ({ game, weapon, claimed }: Situation, dice: Dice): RollResult =>
  resolveAttack(game, { weapon, target: "Goblin", extra_damage_sources: [...claimed] }, dice);

/** The same dice but for the d20s of the attack, which all show one face. */
const showing = (face: number, seed: string): Dice => {
  const dice = seededDice(seed, "caller");
  return {
    ...dice,
    roll: (sides, purpose, stream) => {
      const rolled = dice.roll(sides, purpose, stream);
      return sides === 20 ? face : rolled;
    },
  };
};

const output = decoder<RollResult>(rules.procedures.resolveAttack.output);
const seed = fc.string({ minLength: 1, maxLength: 20 });
const options = { numRuns: inLongTier ? 400 : 80 };
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe("every attack", () => {
  test("gives an answer that fits the contract, the same for the same seed, and provable", () => {
    fc.assert(
      fc.property(situation, seed, (made, text) => {
        const result = strike(made, seededDice(text, "caller"));
        expect(output(result)).toEqual({ ok: true, value: result });
        expect(strike(made, seededDice(text, "caller"))).toEqual(result);
        const intent = { weapon: made.weapon, target: "Goblin", extra_damage_sources: [...made.claimed] };
        if (result.impossible !== true) {
          expect(replay({ procedure: "resolveAttack", input: { game: made.game, intent } }, result)).toMatchObject({
            proved: true,
          });
        }
      }),
      options,
    );
  });

  test("adds up: total is die and modifier, damage is its lines, types and defences", () => {
    fc.assert(
      fc.property(situation, seed, (made, text) => {
        const result = strike(made, seededDice(text, "caller"));
        if (result.impossible === true) return;
        expect(result.total).toBe(result.dieResult + Number(result.totalModifier));
        expect(result.components.endsWith(` = ${result.totalModifier}`)).toBe(true);
        expect(result.claims).toHaveLength(made.claimed.length);
        if (result.damage === undefined) return;
        const { breakdown, byType, totalDamage } = result.damage;
        for (const line of breakdown) expect(line.subtotal).toBe(sum(line.rolls) + line.flatBonus);
        expect(totalDamage).toBe(sum(byType.map(({ dealt }) => dealt)));
        for (const { rolled, dealt } of byType) {
          expect(rolled).toBeGreaterThanOrEqual(0);
          expect(dealt).toBeLessThanOrEqual(2 * rolled);
        }
        for (const { field, value } of result.changes) if (/Hp$/.test(field)) expect(value).toBeGreaterThanOrEqual(0);
      }),
      options,
    );
  });

  test("a natural 20 always hits and crits, a natural 1 always misses", () => {
    fc.assert(
      fc.property(situation, seed, (made, text) => {
        const best = strike(made, showing(20, text));
        if (best.impossible === true) return;
        expect(best.success).toBe(true);
        expect(strike(made, showing(1, text)).success).toBe(false);
      }),
      options,
    );
  });

  test("a critical hit doubles dice and never flat numbers", () => {
    fc.assert(
      fc.property(situation, seed, (made, text) => {
        const crit = strike(made, showing(20, text)).damage;
        const plain = strike(
          { ...made, game: { ...made.game, npcs: made.game.npcs.map((npc) => ({ ...npc, ac: 0 })) } },
          showing(17, text),
        ).damage;
        if (crit === undefined || plain === undefined || plain.isCrit) return;
        expect(crit.isCrit).toBe(true);
        expect(crit.breakdown.map(({ label }) => label)).toEqual(plain.breakdown.map(({ label }) => label));
        for (const [index, line] of crit.breakdown.entries()) {
          expect(line.flatBonus).toBe(plain.breakdown[index]?.flatBonus);
          const dice = plain.breakdown[index]?.rolls.length ?? 0;
          const more = line.rolls.length - 2 * dice;
          expect(more).toBeGreaterThanOrEqual(0);
          if (index > 0 || dice === 0) expect(more).toBe(0);
          else expect(more).toBeLessThanOrEqual(4);
        }
      }),
      options,
    );
  });

  test("every number of the modifier has a rule behind it", () => {
    fc.assert(
      fc.property(situation, seed, (made, text) => {
        const result = strike(made, seededDice(text, "caller"));
        if (result.impossible === true) return;
        const parts = result.rules
          .filter(({ number }) => number === "totalModifier")
          .map(({ effect }) => Number.parseInt(effect, 10));
        expect(sum(parts)).toBe(Number(result.totalModifier));
        for (const { source } of result.rules) expect(source).toMatch(/^(SRD 5\.[12], |not in the SRD|ruling)/);
      }),
      options,
    );
  });

  test("every number of the damage has a rule behind it", () => {
    fc.assert(
      fc.property(situation, seed, (made, text) => {
        const { damage, rules: used } = strike(made, showing(20, text));
        const behind = (number: string) => used.filter((rule) => rule.number === number).map(({ effect }) => effect);
        damage?.breakdown.forEach(({ dice, flatBonus }, index) => {
          const at = `damage.breakdown[${index}]`;
          expect(sum(behind(`${at}.flatBonus`).map(Number))).toBe(flatBonus);
          expect(behind(`${at}.dice`).length > 0).toBe(dice !== "");
        });
        damage?.byType.forEach(({ rolled, dealt }, index) => {
          if (dealt !== rolled) expect(behind(`damage.byType[${index}].dealt`)).not.toEqual([]);
        });
      }),
      options,
    );
  });
});

describe("every check and save", () => {
  test("adds up, and a higher DC never helps", () => {
    fc.assert(
      fc.property(situation, seed, fc.integer({ min: 1, max: 29 }), ({ game }, text, dc) => {
        for (const roll of [
          (to: number) => resolveSkillCheck(game, { skill: "Athletics", dc: to }, seededDice(text, "caller")),
          (to: number) => resolveSavingThrow(game, { ability: "dexterity", dc: to }, seededDice(text, "caller")),
        ]) {
          const [lower, higher] = [roll(dc), roll(dc + 1)];
          expect(output(lower)).toEqual({ ok: true, value: lower });
          expect(lower.total).toBe(lower.dieResult + Number(lower.totalModifier));
          const spent = higher.changes.length > lower.changes.length;
          if (!spent) expect(Number(lower.success)).toBeGreaterThanOrEqual(Number(higher.success));
        }
      }),
      options,
    );
  });
});
