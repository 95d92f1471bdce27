/** The smaller rolls: raw checks, initiative, contests, grapples, passive scores, group checks, falls, death saves, plain dice. */
import type { DamageIntent, Game, RollResult } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { resolveAbilityCheck } from "../check.ts";
import { resolveContest, resolveGrapple } from "../contest.ts";
import { rollDeathSave } from "../death-save.ts";
import { rollNotation } from "../dice/roll.ts";
import { scripted } from "../dice/source.ts";
import { fallDamage, groupCheck, passiveScore } from "../hazards.ts";
import { rollInitiative } from "../initiative.ts";
import { isRefusal } from "../refusal.ts";
import { takeDamage } from "../take-damage.ts";
import { type Case, features, gameOf } from "./case.fixture.ts";

const brief = ({ dieResult, totalModifier, success, dcOrAc }: RollResult) => [
  dieResult,
  totalModifier,
  dcOrAc,
  success,
];
const game = (edition: Game["edition"], row: Pick<Case, "player" | "npc" | "scene"> = {}) => gameOf(row, edition);

describe("raw ability checks (Using Ability Scores; Playing the Game: Ability Checks)", () => {
  const strength = (edition: Game["edition"], player: Case["player"], ...dice: number[]) =>
    brief(
      resolveAbilityCheck(
        game(edition, { ...(player && { player }) }),
        { ability: "strength", dc: 10 },
        scripted(dice),
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

describe("initiative (Combat: Initiative)", () => {
  const roll = (edition: Game["edition"], player: NonNullable<Case["player"]>, surprised: boolean, ...dice: number[]) =>
    rollInitiative(game(edition, { player }), { surprised }, scripted(dice));

  test("a dexterity check", () => {
    expect(roll("5.1", { stats: { dexterity: 16 } }, false, 12)).toMatchObject({ total: 15, dcOrAc: "N/A" });
  });
  test("5.1 jack of all trades counts", () => {
    expect(roll("5.1", { level: 9, ...features("Jack of All Trades") }, false, 10).total).toBe(12);
    expect(roll("5.2", { level: 9, ...features("Jack of All Trades") }, false, 10).total).toBe(10);
  });
  test("Feral Instinct has advantage in both editions, Alert adds proficiency in 5.2", () => {
    for (const edition of ["5.1", "5.2"] as const) {
      expect(roll(edition, features("Feral Instinct"), false, 3, 12).total).toBe(12);
    }
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

describe("contests (Using Ability Scores: Contests)", () => {
  const contest = (edition: Game["edition"], opposed: number, ...dice: number[]) =>
    resolveContest(game(edition), { skill: "Deception", target: "Goblin", opposed }, scripted(dice));

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

describe("grapple and shove (Combat: Grappling; Rules Glossary: Unarmed Strike)", () => {
  const grapple = (
    edition: Game["edition"],
    row: Pick<Case, "player" | "npc">,
    attempt: "grapple" | "shove_prone" | "shove_away",
    ...dice: number[]
  ) => resolveGrapple(game(edition, row), { attempt, target: "Goblin", opposed: 2 }, scripted(dice));
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

describe("passive scores (Using Ability Scores: Passive Checks)", () => {
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
])("a group with %j against DC %i (Using Ability Scores: Group Checks)", (totals, dc, success, needed) => {
  expect(groupCheck({ totals, dc })).toMatchObject({ success, needed });
});

test.each([
  [9, [], 0, false],
  [10, [4], 4, true],
  [39, [1, 2, 3], 6, true],
  [200, Array.from({ length: 20 }, () => 1), 20, true],
  [5_000, Array.from({ length: 20 }, () => 6), 120, true],
])("a fall of %i feet (Falling)", (feet, dice, damage, prone) => {
  expect(fallDamage({ edition: "5.2", feet }, scripted(dice))).toMatchObject({ damage, prone, rolls: dice });
});

describe("death saves (Death Saving Throws)", () => {
  const roll = (rest: Partial<Parameters<typeof rollDeathSave>[0]>, ...dice: number[]) => {
    const { successes, failures, state } = rollDeathSave(
      { edition: "5.1", successes: 0, failures: 0, advantage: false, disadvantage: false, bonus: 0, ...rest },
      scripted(dice),
    );
    return [successes, failures, state];
  };

  test.each([
    [{}, [10], [1, 0, "dying"]],
    [{}, [9], [0, 1, "dying"]],
    [{}, [1], [0, 2, "dying"]],
    [{}, [20], [0, 0, "awake"]],
    [{ successes: 2 }, [10], [0, 0, "stable"]],
    [{ failures: 2 }, [9], [0, 3, "dead"]],
    [{ failures: 1 }, [1], [0, 3, "dead"]],
    [{ failures: 2 }, [1], [0, 3, "dead"]],
    [{ successes: 2, failures: 2 }, [20], [0, 0, "awake"]],
    [{ bonus: 1 }, [9], [1, 0, "dying"]],
    [{ bonus: 20 }, [1], [0, 2, "dying"]],
    [{ bonus: -2 }, [11], [0, 1, "dying"]],
    [{ advantage: true }, [3, 12], [1, 0, "dying"]],
    [{ disadvantage: true }, [12, 3], [0, 1, "dying"]],
    [{ advantage: true, disadvantage: true }, [12], [1, 0, "dying"]],
  ])("%j with %j", (rest, dice, expected) => {
    expect(roll(rest, ...dice)).toEqual(expected);
  });
});

describe("death saves of a character whose game is given", () => {
  const plain = { edition: "5.1", successes: 0, failures: 0, advantage: false, disadvantage: false, bonus: 0 } as const;
  const roll = (edition: Game["edition"], player: NonNullable<Case["player"]>, ...dice: number[]) =>
    rollDeathSave({ ...plain, game: game(edition, { player: { currentHP: 0, ...player } }) }, scripted(dice));

  test("a halfling rolls a 1 again", () => {
    expect(roll("5.1", { race: "Halfling" }, 1, 12)).toMatchObject({ success: true, natural: 12 });
  });
  test("Bless helps, and exhaustion hinders in each edition's way", () => {
    expect(roll("5.1", { effects: [{ name: "Bless" }] }, 8, 2)).toMatchObject({ total: 10, success: true });
    expect(roll("5.2", { exhaustion: 2 }, 13)).toMatchObject({ total: 9, success: false });
    expect(roll("5.1", { exhaustion: 3 }, 13, 4)).toMatchObject({ total: 4, success: false });
  });
  test("an ally's aura counts, one's own does not", () => {
    expect(roll("5.1", { effects: [{ name: "Aura of Protection", bonus: 3 }] }, 7).total).toBe(10);
    expect(roll("5.1", { stats: { charisma: 18 }, ...features("Aura of Protection") }, 7).total).toBe(7);
  });
  test("what changes: an effect that ends, waking, stability, death", () => {
    const changes = (...given: Parameters<typeof roll>) =>
      roll(...given).changes.map(({ field, op, value }) => `${field} ${op} ${value}`);
    expect(changes("5.1", { effects: [{ name: "Resistance" }] }, 8, 4)).toEqual(["effects remove Resistance"]);
    expect(changes("5.2", {}, 20)).toEqual(["currentHP set 1", "conditions remove Unconscious"]);
    expect(changes("5.2", {}, 12)).toEqual([]);
  });
});

describe("damage taken (Dropping to 0 Hit Points; Temporary Hit Points)", () => {
  const take = (player: NonNullable<Case["player"]>, intent: Partial<DamageIntent>, ...dice: number[]) => {
    const { success, damage, changes, notes } = takeDamage(
      game("5.1", { player: { maxHP: 12, currentHP: 12, ...player } }),
      { damage: "6", crit: false, source: "A club", ...intent },
      scripted(dice),
    );
    return [success, damage?.totalDamage, ...changes.map(({ field, op, value }) => `${field} ${op} ${value}`), notes];
  };
  const save = (dc: number) => expect.stringMatching(`Constitution save, DC ${dc}$`);
  const down = expect.stringMatching(/damage$/);

  test("temporary hit points go first", () => {
    expect(take({ temporaryHP: 4 }, {})).toEqual([true, 6, "temporaryHP set 0", "currentHP set 10", save(10)]);
  });
  test("resistance halves, dice are rolled", () => {
    expect(take({ resistances: ["fire"] }, { damage: "2d6+3", damageType: "fire" }, 4, 6)).toEqual([
      true,
      6,
      "currentHP set 6",
      save(10),
    ]);
  });
  test("0 is unconscious; the rest reaching the maximum is death", () => {
    expect(take({}, { damage: "23" })).toEqual([false, 23, "currentHP set 0", "conditions add Unconscious", down]);
    expect(take({}, { damage: "24" })).toEqual([false, 24, "currentHP set 0", "conditions add Dead", down]);
  });
  test("at 0: one failed death save, two for a critical hit, death for the maximum", () => {
    expect(take({ currentHP: 0 }, {})).toEqual([false, 6, "deathSaveFailures add 1", down]);
    expect(take({ currentHP: 0 }, { crit: true })).toEqual([false, 6, "deathSaveFailures add 2", down]);
    expect(take({ currentHP: 0 }, { damage: "12" })).toEqual([false, 12, "conditions add Dead", down]);
  });
  test("at 0 hit points a rage and concentration end, and a blow ends stability", () => {
    const busy = { ...features("Rage"), effects: [{ name: "Rage" as const }], conditions: ["Concentrating"] };
    expect(take(busy, { damage: "12" })).toEqual([
      false,
      12,
      "currentHP set 0",
      "conditions add Unconscious",
      "conditions remove Concentrating",
      "effects remove Rage",
      down,
    ]);
    expect(take({ currentHP: 0, conditions: ["Stable"] }, {})).toEqual([
      false,
      6,
      "conditions remove Stable",
      "deathSaveFailures add 1",
      down,
    ]);
  });
  test("a rage that ended with consciousness resists nothing", () => {
    const raged = { ...features("Rage"), effects: [{ name: "Rage" as const }], currentHP: 0 };
    expect(take(raged, { damage: "7", damageType: "slashing" })).toEqual([false, 7, "deathSaveFailures add 1", down]);
  });
  test("rage resists a blow", () => {
    const raging = { ...features("Rage"), effects: [{ name: "Rage" as const }] };
    expect(take(raging, { damage: "7", damageType: "slashing" })).toEqual([true, 3, "currentHP set 9", save(10)]);
  });
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
    const result = rollNotation(notation, scripted(dice));
    expect(result.total).toBe(total);
    expect(result.terms.reduce((sum, { subtotal }) => sum + subtotal, 0)).toBe(total);
  });

  test("kept dice stay in the order rolled", () => {
    expect(rollNotation("4d6kh3", scripted([3, 6, 1, 4])).terms[0]).toMatchObject({
      rolls: [3, 6, 1, 4],
      kept: [3, 6, 4],
    });
  });

  test("what cannot be read is refused, with the place", () => {
    try {
      rollNotation("2d6*2", scripted([]));
      expect.unreachable();
    } catch (thrown) {
      expect(isRefusal(thrown) && [thrown.reason, thrown.data]).toEqual([
        "bad_notation",
        { at: 3, expected: "+, - or the end" },
      ]);
    }
  });
});
