/** Damage that the character takes without a save: an attack's that hit, or that of a fall. */
import type { DamageIntent, Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { createTrace } from "../result/trace.ts";
import { findWard, parseDamageSpec, takeIncomingDamage } from "../rules/incoming-damage.ts";
import { buildResult } from "./d20-test.ts";

export const takeDamage = (game: Game, intent: DamageIntent, dice: Dice): RollResult => {
  const { player } = game;
  const { damage: written, damageType, crit, doubled, source: label } = intent;
  const trace = createTrace(game.edition);
  const cause = { rule: "damage-roll", why: label } as const;
  const taken = takeIncomingDamage(
    game,
    {
      spec: parseDamageSpec(written, { label, damageType, cause }),
      onSuccess: "none",
      evasion: undefined,
      ward: findWard(game, damageType),
      crit,
      doubled,
      weapon: label,
    },
    { dice, trace, success: false },
  );
  const down = player.currentHP === 0 || taken.changes.some(({ field, value }) => field === "currentHP" && value === 0);
  const parsed = {
    checkType: "Damage",
    components: "",
    dieResult: 0,
    totalModifier: "+0",
    total: taken.damage.totalDamage,
    dcOrAc: "N/A",
    success: !down,
    notes: [`${player.name} is hit by ${label}`, ...taken.notes].join(". "),
    damage: { ...taken.damage, isCrit: crit },
  };
  return buildResult(game, parsed, { dice, trace, ends: [], changes: taken.changes });
};
