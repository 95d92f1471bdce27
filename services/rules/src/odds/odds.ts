/** Exact odds of what is asked about: the plan of the resolver, solved instead of rolled. */
import type { AttackIntent, Game, Odds, Question } from "@fairlead/contracts/rules";
import { outcomeOf, planAssault } from "../attack.ts";
import { planSkillCheck } from "../check.ts";
import type { Flat } from "../flat.ts";
import { Refusal } from "../refusal.ts";
import type { AttackPlan } from "../rules/attack-plan.ts";
import { stance } from "../rules/d20.ts";
import { planSavingThrow } from "../save.ts";
import { type SpellSave, spared } from "../spell-save.ts";
import { facesOf } from "./d20.ts";
import { damageOf, outcomesOf } from "./damage.ts";
import { certain, type Distribution, listed, mixture, moments, type Ratio, ratio, weighted } from "./distribution.ts";
import { fractionOf } from "./fraction.ts";

/** Keeps a call within some 10 ms and a reply within 100 KB. */
const mostOutcomes = 400;

/** Refuses with a name error of the attack, or `too_many_outcomes`. */
export const oddsOf = (game: Game, question: Question): Odds => {
  switch (question.kind) {
    case "attack":
      return attackOdds(game, question.intent);
    case "check":
      return flatOdds(planSkillCheck(game, question.intent));
    case "save":
      return flatOdds(planSavingThrow(game, question.intent));
  }
};

interface Solved {
  readonly success: Ratio;
  readonly crit: Ratio;
  readonly spread: Distribution;
}

const never: Ratio = { over: 0n, under: 1n };

const shown = (
  head: Pick<Odds, "of" | "against" | "stance" | "measured" | "notes">,
  { success, crit, spread }: Solved,
): Odds => {
  const { mean, variance } = moments(spread);
  return {
    of: head.of,
    against: head.against,
    stance: head.stance,
    success: fractionOf(success),
    crit: fractionOf(crit),
    measured: head.measured,
    mean: fractionOf(mean),
    variance: fractionOf(variance),
    distribution: listed(spread).map(({ value, probability }) => ({ value, probability: fractionOf(probability) })),
    notes: head.notes,
  };
};

const attackOdds = (game: Game, intent: AttackIntent): Odds => {
  const assault = planAssault(game, intent);
  if (!assault.planned.ok) {
    const head = { of: intent.weapon, against: "N/A", stance: "neither", measured: "damage" } as const;
    return shown({ ...head, notes: assault.planned.why }, { success: never, crit: never, spread: certain(0) });
  }
  bounded(assault.planned.plan);
  if (assault.by === "save") return spellSaveOdds(assault.planned.plan);
  const { plan } = assault.planned;
  const head = {
    of: plan.checkType,
    against: String(plan.ac),
    stance: stance(plan.test),
    measured: "damage",
    notes: [
      ...plan.notes,
      ...plan.claims.filter(({ granted }) => !granted).map(({ source, why }) => `No ${source}: ${why}`),
    ].join(". "),
  } as const;
  return shown(head, solveAttack(plan));
};

const bounded = ({ checkType, specs }: Pick<AttackPlan, "checkType" | "specs">): void => {
  const outcomes = outcomesOf(specs);
  if (outcomes <= mostOutcomes) return;
  throw new Refusal("too_many_outcomes", `the damage of ${checkType} has about ${outcomes} possible values`, {
    outcomes,
    most: mostOutcomes,
  });
};

const spellSaveOdds = (plan: SpellSave): Odds => {
  const faces = plan.fails === undefined ? facesOf(plan.test, (_, total) => total < plan.dc) : [];
  const weigh = (kept: (total: number) => boolean): bigint =>
    faces.reduce((sum, { total, weight }) => (kept(total) ? sum + weight : sum), 0n);
  const saved = weigh((total) => total >= plan.dc);
  const failed = plan.fails === undefined ? weigh((total) => total < plan.dc) : 1n;
  const { specs, target } = plan;
  const spread = mixture([
    { share: failed, of: damageOf({ specs, target, crit: false, keep: (amount) => amount }) },
    { share: saved, of: damageOf({ specs, target, crit: false, keep: (amount) => spared(plan, amount) }) },
  ]);
  const head = {
    of: plan.checkType,
    against: String(plan.dc),
    stance: stance(plan.test),
    measured: "damage",
    notes:
      plan.fails === undefined ? "success is the caster's: a failed save" : `fails without a roll: ${plan.fails.why}`,
  } as const;
  return shown(head, { success: ratio(failed, failed + saved), crit: never, spread });
};

/** Shares of miss, hit and critical hit, and the damage of each. */
export const solveAttack = (plan: AttackPlan): Solved => {
  const shares = { miss: 0n, hit: 0n, crit: 0n };
  const fails = (natural: number, total: number): boolean =>
    natural !== 1 && outcomeOf(plan, natural, total) === "miss";
  for (const { natural, total, weight } of facesOf(plan.test, fails)) shares[outcomeOf(plan, natural, total)] += weight;
  const whole = shares.miss + shares.hit + shares.crit;
  const { specs, target, onMiss } = plan;
  const missed =
    onMiss === undefined
      ? certain(0)
      : damageOf({
          specs: [onMiss.spec],
          target,
          crit: false,
          keep: onMiss.halved ? (amount) => Math.floor(amount / 2) : (amount) => amount,
        });
  const spread = mixture([
    { share: shares.miss, of: missed },
    { share: shares.hit, of: damageOf({ specs, target, crit: false, keep: (amount) => amount }) },
    { share: shares.crit, of: damageOf({ specs, target, crit: true, keep: (amount) => amount }) },
  ]);
  return { success: ratio(shares.hit + shares.crit, whole), crit: ratio(shares.crit, whole), spread };
};

const flatOdds = (plan: Flat): Odds => {
  const head = {
    of: plan.checkType,
    against: String(plan.dc),
    stance: stance(plan.test),
    measured: "total",
  } as const;
  if (plan.fails !== undefined) {
    const notes = `fails without a roll: ${plan.fails.why}`;
    return shown({ ...head, notes }, { success: never, crit: never, spread: certain(0) });
  }
  return shown({ ...head, notes: "" }, solveFlat(plan));
};

export const solveFlat = (plan: Flat): Solved => {
  const faces = facesOf(plan.test, (_, total) => total < plan.dc);
  const spread = weighted(faces.map(({ total, weight }) => [total, weight]));
  const passed = faces.reduce((sum, { total, weight }) => (total >= plan.dc ? sum + weight : sum), 0n);
  return { success: ratio(passed, spread.whole), crit: never, spread };
};
