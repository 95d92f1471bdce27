/** The smaller rolls: raw checks, initiative, passive scores, group checks, falls, plain dice. */
import type { Game, RollResult } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { resolveAbilityCheck } from "../resolve/check.ts";
import { fallDamage, groupCheck, passiveScore } from "../resolve/hazards.ts";
import { rollInitiative } from "../resolve/initiative.ts";
import { rollNotation } from "../resolve/roll.ts";
import { isRefusal } from "../result/refusal.ts";
import { buildGame, type Case, describeRule, features } from "../testing/case.ts";

const brief = ({ dieResult, totalModifier, success, dcOrAc }: RollResult) => [
  dieResult,
  totalModifier,
  dcOrAc,
  success,
];
const game = (edition: Game["edition"], row: Pick<Case, "player" | "npc" | "scene"> = {}) => buildGame(row, edition);

describe(describeRule("raw ability checks", "ability-modifier"), () => {
  const strength = (edition: Game["edition"], player: Case["player"], ...dice: number[]) =>
    brief(
      resolveAbilityCheck(
        game(edition, { ...(player && { player }) }),
        { ability: "strength", dc: 10 },
        scriptedDice(dice),
      ),
    );

  test("no proficiency, ever", () => {
    expect(strength("5.1", { stats: { strength: 16 }, skillProficiencies: ["Athletics"] }, 7)).toEqual([
      7,
      "+3",
      "10",
      true,
    ]);
  });
  test("5.1 jack of all trades adds half; 5.2 needs a skill", () => {
    expect(strength("5.1", { level: 5, ...features("Jack of All Trades") }, 9)).toEqual([9, "+1", "10", true]);
    expect(strength("5.2", { level: 5, ...features("Jack of All Trades") }, 9)).toEqual([9, "+0", "10", false]);
  });
  test("5.1 remarkable athlete adds half, rounded up", () => {
    expect(strength("5.1", { level: 5, ...features("Remarkable Athlete") }, 9)).toEqual([9, "+2", "10", true]);
  });
  test("rage gives advantage on strength", () => {
    expect(strength("5.1", { ...features("Rage"), effects: [{ name: "Rage" }] }, 2, 15)).toEqual([
      15,
      "+0",
      "10",
      true,
    ]);
  });
  test("guidance helps any check in 5.1, and in 5.2 only one with its skill", () => {
    expect(strength("5.1", { effects: [{ name: "Guidance" }] }, 8, 2)).toEqual([8, "+2", "10", true]);
    expect(strength("5.2", { effects: [{ name: "Guidance", skill: "Athletics" }] }, 8)).toEqual([8, "+0", "10", false]);
  });
});

describe(describeRule("initiative", "initiative"), () => {
  const roll = (edition: Game["edition"], player: NonNullable<Case["player"]>, surprised: boolean, ...dice: number[]) =>
    rollInitiative(game(edition, { player }), { surprised }, scriptedDice(dice));

  test("a dexterity check", () => {
    expect(roll("5.1", { stats: { dexterity: 16 } }, false, 12)).toMatchObject({ total: 15, dcOrAc: "N/A" });
  });
  test("5.1 jack of all trades counts", () => {
    expect(roll("5.1", { level: 9, ...features("Jack of All Trades") }, false, 10).total).toBe(12);
    expect(roll("5.2", { level: 9, ...features("Jack of All Trades") }, false, 10).total).toBe(10);
  });
  test.each(["5.1", "5.2"] as const)(describeRule("%s: Feral Instinct has advantage", "feral-instinct"), (edition) => {
    expect(roll(edition, features("Feral Instinct"), false, 3, 12).total).toBe(12);
  });
  test(describeRule("5.2: Alert adds proficiency", "alert"), () => {
    expect(roll("5.2", { level: 5, ...features("Alert") }, false, 10).total).toBe(13);
    expect(roll("5.1", { level: 5, ...features("Alert") }, false, 10).total).toBe(10);
  });
  test("surprise: 5.1 loses the turn, 5.2 has disadvantage", () => {
    expect(roll("5.1", {}, true, 12)).toMatchObject({ total: 12, notes: expect.stringMatching(/first turn/) });
    expect(roll("5.2", {}, true, 12, 5).total).toBe(5);
  });
  test("5.2 remarkable athlete and invisible: advantage", () => {
    expect(roll("5.2", features("Remarkable Athlete"), false, 2, 15).total).toBe(15);
    expect(roll("5.2", { conditions: ["Invisible"] }, false, 2, 15).total).toBe(15);
    expect(roll("5.1", features("Remarkable Athlete"), false, 2).total).toBe(3);
  });
});

