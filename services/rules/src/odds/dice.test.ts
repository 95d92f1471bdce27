/** Odds of plain dice: known values, every fall of the dice counted by rolling, and what is refused. */
import { describe, expect, test } from "vitest";
import { parseDice } from "../dice/notation.ts";
import type { Dice } from "../dice/source.ts";
import { rollNotation } from "../resolve/roll.ts";
import { isRefusal } from "../result/refusal.ts";
import { everyFall } from "../testing/every-run.ts";
import { computeDiceOdds } from "./dice.ts";
import { listProbabilities, weighted } from "./distribution.ts";
import { toFraction } from "./fraction.ts";

const mean = (notation: string) => computeDiceOdds(notation).mean.fraction;

test("known values", () => {
  expect(mean("2d6+3")).toBe("10");
  expect(mean("4d6kh3")).toBe("15869/1296");
  expect(mean("2d6ro<3")).toBe("25/3");
  expect(mean("1d20mi10")).toBe("51/4");
  expect(mean("1d10rr1")).toBe("6");
  expect(mean("8d6/2")).toBe("55/4");
  expect(mean("(1d8+2)*2")).toBe("13");
  expect(mean("2d20kh1")).toBe("553/40");
});

test("a die that explodes ten times at most: the sum of a geometric row", () => {
  const exact = Array.from({ length: 11 }, (_, index) => 3.5 / 6 ** index).reduce((sum, one) => sum + one, 0);
  expect(Number(computeDiceOdds("1d6e6").mean.decimal)).toBeCloseTo(exact, 5);
  expect(computeDiceOdds("1d2e2").distribution).toHaveLength(12);
});

/** The sum of each fall of the dice, with its weight. */
const counted = (notation: string) => {
  const falls = everyFall((dice: Dice) => rollNotation(notation, dice).total);
  const whole = falls.reduce((most, { ways }) => (ways > most ? ways : most), 1n);
  const product = falls.reduce((all, { ways }) => (all % ways === 0n ? all : all * ways), whole);
  return listProbabilities(weighted(falls.map(({ value, ways }) => [value, product / ways] as const))).map(
    ({ value, probability }) => ({ value, probability: toFraction(probability) }),
  );
};

describe("agree with every fall of the dice", () => {
  test.each([
    ...["3d4", "2d6-1d4", "-1d4", "4d4kh3", "4d4kl2", "3d6dl1", "3d4dh3", "3d4k>2", "3d4p1", "3d4p<3", "2d6kh1"],
    ...[
      "2d6ro<3",
      "2d4ro1ro2",
      "1d6mi3",
      "2d6ma4",
      "2d4ro1kh1",
      "3d4mi2kl1",
      "2d4ra4",
      "3d3ra>1",
      "2d4mi2ra2",
      "3d4ro1dl1",
    ],
    ...["(1d4+1)*2", "1d4*1d3", "3d4/2", "(1d4-3)/2", "2*(1d4+(1d3-1))", "1d6[fire]+1d4[cold]", "d%/10"],
  ])("%s", (notation) => {
    expect(computeDiceOdds(notation).distribution).toEqual(counted(notation));
  });
});

describe("refuses", () => {
  const reason = (notation: string) => {
    try {
      computeDiceOdds(notation);
    } catch (thrown) {
      if (isRefusal(thrown)) return thrown.reason;
      throw thrown;
    }
    return "nothing";
  };

  test.each([
    ["2d6kh1mi2", "unsolved_dice"],
    ["4d6e6kh3", "unsolved_dice"],
    ["3d6kh1kl1", "unsolved_dice"],
    ["3d6kh1p6", "unsolved_dice"],
    ["2d6+", "bad_notation"],
    ["100d20", "too_many_outcomes"],
    ["40d1000kh20", "too_many_outcomes"],
    ["100d10kh50", "too_many_outcomes"],
    ["1d1000*1d1000", "too_many_outcomes"],
    ["20d6e6", "too_many_outcomes"],
    ["100d1000k>1", "too_many_outcomes"],
    ["100d1000p1", "too_many_outcomes"],
  ])("%s as %s", (notation, expected) => {
    expect(reason(notation)).toBe(expected);
    if (expected !== "bad_notation") expect(parseDice(notation).ok).toBe(true);
  });

  test("nothing that a table rolls", () => {
    const usual = ["1d20", "2d20kh1+7", "8d6", "4d6kh3", "20d6", "40d6", "12d6/2", "10d10kh5", "1d100", "24d6+140"];
    expect(usual.map(reason)).toEqual(usual.map(() => "nothing"));
  });
});
