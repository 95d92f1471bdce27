/**
 * Rolls the saving throw of a creature against a spell, and the damage. The d20 is the creature's, and `success` is the caster's: true
 * when the save fails. Not here: the plan (`plan/spell-save.ts`).
 */
import type { Damage, Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import type { SpellSavePlan, SpellSavePlanResult } from "../plan/spell-save.ts";
import { impossible } from "../result/mark.ts";
import { buildRawSummary } from "../result/raw.ts";
import { createTrace, signed, type Trace } from "../result/trace.ts";
import { conditionsEndedBySave, passesAnyway } from "../rules/creature-save.ts";
import { rollD20 } from "../rules/d20.ts";
import { rollDamage } from "../rules/damage.ts";
import { dealtByType } from "../rules/defences.ts";
import { damageShare, noDamage, portion } from "../rules/incoming-damage.ts";
import { applyRiders } from "../rules/rider.ts";
import { damageCreature } from "../sheet/hit-points.ts";
export const resolveSpellSave = (game: Game, planned: SpellSavePlanResult, dice: Dice): RollResult => {
  if (!planned.ok) return impossible(planned.why, game.edition);
  const { plan } = planned;
  const trace = createTrace(game.edition);
  const save = plan.fails === undefined ? rollSave(plan, { dice, trace }) : undefined;
  if (plan.fails !== undefined) trace.add("success", "failed save without a roll", plan.fails);
  const passes = passesAnyway(plan.target);
  if (passes !== undefined) trace.add("success", "passed save", passes);
  const saved = passes !== undefined || (save !== undefined && save.total >= plan.dc);
  const damage = rollSaveDamage(plan, saved, { dice, trace });
  const ridden = applyRiders(plan.target, saved ? [] : plan.riders(damage.totalDamage), {
    dice,
    trace,
    edition: game.edition,
  });
  const changes = [
    ...plan.changes,
    ...(save === undefined ? [] : conditionsEndedBySave(plan.target, game.edition, plan.ability)),
    ...damageCreature(plan.target, damage.totalDamage, { trace, least: plan.least }),
    ...ridden.changes,
  ];
  const rolled = save === undefined ? (plan.fails?.why ?? "") : `${save.total} against DC ${plan.dc}`;
  const fate = passes === undefined ? rolled : `${rolled}, ${passes.why}`;
  const parsed = {
    checkType: plan.checkType,
    components: save?.components ?? "",
    dieResult: save?.die ?? 0,
    totalModifier: signed(save?.modifier ?? 0),
    total: save?.total ?? 0,
    dcOrAc: String(plan.dc),
    success: !saved,
    notes: [
      `${plan.target.name} ${saved ? "saves" : "fails the save"} against ${plan.name}: ${fate}`,
      ...(plan.specs.length === 0 ? [] : [`${damage.totalDamage} damage`]),
      ...ridden.notes,
    ].join(". "),
    ...(plan.specs.length > 0 && { damage }),
  };
  return {
    ...parsed,
    edition: game.edition,
    raw: buildRawSummary(parsed),
    dice: dice.record(),
    rules: trace.list(),
    claims: [...plan.claims],
    changes,
  };
};

const rollSave = (plan: SpellSavePlan, tools: { readonly dice: Dice; readonly trace: Trace }) => {
  const roll = rollD20(plan.test, tools, (_, total) => total < plan.dc);
  tools.trace.add("dcOrAc", String(plan.dc), { rule: "spell-save-dc", why: "8, proficiency and spellcasting ability" });
  return roll;
};

const rollSaveDamage = (plan: SpellSavePlan, saved: boolean, { dice, trace }: { dice: Dice; trace: Trace }): Damage => {
  const share = damageShare(plan, saved);
  const cause = plan.evasion ?? ({ rule: "save-for-half", why: "what the save leaves" } as const);
  if (share === "none") {
    trace.add("damage.totalDamage", "0, nothing rolled", cause);
    return noDamage;
  }
  const breakdown = plan.specs.map((spec, index) => rollDamage(spec, index, { dice, trace, crit: false }));
  if (share === "half") trace.add("damage.totalDamage", "half", cause);
  const left = breakdown.map((line) => ({ ...line, subtotal: portion(line.subtotal, share) }));
  const byType = dealtByType(plan.defender, left, trace);
  return { breakdown, byType, totalDamage: byType.reduce((sum, { dealt }) => sum + dealt, 0), isCrit: false };
};
