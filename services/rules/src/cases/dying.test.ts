/** Damage taken, 0 hit points, and death saves. */
import type { DamageIntent, Game } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { rollDeathSave } from "../resolve/death-save.ts";
import { takeDamage } from "../resolve/take-damage.ts";
import { buildGame, type Case, describeRule, features } from "../testing/case.ts";

const game = (edition: Game["edition"], row: Pick<Case, "player">) => buildGame(row, edition);

describe(describeRule("death saves", "death-saving-throw"), () => {
  const roll = (rest: Partial<Parameters<typeof rollDeathSave>[0]>, ...dice: number[]) => {
    const { successes, failures, state } = rollDeathSave(
      { edition: "5.1", successes: 0, failures: 0, advantage: false, disadvantage: false, bonus: 0, ...rest },
      scriptedDice(dice),
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

describe(describeRule("death saves of a character whose game is given", "death-saving-throw"), () => {
  const plain = { edition: "5.1", successes: 0, failures: 0, advantage: false, disadvantage: false, bonus: 0 } as const;
  const roll = (edition: Game["edition"], player: NonNullable<Case["player"]>, ...dice: number[]) =>
    rollDeathSave({ ...plain, game: game(edition, { player: { currentHP: 0, ...player } }) }, scriptedDice(dice));

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

describe(describeRule("damage taken", "dropping-to-0"), () => {
  const take = (player: NonNullable<Case["player"]>, intent: Partial<DamageIntent>, ...dice: number[]) => {
    const { success, damage, changes, notes } = takeDamage(
      game("5.1", { player: { maxHP: 12, currentHP: 12, ...player } }),
      { damage: "6", crit: false, doubled: false, source: "A club", ...intent },
      scriptedDice(dice),
    );
    return [success, damage?.totalDamage, ...changes.map(({ field, op, value }) => `${field} ${op} ${value}`), notes];
  };
  const save = (dc: number) => expect.stringMatching(`Constitution save, DC ${dc}$`);
  const says = (words: string) => expect.stringMatching(new RegExp(`damage\\. ${words}$`));
  const down = says("Aria drops to 0 hit points and is unconscious");
  const dead = says("Aria dies: the damage left at 0 reaches the hit point maximum");
  const failed = says("Aria: 1 failed death save: damage at 0 hit points");

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
    expect(take({}, { damage: "24" })).toEqual([false, 24, "currentHP set 0", "conditions add Dead", dead]);
  });
  test("at 0: one failed death save, two for a critical hit, death for the maximum", () => {
    expect(take({ currentHP: 0 }, {})).toEqual([false, 6, "deathSaveFailures add 1", failed]);
    expect(take({ currentHP: 0 }, { crit: true })).toEqual([
      false,
      6,
      "deathSaveFailures add 2",
      says("Aria: 2 failed death saves: damage at 0 hit points"),
    ]);
    expect(take({ currentHP: 0 }, { damage: "12" })).toEqual([false, 12, "conditions add Dead", dead]);
  });
  test("a critical hit doubles the dice, and not those that are doubled already", () => {
    const sheet = { maxHP: 40, currentHP: 40 };
    expect(take(sheet, { damage: "2d6+3", crit: true }, 1, 2, 3, 4).slice(0, 2)).toEqual([true, 13]);
    expect(take(sheet, { damage: "4d6+3", crit: true, doubled: true }, 1, 2, 3, 4).slice(0, 2)).toEqual([true, 13]);
    expect(take(sheet, { damage: "13", crit: true }).slice(0, 2)).toEqual([true, 13]);
  });
  test("what is left is said, what temporary hit points took, and what endurance saved", () => {
    const note = (...of: Parameters<typeof take>) => take(...of).at(-1);
    expect(note({ temporaryHP: 4 }, {})).toMatch(
      /4 absorbed by temporary hit points\. Aria has 10 of 12 hit points left/,
    );
    expect(note(features("Relentless Endurance"), { damage: "12" })).toMatch(
      /would drop to 0 hit points and stays at 1/,
    );
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
      failed,
    ]);
  });
  test("a rage that ended with consciousness resists nothing", () => {
    const raged = { ...features("Rage"), effects: [{ name: "Rage" as const }], currentHP: 0 };
    expect(take(raged, { damage: "7", damageType: "slashing" })).toEqual([false, 7, "deathSaveFailures add 1", failed]);
  });
  test("rage resists a blow", () => {
    const raging = { ...features("Rage"), effects: [{ name: "Rage" as const }] };
    expect(take(raging, { damage: "7", damageType: "slashing" })).toEqual([true, 3, "currentHP set 9", save(10)]);
  });
});
