/** Concentration: a Constitution save for every source of damage; who cannot act, or rages, keeps none. */
import type { Change, Game } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { concentrationDc } from "../rules/incoming-damage.ts";
import { cannotAct } from "../sheet/character.ts";
import { isRaging } from "../sheet/rage.ts";
import { type ResultWithoutClaims, rollTestPlan } from "./d20-test.ts";
import { planSavingThrow } from "./save.ts";

export const resolveConcentration = (game: Game, damage: number, dice: Dice): ResultWithoutClaims => {
  const { player, edition } = game;
  const dc = concentrationDc(damage, edition);
  const idle = cannotAct(player) ?? (isRaging(game) ? "is raging" : undefined);
  const plan = planSavingThrow(game, { ability: "constitution", dc, source: `${damage} damage` });
  const result = rollTestPlan(
    game,
    {
      ...plan,
      checkType: "Concentration",
      fails: idle === undefined ? undefined : { rule: "concentration", why: `${player.name} ${idle}` },
      dcCause: { rule: "concentration", why: `half of ${damage} damage, at least 10` },
      /** The damage was taken already; what the scene says is coming is against another save. */
      incoming: undefined,
    },
    dice,
  );
  const why = `concentration is broken by ${damage} damage`;
  const lost: Change = { who: player.name, field: "conditions", op: "remove", value: "Concentrating", why };
  return result.success ? result : { ...result, changes: [...result.changes, lost] };
};
