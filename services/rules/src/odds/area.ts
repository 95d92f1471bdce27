/** Exact odds of a spell on several creatures: its damage is rolled once, and each saves for itself. */
import type { CombinedOdds, CombinedQuestion, DamageType, Game } from "@fairlead/contracts/rules";
import type { SpellSavePlan } from "../plan/spell-save.ts";
import { splitTargets } from "../resolve/area.ts";
import { planAssault } from "../resolve/attack.ts";
import { afterDefence, defenceAgainst } from "../rules/defences.ts";
import { damageShare, portion } from "../rules/incoming-damage.ts";
import { type CombinedSolution, formatCombined, impossibleOdds } from "./combined.ts";
import { specDistribution } from "./damage.ts";
import { certain, type Distribution, mixture, moments, ratio, weighted } from "./distribution.ts";
import { toFraction } from "./fraction.ts";
import { requireFewOutcomes, requireFewTotals, requireFewValues, saveShares, spellDamage } from "./odds.ts";

/** Falls of the dice of all sources, and sums of the damage to all creatures. */
const mostSteps = 250_000;

/** What every source rolls, with its weight. */
interface DamageRoll {
  readonly amounts: readonly number[];
  readonly weight: bigint;
}

/** Refuses with a name error of the spell, or `too_many_outcomes`. */
export const areaOdds = (
  game: Game,
  { intent }: Extract<CombinedQuestion, { readonly kind: "area" }>,
): CombinedOdds => {
  const targets = splitTargets(intent.target);
  const plans: SpellSavePlan[] = [];
  for (const target of targets) {
    const assault = planAssault(game, { ...intent, target });
    if (!assault.planned.ok) return impossibleOdds(intent.weapon, assault.planned.why);
    if (assault.by !== "save") return impossibleOdds(intent.weapon, "no creature saves against it: ask about a turn");
    const { plan } = assault.planned;
    requireFewTotals(plan);
    for (const spec of plan.specs) requireFewOutcomes(plan.checkType, [spec], false);
    plans.push(plan);
  }
  const [first] = plans;
  if (first === undefined) return impossibleOdds(intent.weapon, "no creature is in the area");
  if (targets.length > first.most)
    return impossibleOdds(intent.weapon, `one casting of ${first.name} is on ${first.most} at most`);
  const shares = plans.map((plan) => ({ plan, ...saveShares(plan) }));
  const noneFails = shares.reduce((all, { saved }) => all * saved, 1n);
  const whole = shares.reduce((all, { saved, failed }) => all * (saved + failed), 1n);
  const solution: CombinedSolution = {
    success: ratio(whole - noneFails, whole),
    crit: { over: 0n, under: 1n },
    spread: solveArea(first, shares),
  };
  return {
    ...formatCombined(
      { of: first.checkType, measured: "damage", notes: "success is the caster's: a failed save" },
      solution,
    ),
    targets: shares.map(({ plan, saved, failed }, index) => ({
      target: targets[index] ?? plan.target.name,
      success: toFraction(ratio(failed, saved + failed)),
      mean: toFraction(
        moments(
          mixture([
            { share: failed, of: spellDamage(plan, false) },
            { share: saved, of: spellDamage(plan, true) },
          ]),
        ).mean,
      ),
    })),
  };
};

interface SavingTarget {
  readonly plan: SpellSavePlan;
  readonly saved: bigint;
  readonly failed: bigint;
}

const solveArea = (spell: SpellSavePlan, targets: readonly SavingTarget[]): Distribution => {
  const rolls = rollSources(spell);
  requireFewValues(`the dice of ${spell.name}`, rolls.length, mostSteps);
  let steps = 0;
  const parts = rolls.map(({ amounts, weight }) => {
    let total = certain(0);
    for (const { plan, saved, failed } of targets) {
      const hurt = damageTo(plan, amounts, false);
      const spared = damageTo(plan, amounts, true);
      steps += total.weights.size;
      requireFewValues(`the damage of ${spell.name}`, steps, mostSteps);
      total = {
        whole: total.whole * (saved + failed),
        weights: weighted(
          [...total.weights].flatMap(([value, share]) => [
            [value + hurt, share * failed] as const,
            [value + spared, share * saved] as const,
          ]),
        ).weights,
      };
    }
    return { share: weight, of: total };
  });
  return mixture(parts);
};

const rollSources = ({ specs }: SpellSavePlan): readonly DamageRoll[] =>
  specs.reduce<readonly DamageRoll[]>(
    (rolls, spec) => {
      const { weights } = specDistribution(spec, false);
      requireFewValues(spec.label, rolls.length * weights.size, mostSteps);
      return rolls.flatMap(({ amounts, weight }) =>
        [...weights].map(([amount, more]) => ({ amounts: [...amounts, amount], weight: weight * more })),
      );
    },
    [{ amounts: [], weight: 1n }],
  );

/** By the same steps as the rolling: the share of each source, types added up, never below 0, defences. */
const damageTo = (plan: SpellSavePlan, amounts: readonly number[], passed: boolean): number => {
  const { specs, defender } = plan;
  const kept = damageShare(plan, passed);
  const byType = new Map<DamageType | undefined, number>();
  for (const [index, { damageType }] of specs.entries())
    byType.set(damageType, (byType.get(damageType) ?? 0) + portion(amounts[index] ?? 0, kept));
  return [...byType].reduce(
    (sum, [type, amount], index) =>
      sum + afterDefence(Math.max(0, amount), defenceAgainst(defender, type, index === 0)),
    0,
  );
};
