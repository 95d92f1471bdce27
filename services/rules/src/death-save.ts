/** The death saving throw: 10 or more passes; a natural 1 fails twice, a natural 20 wakes; three of a kind end it. */
import type { DeathSave, DeathSaveInput } from "@fairlead/contracts/rules";
import { sourceOf } from "./data/catalogue.ts";
import type { Dice } from "./dice/source.ts";
import { type D20Test, rollD20 } from "./rules/d20.ts";
import { type Cause, traceOf } from "./trace.ts";

const ruled: Cause = { rule: "table-ruling", why: "granted or imposed by the table" };

export const rollDeathSave = (input: Omit<DeathSaveInput, "dice">, dice: Dice): DeathSave => {
  const { edition, bonus } = input;
  const test: D20Test = {
    purpose: "death saving throw",
    advantages: input.advantage ? [ruled] : [],
    disadvantages: input.disadvantage ? [ruled] : [],
    modifiers: bonus === 0 ? [] : [{ label: "Bonus", amount: bonus, ...ruled }],
    bonusDice: [],
  };
  const { natural, total } = rollD20(test, { dice, trace: traceOf(edition) }, () => false);
  const success = natural === 20 || (natural !== 1 && total >= 10);
  const outcome = count(input, natural, success);
  return {
    natural,
    total,
    success,
    ...outcome,
    source: sourceOf("death-saving-throw", edition),
    dice: dice.record(),
  };
};

type Outcome = Pick<DeathSave, "successes" | "failures" | "state" | "notes">;

const count = (
  { successes, failures }: Pick<DeathSaveInput, "successes" | "failures">,
  natural: number,
  success: boolean,
): Outcome => {
  if (natural === 20)
    return { successes: 0, failures: 0, state: "awake", notes: "A natural 20: awake, with 1 hit point" };
  if (success) {
    return successes + 1 >= 3
      ? { successes: 0, failures: 0, state: "stable", notes: "The third success: stable" }
      : { successes: successes + 1, failures, state: "dying", notes: "A success" };
  }
  const failed = Math.min(3, failures + (natural === 1 ? 2 : 1));
  const lead = natural === 1 ? "A natural 1: two failures" : "A failure";
  return failed >= 3
    ? { successes, failures: 3, state: "dead", notes: `${lead}; the third one: dead` }
    : { successes, failures: failed, state: "dying", notes: lead };
};
