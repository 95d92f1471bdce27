/** The death saving throw: 10 or more passes; a natural 1 fails twice, a natural 20 wakes; three of a kind end it. */
import type { Change, DeathSave, DeathSaveInput, Game } from "@fairlead/contracts/rules";
import { citeRule } from "../data/catalogue.ts";
import type { Dice } from "../dice/source.ts";
import { type Cause, createTrace } from "../result/trace.ts";
import { type D20Test, rollD20 } from "../rules/d20.ts";
import { endedEffects } from "./d20-test.ts";
import { commonSaveTest } from "./save.ts";

const tableRuling: Cause = { rule: "table-ruling", why: "granted or imposed by the table" };

export const rollDeathSave = (input: Omit<DeathSaveInput, "dice">, dice: Dice): DeathSave => {
  const { game } = input;
  const edition = game?.edition ?? input.edition;
  const sheet = game === undefined ? undefined : commonSaveTest(game);
  const test = planDeathSave(input, sheet);
  const { natural, total } = rollD20(test, { dice, trace: createTrace(edition) }, (_, sum) => sum < 10);
  const success = natural === 20 || (natural !== 1 && total >= 10);
  const outcome = countDeathSaves(input, natural, success);
  const record = dice.record();
  return {
    natural,
    total,
    success,
    ...outcome,
    source: citeRule("death-saving-throw", edition),
    dice: record,
    changes:
      game === undefined ? [] : [...endedEffects(record, sheet?.ends ?? []), ...stateChanges(game, outcome.state)],
  };
};

/** The d20 test of a death save; `sheet` is what counts for every save of the character. */
export const planDeathSave = (
  { bonus, advantage, disadvantage }: Pick<DeathSaveInput, "bonus" | "advantage" | "disadvantage">,
  sheet?: D20Test,
): D20Test => ({
  ...sheet,
  purpose: "death saving throw",
  advantages: [...(sheet?.advantages ?? []), ...(advantage ? [tableRuling] : [])],
  disadvantages: [...(sheet?.disadvantages ?? []), ...(disadvantage ? [tableRuling] : [])],
  modifiers: [...(sheet?.modifiers ?? []), ...(bonus === 0 ? [] : [{ label: "Bonus", amount: bonus, ...tableRuling }])],
  bonusDice: sheet?.bonusDice ?? [],
});

/** What the last death save does to the character. */
const stateChanges = ({ player: { name: who } }: Game, state: DeathSave["state"]): Change[] => {
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

type DeathSaveCount = Pick<DeathSave, "successes" | "failures" | "state" | "notes">;

/** The counts after a death save. */
export const countDeathSaves = (
  { successes, failures }: Pick<DeathSaveInput, "successes" | "failures">,
  natural: number,
  success: boolean,
): DeathSaveCount => {
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
