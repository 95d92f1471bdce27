/** The class tables at the levels where they change, written down apart from the code. */
import { describe, expect, test } from "vitest";
import { abilityModifier } from "../sheet/character.ts";
import { brutalCriticalDice, brutalStrikeDice, classCastingAbility, classSlots, sneakAttackDice } from "./classes.ts";

const levels = Array.from({ length: 20 }, (_, index) => index + 1);
/** "4/3/2", by slot level. */
const slots = (characterClass: string, level: number, edition: "5.1" | "5.2") => {
  const bySlot = classSlots(characterClass, level, edition);
  return Object.keys(bySlot)
    .sort()
    .map((slot) => bySlot[slot])
    .join("/");
};
/** What holds from each level on until the next that is named. */
const from = (steps: Readonly<Record<number, string>>) => {
  let held = "";
  return levels.map((level) => {
    held = steps[level] ?? held;
    return held;
  });
};

test.each([
  [1, -5],
  [2, -4],
  [7, -2],
  [8, -1],
  [9, -1],
  [10, 0],
  [11, 0],
  [12, 1],
  [15, 2],
  [20, 5],
  [29, 9],
  [30, 10],
])("a score of %i is %i", (score, modifier) => {
  expect(abilityModifier(score)).toBe(modifier);
});

describe("spell slots", () => {
  const half = {
    2: "2",
    3: "3",
    5: "4/2",
    7: "4/3",
    9: "4/3/2",
    11: "4/3/3",
    13: "4/3/3/1",
    15: "4/3/3/2",
    17: "4/3/3/3/1",
    19: "4/3/3/3/2",
  };
  test.each(["paladin", "ranger"])("a %s has half of them, in 5.2 from level 1", (characterClass) => {
    expect(levels.map((level) => slots(characterClass, level, "5.1"))).toEqual(from(half));
    expect(levels.map((level) => slots(characterClass, level, "5.2"))).toEqual(from({ 1: "2", ...half }));
  });

  test.each(["bard", "cleric", "druid", "sorcerer", "wizard"])("a %s has all of them", (characterClass) => {
    const full = from({
      1: "2",
      2: "3",
      3: "4/2",
      4: "4/3",
      5: "4/3/2",
      6: "4/3/3",
      7: "4/3/3/1",
      8: "4/3/3/2",
      9: "4/3/3/3/1",
      10: "4/3/3/3/2",
      11: "4/3/3/3/2/1",
      13: "4/3/3/3/2/1/1",
      15: "4/3/3/3/2/1/1/1",
      17: "4/3/3/3/2/1/1/1/1",
      18: "4/3/3/3/3/1/1/1/1",
      19: "4/3/3/3/3/2/1/1/1",
      20: "4/3/3/3/3/2/2/1/1",
    });
    for (const edition of ["5.1", "5.2"] as const) {
      expect(levels.map((level) => slots(characterClass, level, edition))).toEqual(full);
    }
  });

  test("a warlock has a few of one level", () => {
    const few = (level: number) => classSlots("warlock", level, "5.2");
    expect([1, 2, 3, 5, 7, 9, 10, 11, 17, 20].map(few)).toEqual([
      { 1: 1 },
      { 1: 2 },
      { 2: 2 },
      { 3: 2 },
      { 4: 2 },
      { 5: 2 },
      { 5: 2 },
      { 5: 3 },
      { 5: 4 },
      { 5: 4 },
    ]);
  });

  test.each(["fighter", "rogue", "constructor", ""])("a class called %j has none, and no casting ability", (name) => {
    expect(classSlots(name, 20, "5.1")).toEqual({});
    expect(classCastingAbility(name)).toBeUndefined();
  });
});

test("dice of the martial classes", () => {
  expect(levels.map(sneakAttackDice)).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10]);
  expect([8, 9, 12, 13, 16, 17, 20].map(brutalCriticalDice)).toEqual([0, 1, 1, 2, 2, 3, 3]);
  expect([8, 9, 16, 17, 20].map(brutalStrikeDice)).toEqual([0, 1, 1, 2, 2]);
});