describe(describeRule("passive scores", "passive-check"), () => {
  const passive = (player: NonNullable<Case["player"]>, scene: Case["scene"] = {}) =>
    passiveScore(game("5.1", { player, scene }), "Perception");

  test("10 and all modifiers: WIS 15, proficient, level 1 is 14", () => {
    expect(passive({ stats: { wisdom: 15 }, skillProficiencies: ["Perception"] })).toEqual({
      score: 14,
      components: "10, WIS +2, Prof +2 = 14",
    });
  });
  test("5 for advantage, -5 for disadvantage, neither for both", () => {
    expect(passive({}, { advantage: ["keen"] }).score).toBe(15);
    expect(passive({ conditions: ["Poisoned"] }).score).toBe(5);
    expect(passive({ conditions: ["Poisoned"] }, { advantage: ["keen"] }).score).toBe(10);
  });
});

test.each([
  [[12, 11, 15, 9], 12, true, 2],
  [[12, 11, 9], 12, false, 2],
  [[12, 12, 9], 12, true, 2],
  [[5], 12, false, 1],
])(describeRule("a group with %j against DC %i", "group-check"), (totals, dc, success, needed) => {
  expect(groupCheck({ totals, dc })).toMatchObject({ success, needed });
});

test.each([
  [9, [], 0, false],
  [10, [4], 4, true],
  [39, [1, 2, 3], 6, true],
  [200, Array.from({ length: 20 }, () => 1), 20, true],
  [5_000, Array.from({ length: 20 }, () => 6), 120, true],
])(describeRule("a fall of %i feet", "falling"), (feet, dice, damage, prone) => {
  expect(fallDamage({ edition: "5.2", feet }, scriptedDice(dice))).toMatchObject({ damage, prone, rolls: dice });
});

describe("plain dice", () => {
  test.each([
    ["2d6+3", [2, 5], 10],
    ["4d6kh3", [3, 6, 1, 4], 13],
    ["4d6dl1", [3, 6, 1, 4], 13],
    ["2d20kl1", [17, 4], 4],
    ["2d20dh1", [17, 4], 4],
    ["1d6-1d4", [3, 4], -1],
    ["-2", [], -2],
    ["3d6kh2", [5, 5, 5], 10],
  ])("%s of %j is %i", (notation, dice, total) => {
    const result = rollNotation(notation, scriptedDice(dice));
    expect(result.total).toBe(total);
    expect(result.terms.reduce((sum, { subtotal }) => sum + subtotal, 0)).toBe(total);
  });

  test("kept dice stay in the order rolled", () => {
    expect(rollNotation("4d6kh3", scriptedDice([3, 6, 1, 4])).terms[0]).toMatchObject({
      rolls: [3, 6, 1, 4],
      kept: [3, 6, 4],
    });
  });

  test.each<[string, number[], number, number[]]>([
    ["2d6ro<3", [1, 5, 2], 7, [2, 5]],
    ["2d6rr1", [1, 5, 1, 4], 9, [4, 5]],
    ["2d6ra6", [6, 6, 3], 15, [6, 6, 3]],
    ["2d6e6", [6, 2, 6, 6, 1], 21, [6, 6, 6, 1, 2]],
    ["2d20mi10ma15", [3, 18], 25, [10, 15]],
    ["4d6k>4", [5, 1, 6, 4], 11, [5, 6]],
    ["4d6p1", [5, 1, 1, 4], 9, [5, 4]],
    ["(1d8+2)*2", [5], 14, [5]],
    ["7d6/2", [1, 1, 1, 1, 1, 1, 1], 3, [1, 1, 1, 1, 1, 1, 1]],
    ["-1d6/4", [6], -1, [6]],
  ])("%s with %j is %i", (notation, faces, total, kept) => {
    const rolled = rollNotation(notation, scriptedDice(faces));
    expect([rolled.total, rolled.dice.draws.map(({ value }) => value), rolled.dice.unused]).toEqual([
      total,
      notation === "2d6e6" ? [6, 2, 6, 6, 1] : faces,
      0,
    ]);
    expect(rolled.terms.flatMap((term) => term.kept)).toEqual(kept);
  });

  test("a term has its label", () => {
    expect(rollNotation("2d6[fire] + 1d4 [cold] - 1", scriptedDice([3, 4, 2]))).toMatchObject({
      notation: "2d6[fire]+1d4[cold]-1",
      total: 8,
      terms: [
        { term: "2d6[fire]", label: "fire" },
        { label: "cold", subtotal: 2 },
        { term: "-1", subtotal: -1 },
      ],
    });
  });

  test("what cannot be read is refused, with the place", () => {
    try {
      rollNotation("2d6^2", scriptedDice([]));
      expect.unreachable();
    } catch (thrown) {
      expect(isRefusal(thrown) && [thrown.reason, thrown.data]).toEqual([
        "bad_notation",
        { at: 3, expected: "+, -, *, / or the end" },
      ]);
    }
  });
});
