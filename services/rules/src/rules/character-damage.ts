/** What damage changes on the character: hit points, consciousness, and what ends with it. */
import type { Change, Game } from "@fairlead/contracts/rules";
import type { Trace } from "../result/trace.ts";
import { effect, feature, hasCondition, hitPointMaximum } from "../sheet/character.ts";
import { damageCharacter, traceAbsorbed } from "../sheet/hit-points.ts";
import { isUnusedSinceRest, markUsedUntilRest } from "../sheet/spending.ts";

const endurance = "Relentless Endurance";

interface DamageConsequences {
  readonly changes: readonly Change[];
  /** What happened, in sentences. */
  readonly notes: readonly string[];
}

export const damageConsequences = (
  game: Game,
  amount: number,
  { crit, trace }: { readonly crit: boolean; readonly trace: Trace },
): DamageConsequences => {
  const { player, edition } = game;
  const { name: who } = player;
  const body = { current: player.currentHP, maximum: hitPointMaximum(player, edition), temporary: player.temporaryHP };
  const after = damageCharacter(body, amount, crit);
  const endures =
    after.kind === "unconscious" && feature(player, endurance) !== undefined && isUnusedSinceRest(game, endurance);
  traceAbsorbed(who, body.temporary - after.temporary, trace);
  if (endures) trace.add("changes", "1 hit point", { rule: "relentless-endurance", why: "instead of 0" });
  else if (after.kind !== "standing")
    trace.add("changes", after.kind, { rule: "dropping-to-0", why: `${amount} damage` });
  const set = (field: string, value: number): Change => ({ who, field, op: "set", value, why: `${amount} damage` });
  const gains = (value: string, why: string): Change => ({ who, field: "conditions", op: "add", value, why });
  const loses = (field: "conditions" | "effects", value: string): Change => {
    return { who, field, op: "remove", value, why: "damage at or to 0 hit points ends it" };
  };
  const numbers: readonly Change[] = [
    ...(after.temporary === body.temporary ? [] : [set("temporaryHP", after.temporary)]),
    ...(after.current === body.current ? [] : [set("currentHP", endures ? 1 : after.current)]),
  ];
  const lapsed: readonly Change[] = [
    ...player.conditions
      .filter((written) => hasCondition({ conditions: [written] }, "Concentrating"))
      .map((written) => loses("conditions", written)),
    ...(effect(player, "Rage") === undefined ? [] : [loses("effects", "Rage")]),
  ];
  const stable: readonly Change[] = hasCondition(player, "Stable") ? [loses("conditions", "Stable")] : [];
  switch (after.kind) {
    case "standing": {
      const absorbed = body.temporary - after.temporary;
      const first = absorbed === 0 ? [] : [`${absorbed} absorbed by temporary hit points`];
      const left = after.current === 0 ? [] : [`${who} has ${after.current} of ${body.maximum} hit points left`];
      return { changes: numbers, notes: [...first, ...left] };
    }
    case "unconscious":
      return endures
        ? {
            changes: [...numbers, markUsedUntilRest(game, endurance)],
            notes: [`${who} would drop to 0 hit points and stays at 1: ${endurance}`],
          }
        : {
            changes: [...numbers, gains("Unconscious", "at 0 hit points"), ...lapsed],
            notes: [`${who} drops to 0 hit points and is unconscious`],
          };
    case "dead": {
      const why = "the damage left at 0 reaches the hit point maximum";
      return {
        changes: [...numbers, gains("Dead", why), ...stable, ...lapsed],
        notes: [`${who} dies: ${why}`],
      };
    }
    case "dying": {
      const { failures: value } = after;
      const why = `${value} failed death save${value === 1 ? "" : "s"}: damage at 0 hit points`;
      return {
        changes: [...numbers, ...stable, { who, field: "deathSaveFailures", op: "add", value, why }],
        notes: [`${who}: ${why}`],
      };
    }
  }
};
