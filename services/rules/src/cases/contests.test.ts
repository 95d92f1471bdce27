/** Contests of 5.1, and grapples and shoves in both editions. */
import type { Game, RollResult } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { resolveContest, resolveGrapple } from "../resolve/contest.ts";
import { buildGame, type Case, describeRule, features } from "../testing/case.ts";

const brief = ({ dieResult, totalModifier, success, dcOrAc }: RollResult) => [
  dieResult,
  totalModifier,
  dcOrAc,
  success,
];
const game = (edition: Game["edition"], row: Pick<Case, "player" | "npc"> = {}) => buildGame(row, edition);

describe(describeRule("contests", "contest"), () => {
  const contest = (edition: Game["edition"], opposed: number, ...dice: number[]) =>
    resolveContest(game(edition), { skill: "Deception", target: "Goblin", opposed }, scriptedDice(dice));

  test("the higher total wins", () => {
    expect(brief(contest("5.1", 2, 12, 9))).toEqual([12, "+0", "11", true]);
    expect(contest("5.1", 2, 12, 11).success).toBe(false);
  });
  test("a tie changes nothing", () => {
    expect(contest("5.1", 2, 12, 10)).toMatchObject({
      success: false,
      notes: expect.stringMatching(/ties, and nothing changes/),
    });
  });
  test("5.2 has none", () => {
    expect(contest("5.2", 2)).toMatchObject({ impossible: true });
  });
});

describe(describeRule("grapple and shove", "grapple"), () => {
  const grapple = (
    edition: Game["edition"],
    row: Pick<Case, "player" | "npc">,
    attempt: "grapple" | "shove_prone" | "shove_away",
    ...dice: number[]
  ) => resolveGrapple(game(edition, row), { attempt, target: "Goblin", opposed: 2 }, scriptedDice(dice));
  const strong = { player: { stats: { strength: 16 }, skillProficiencies: ["Athletics"] } };
  const changed = ({ changes }: RollResult) => changes.map(({ value }) => value);

  test("5.1: Athletics against the creature's check", () => {
    const result = grapple("5.1", strong, "grapple", 10, 12);
    expect(brief(result)).toEqual([10, "+5", "14", true]);
    expect(changed(result)).toEqual(["Grappled"]);
    expect(changed(grapple("5.1", strong, "grapple", 9, 12))).toEqual([]);
  });
  test("5.2: a save against 8 + strength + proficiency", () => {
    const result = grapple("5.2", strong, "shove_prone", 10);
    expect(brief(result)).toEqual([10, "+2", "13", true]);
    expect(changed(result)).toEqual(["Prone"]);
    expect(grapple("5.2", strong, "shove_prone", 11).success).toBe(false);
  });
  test("5.2: a monk may use dexterity", () => {
    const monk = { player: { stats: { dexterity: 18 }, ...features("Martial Arts") } };
    expect(grapple("5.2", monk, "shove_away", 10).dcOrAc).toBe("14");
  });
  test("5.2: a stunned creature cannot save", () => {
    expect(grapple("5.2", { ...strong, npc: { conditions: ["Stunned"] } }, "grapple")).toMatchObject({
      success: true,
      dieResult: 0,
    });
  });
  test("nothing more than one size larger", () => {
    expect(grapple("5.1", { npc: { size: "large" } }, "grapple", 10, 10).impossible).toBeUndefined();
    expect(grapple("5.1", { npc: { size: "huge" } }, "grapple").impossible).toBe(true);
    expect(grapple("5.2", { player: { size: "small" }, npc: { size: "large" } }, "grapple").impossible).toBe(true);
  });
  test("no attack on a charmer, and none behind total cover", () => {
    expect(grapple("5.1", { player: { conditions: ["Charmed by Goblin"] } }, "grapple").notes).toMatch(/charmed by/);
    expect(grapple("5.2", { npc: { cover: "total" } }, "shove_prone").notes).toMatch(/total cover/);
  });
  test("5.1: a poisoned creature checks with disadvantage", () => {
    const { dcOrAc, rules } = grapple("5.1", { ...strong, npc: { conditions: ["Poisoned"] } }, "grapple", 10, 18, 3);
    expect(dcOrAc).toBe("5");
    expect(rules).toContainEqual(
      expect.objectContaining({ number: "dcOrAc", effect: "disadvantage", rule: "condition" }),
    );
  });
  test("nothing out of reach", () => {
    expect(grapple("5.1", { npc: { distance: 10 } }, "grapple").impossible).toBe(true);
  });
});
