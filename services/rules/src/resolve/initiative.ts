/** Initiative: a dexterity check without a number to reach. */
import type { Game, Player, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { type Cause, createTrace, signed } from "../result/trace.ts";
import { type Modifier, rollD20 } from "../rules/d20.ts";
import { feature, hasCondition, incapacitatingCondition, proficiencyBonus } from "../sheet/character.ts";
import { checkTest } from "./check.ts";
import { buildResult } from "./d20-test.ts";

export const rollInitiative = (game: Game, { surprised }: { readonly surprised: boolean }, dice: Dice): RollResult => {
  const { player, edition } = game;
  const trace = createTrace(edition);
  const { test, ends } = checkTest(game, { ability: "dexterity", skill: undefined });
  const in52 = stanceCauses52(game, surprised);
  const alert = edition === "5.2" && feature(player, "Alert") !== undefined;
  const roll = rollD20(
    {
      ...test,
      purpose: "initiative",
      advantages: [...test.advantages, ...feralInstinct(player), ...in52.advantages],
      disadvantages: [...test.disadvantages, ...in52.disadvantages],
      modifiers: [...test.modifiers, ...(alert ? [alertFeat(player)] : [])],
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

const feralInstinct = (player: Player): readonly Cause[] =>
  feature(player, "Feral Instinct") === undefined
    ? []
    : [{ rule: "feral-instinct", why: "Feral Instinct: advantage on initiative" }];

const alertFeat = (player: Player): Modifier => ({
  label: "Alert",
  amount: proficiencyBonus(player),
  rule: "alert",
  why: "Alert adds the proficiency bonus to initiative",
});

const stanceCauses52 = (
  { player, edition }: Game,
  surprised: boolean,
): { readonly advantages: readonly Cause[]; readonly disadvantages: readonly Cause[] } => {
  if (edition === "5.1") return { advantages: [], disadvantages: [] };
  const advantages: Cause[] = [];
  const disadvantages: Cause[] = [];
  if (feature(player, "Remarkable Athlete") !== undefined) {
    advantages.push({ rule: "remarkable-athlete", why: "advantage on initiative" });
  }
  if (hasCondition(player, "Invisible")) advantages.push({ rule: "condition", why: `${player.name} is invisible` });
  if (surprised) disadvantages.push({ rule: "initiative", why: `${player.name} is surprised` });
  if (incapacitatingCondition(player) !== undefined) {
    disadvantages.push({ rule: "condition", why: `${player.name} is incapacitated` });
  }
  return { advantages, disadvantages };
};
