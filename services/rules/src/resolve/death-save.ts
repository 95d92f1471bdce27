/** The death saving throw: 10 or more passes; a natural 1 fails twice, a natural 20 wakes; three of a kind end it. */
import type { Change, DeathSave, DeathSaveInput, Game } from "@fairlead/contracts/rules";
import { sourceOf } from "../data/catalogue.ts";
import type { Dice } from "../dice/source.ts";
import { type Cause, traceOf } from "../result/trace.ts";
import { type D20Test, rollD20 } from "../rules/d20.ts";
import { endedBy } from "./d20-test.ts";
import { bareSave } from "./save.ts";

const ruled: Cause = { rule: "table-ruling", why: "granted or imposed by the table" };

export const rollDeathSave = (input: Omit<DeathSaveInput, "dice">, dice: Dice): DeathSave => {
  const { game } = input;
  const edition = game?.edition ?? input.edition;
  const sheet = game === undefined ? undefined : bareSave(game);
  const test = testOf(input, sheet);
  const { natural, total } = rollD20(test, { dice, trace: traceOf(edition) }, (_, sum) => sum < 10);
  const success = natural === 20 || (natural !== 1 && total >= 10);
  const outcome = count(input, natural, success);
  const record = dice.record();
  return {
    natural,
    total,
    success,
    ...outcome,
    source: sourceOf("death-saving-throw", edition),
    dice: record,
    changes: game === undefined ? [] : [...endedBy(record, sheet?.ends ?? []), ...fate(game, outcome.state)],
  };
};

const testOf = ({ bonus, advantage, disadvantage }: Omit<DeathSaveInput, "dice">, sheet?: D20Test): D20Test => ({
  ...sheet,
  purpose: "death saving throw",
  advantages: [...(sheet?.advantages ?? []), ...(advantage ? [ruled] : [])],
  disadvantages: [...(sheet?.disadvantages ?? []), ...(disadvantage ? [ruled] : [])],
  modifiers: [...(sheet?.modifiers ?? []), ...(bonus === 0 ? [] : [{ label: "Bonus", amount: bonus, ...ruled }])],
  bonusDice: sheet?.bonusDice ?? [],
});

/** What the last death save does to the character. */
const fate = ({ player: { name: who } }: Game, state: DeathSave["state"]): Change[] => {
  const condition = (op: "add" | "remove", value: string): Change => ({
    who,
    field: "conditions",
    op,
    value,
    why: "death saving throw",
  });
  switch (state) {
    case "awake":
      return [
        { who, field: "currentHP", op: "set", value: 1, why: "a natural 20 on a death saving throw" },
        condition("remove", "Unconscious"),
      ];
    case "stable":
      return [condition("add", "Stable")];
    case "dead":
      return [condition("add", "Dead")];
    case "dying":
      return [];
  }
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
