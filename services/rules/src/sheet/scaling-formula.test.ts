/** What a sheet may write for the dice of a feature. */
import { expect, test } from "vitest";
import { parseFormula } from "./scaling-formula.ts";

test.each([
  ["3d6", 5, "3d6"],
  ["2D8", 5, "2d8"],
  ["ceil(level/2)d6", 5, "3d6"],
  ["Math.ceil(level / 2)d6", 5, "3d6"],
  ["CEIL( Level / 2 )D6", 1, "1d6"],
  ["floor(level/2)d6", 5, "2d6"],
  ["floor(level/2)d6", 1, "0d6"],
  ["leveld4", 7, "7d4"],
])("%s at level %i is %s", (written, level, dice) => {
  const { count, sides } = parseFormula(written, level) ?? { count: -1, sides: -1 };
  expect(`${count}d${sides}`).toBe(dice);
});

test.each(["", "1d6 per 2 levels", "ceil(level/0)d6", "round(level/2)d6", "6", "ceil(level/2)", "1d6+1"])(
  "%o is not read",
  (written) => expect(parseFormula(written, 5)).toBeUndefined(),
);
