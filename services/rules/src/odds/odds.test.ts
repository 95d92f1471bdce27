/** Odds: known values, agreement with simulation, and what can never happen. */
import type { Odds, Question } from "@fairlead/contracts/rules";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seededDice } from "../dice/source.ts";
import { isRefusal } from "../result/refusal.ts";
import { buildGame, type Case } from "../testing/case.ts";
import { attack, fighter, run } from "../testing/odds-question.ts";
import { computeOdds } from "./odds.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const brief = ({ success, crit, mean }: Odds) => ({
  success: success.fraction,
  crit: crit.fraction,
  mean: mean.fraction,
});

describe("known values", () => {
  test("+6 against AC 15, 1d8+4", () => {
    const odds = computeOdds(buildGame({ player: fighter }, "5.1"), attack());
    expect(brief(odds)).toEqual({ success: "3/5", crit: "1/20", mean: "213/40" });
    expect(odds.success.decimal).toBe("0.600000");
    expect(odds.mean.decimal).toBe("5.325000");
  });

  test("+6 against AC 15, 1d8+3: mean 4.725", () => {
    const player = { ...fighter, level: 5, stats: { strength: 16 } };
    expect(computeOdds(buildGame({ player }, "5.1"), attack()).mean.decimal).toBe("4.725000");
  });

  test("+11 against AC 13, 1d8+5: crit 1/20, mean 9.25", () => {
    const player = { ...fighter, level: 17, stats: { strength: 20 } };
    const odds = computeOdds(buildGame({ player, npc: { ac: 13 } }, "5.1"), attack());
    expect(brief(odds)).toEqual({ success: "19/20", crit: "1/20", mean: "37/4" });
  });

  test("AC 40: one in twenty; AC 1 with a big bonus: nineteen in twenty", () => {
    expect(computeOdds(buildGame({ player: fighter, npc: { ac: 40 } }, "5.1"), attack()).success.fraction).toBe("1/20");
    const player = { ...fighter, level: 17, stats: { strength: 30 } };
    expect(computeOdds(buildGame({ player, npc: { ac: 1 } }, "5.1"), attack()).success.fraction).toBe("19/20");
  });

  test("needing 11: advantage 3/4, disadvantage 1/4, three dice 7/8", () => {
    const player = { inventory: ["Dagger"], stats: { strength: 10, dexterity: 10 } };
    const success = (scene: Case["scene"], rulings: Case["rulings"] = {}, dexterity = 10) =>
      computeOdds(
        buildGame({ player: { ...player, stats: { strength: 8, dexterity } }, npc: { ac: 11 }, scene, rulings }, "5.1"),
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
    expect(computeOdds(buildGame({}, "5.1"), check).success.fraction).toBe("3/10");
    expect(computeOdds(buildGame({ player: { race: "Halfling" } }, "5.1"), check).success.fraction).toBe("63/200");
  });

  test("acid arrow at +2 against AC 18: 4d4, half of them on a miss, 8d4 on a critical hit", () => {
    const player = { characterClass: "Wizard", level: 3, knownSpells: ["Acid Arrow"] };
    const intent = { weapon: "Acid Arrow", is_spell_attack: true };
    const odds = computeOdds(buildGame({ player, npc: { ac: 18 } }, "5.1"), attack(intent));
    // 15/20 of 4.75 (half of 4d4, rounded down), 4/20 of 10, 1/20 of 20
    expect(brief(odds)).toEqual({ success: "1/4", crit: "1/20", mean: "105/16" });
    expect(
      odds.distribution.reduce((sum, { value, probability }) => sum + value * Number(probability.decimal), 0),
    ).toBeCloseTo(6.5625, 3);
  });

  test("Meteor Swarm, 20d6 and 20d6 that no roll doubles, against a save at +0: DC 19 fails on 18 of 20", () => {
    const player = { characterClass: "Wizard", level: 17, knownSpells: ["Meteor Swarm"], stats: { intelligence: 18 } };
    const odds = computeOdds(buildGame({ player }, "5.1"), attack({ weapon: "Meteor Swarm" }));
    expect(odds.success.fraction).toBe("17/20");
    // 140 on a failure; each half of a passed save is rounded down, which costs a quarter of a point for each type
    expect(odds.mean.decimal).toBe("129.425000");
    expect(odds.distribution.at(-1)?.value).toBe(240);
  });

  test("a dart of Magic Missile on a shielded creature deals 0 for certain", () => {
    const game = buildGame(
      { player: { characterClass: "Wizard", knownSpells: ["Magic Missile"] }, npc: { conditions: ["Shield"] } },
      "5.2",
    );
    expect(computeOdds(game, attack({ weapon: "Magic Missile" })).mean.fraction).toBe("0");
  });

  test("a save that fails outright has no chance", () => {
    const odds = computeOdds(buildGame({ player: { conditions: ["Stunned"] } }, "5.1"), {
      kind: "save",
      intent: { ability: "dexterity", dc: 5 },
    });
    expect(odds.success.fraction).toBe("0");
    expect(odds.notes).toMatch(/without a roll/);
  });

  test("an attack that cannot be made deals 0 for certain", () => {
    const odds = computeOdds(buildGame({ player: fighter, npc: { cover: "total" } }, "5.1"), attack());
    expect(odds).toMatchObject({ against: "N/A", distribution: [{ value: 0, probability: { fraction: "1" } }] });
  });
});

if (inLongTier) {
  test("8,000 attacks by seed lie within 4 sigma of the mean and of the chance to hit", () => {
    const player = {
      ...fighter,
      level: 5,
      features: [{ name: "Sneak Attack" }],
      effects: [{ name: "Bless" as const }],
    };
    const game = buildGame({ player, npc: { engaged: true } }, "5.1");
    const question = attack({ weapon: "Dagger", extra_damage_sources: ["Sneak Attack"] });
    const odds = computeOdds(game, question);
    const runs = 8_000;
    let damage = 0;
    let hits = 0;
    for (let index = 0; index < runs; index += 1) {
      const result = run(game, question, seededDice(`simulation ${index}`, "caller"));
      damage += result.damage?.totalDamage ?? 0;
      hits += result.success ? 1 : 0;
    }
    const mean = Number(odds.mean.decimal);
    const sigma = Math.sqrt(Number(odds.variance.decimal) / runs);
    expect(Math.abs(damage / runs - mean)).toBeLessThan(4 * sigma);
    const chance = Number(odds.success.decimal);
    expect(Math.abs(hits / runs - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / runs));
  });
}

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
          computeOdds(
            buildGame({ player: { ...fighter, level, race, stats: { strength } }, npc: { ac }, scene }, "5.2"),
            attack(),
          );
        const [worse, plain, better] = [at(scenes.worse), at(scenes.plain), at(scenes.better)];
        for (const part of ["success", "crit", "mean"] as const) {
          expect(Number(worse[part].decimal)).toBeLessThanOrEqual(Number(plain[part].decimal));
          expect(Number(plain[part].decimal)).toBeLessThanOrEqual(Number(better[part].decimal));
        }
      },
    ),
    { numRuns: inLongTier ? 200 : 50 },
  );
});

