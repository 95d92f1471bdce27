/** Initiative: a dexterity check without a number to reach. */
import type { Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { type Cause, createTrace, signed } from "../result/trace.ts";
import { rollD20 } from "../rules/d20.ts";
import { incapacitatingCondition } from "../sheet/character.ts";
import { checkTest } from "./check.ts";
import { buildResult } from "./d20-test.ts";

export const rollInitiative = (game: Game, { surprised }: { readonly surprised: boolean }, dice: Dice): RollResult => {
  const { player, edition } = game;
  const trace = createTrace(edition);
  const { test, ends } = checkTest(game, { ability: "dexterity", skill: undefined, roll: "initiative" });
  const roll = rollD20(
    {
      ...test,
      purpose: "initiative",
      disadvantages: [...test.disadvantages, ...drawbacks52(game, surprised)],
    },
    { dice, trace },
    () => false,
  );
  const late = surprised && edition === "5.1" ? ". Surprised: no move and no action on the first turn" : "";
  const parsed = {
    checkType: "Initiative",
    components: roll.components,
    dieResult: roll.die,
    totalModifier: signed(roll.modifier),
    total: roll.total,
    dcOrAc: "N/A",
    success: true,
    notes: `Initiative ${roll.total} for ${player.name}${late}`,
  };
  return buildResult(game, parsed, { dice, trace, ends, changes: [] });
};

const drawbacks52 = ({ player, edition }: Game, surprised: boolean): readonly Cause[] => {
  if (edition === "5.1") return [];
  const incapacitated = incapacitatingCondition(player) !== undefined;
  return [
    ...(surprised ? [{ rule: "initiative", why: `${player.name} is surprised` } as const] : []),
    ...(incapacitated ? [{ rule: "condition", why: `${player.name} is incapacitated` } as const] : []),
  ];
};