test.each<readonly [string, Pick<Case, "player" | "npc" | "scene">]>([
  ["a plain attack", {}],
  ["advantage and a lucky halfling", { player: { race: "Halfling" }, scene: { advantage: ["high ground"] } }],
  ["a blessing", { player: { effects: [{ name: "Bless" }] } }],
  ["a miss that grazes", { player: { weaponMasteries: ["Greatsword"] } }],
  ["a resistance", { npc: { resistances: ["slashing" as const] } }],
])("by Armor Class, with %s, are the odds against each", (_, row) => {
  const against = (ac: number) =>
    computeOdds(
      buildGame({ ...row, player: { ...fighter, ...row.player }, npc: { ...row.npc, ac } }, "5.2"),
      attack({ weapon: "Greatsword" }),
    );
  const series = against(15).byArmorClass ?? [];
  expect(series.map(({ ac }) => ac)).toEqual(Array.from({ length: 16 }, (_, index) => index + 10));
  for (const { ac, success, mean } of series) {
    const alone = against(ac);
    expect([ac, success, mean]).toEqual([ac, alone.success, alone.mean]);
  }
});

test("a higher AC never raises the odds", () => {
  const success = (ac: number) =>
    Number(computeOdds(buildGame({ player: fighter, npc: { ac } }, "5.1"), attack()).success.decimal);
  for (let ac = 1; ac <= 40; ac += 1) expect(success(ac)).toBeLessThanOrEqual(success(ac - 1));
});

test("more dice than can be solved at once are refused", () => {
  const game = buildGame({ player: { weaponDamage: { Doom: { dice: "99d100", stat: "str" } } } }, "5.1");
  try {
    computeOdds(game, attack({ weapon: "Doom" }));
    expect.unreachable();
  } catch (thrown) {
    expect(isRefusal(thrown) && thrown.reason).toBe("too_many_outcomes");
  }
});
