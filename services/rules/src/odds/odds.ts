/** Exact odds of an attack, a check or a save: the plan of the resolver, solved instead of rolled. */
import type { AttackIntent, Game, Odds, Question } from "@fairlead/contracts/rules";
import type { AttackPlan } from "../plan/attack-plan.ts";
import type { SpellSavePlan } from "../plan/spell-save.ts";
import type { SurePlan } from "../plan/sure-spell.ts";
import { attackOutcome, planAssault } from "../resolve/attack.ts";
import { planSkillCheck } from "../resolve/check.ts";
import type { TestPlan } from "../resolve/d20-test.ts";
import { planSavingThrow } from "../resolve/save.ts";
import { Refusal } from "../result/refusal.ts";
import { passesAnyway } from "../rules/creature-save.ts";
import { stance } from "../rules/d20.ts";
import type { DamageSpec } from "../rules/damage.ts";
import { damageShare, type IncomingDamage, portion } from "../rules/incoming-damage.ts";
import { solveD20 } from "./d20.ts";
import { countOutcomes, damageDistribution, takenDistribution } from "./damage.ts";
import {
  certain,
  type Distribution,
  listProbabilities,
  mixture,
  moments,
  type Ratio,
  ratio,
  weighted,
} from "./distribution.ts";
import { toFraction } from "./fraction.ts";

/** Keeps a call within some 10 ms and a reply within 100 KB. */
const mostOutcomes = 400;

/** Refuses with a name error of the attack, or `too_many_outcomes`. */
export const computeOdds = (game: Game, question: Question): Odds => {
  switch (question.kind) {
    case "attack":
      return attackOdds(game, question.intent);
    case "check":
      return testOdds(game, planSkillCheck(game, question.intent));
    case "save":
      return testOdds(game, planSavingThrow(game, question.intent));
  }
};

interface OddsSolution {
  readonly success: Ratio;
  readonly crit: Ratio;
  readonly spread: Distribution;
}

const never: Ratio = { over: 0n, under: 1n };

const formatOdds = (
  head: Pick<Odds, "of" | "against" | "stance" | "measured" | "notes">,
  { success, crit, spread }: OddsSolution,
): Odds => {
  const { mean, variance } = moments(spread);
  return {
    of: head.of,
    against: head.against,
    stance: head.stance,
    success: toFraction(success),
    crit: toFraction(crit),
    measured: head.measured,
    mean: toFraction(mean),
    variance: toFraction(variance),
    distribution: listProbabilities(spread).map(({ value, probability }) => ({
      value,
      probability: toFraction(probability),
    })),
    notes: head.notes,
  };
};

const attackOdds = (game: Game, intent: AttackIntent): Odds => {
  const assault = planAssault(game, intent);
  if (!assault.planned.ok) {
    const head = { of: intent.weapon, against: "N/A", stance: "neither", measured: "damage" } as const;
    return formatOdds({ ...head, notes: assault.planned.why }, { success: never, crit: never, spread: certain(0) });
  }
  if (assault.by === "sure") return sureOdds(assault.planned.plan);
  const { checkType, specs } = assault.planned.plan;
  requireFewOutcomes(checkType, specs, assault.by === "attack");
  requireFewTotals(assault.planned.plan);
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
  const damage = attackDamage(plan);
  const solved = formatOdds(head, solveAttack(attackShares(plan), damage));
  return { ...solved, byArmorClass: solveByArmorClass(plan, damage) };
};

const always: Ratio = { over: 1n, under: 1n };

/** Of one dart: its damage; of healing: what is rolled, which a creature's maximum may cut. */
const sureOdds = ({ checkType, gives, spec, stopped, defender, notes, boon }: SurePlan): Odds => {
  requireFewOutcomes(checkType, [spec], false);
  const body = gives === "damage" ? defender : undefined;
  const spread =
    stopped === undefined
      ? damageDistribution({ specs: [spec], defender: body, crit: false, keep: (amount) => amount })
      : certain(0);
  const measured = gives === "damage" ? "damage" : "total";
  const head = { of: checkType, against: "N/A", stance: "neither", measured, notes: notes.join(". ") } as const;
  const need = boon?.need;
  const reached = need === undefined ? always : shareFrom(spread, need);
  return formatOdds(head, { success: reached, crit: never, spread });
};

/** How often a number or a higher one comes. */
const shareFrom = ({ weights, whole }: Distribution, least: number): Ratio =>
  ratio(
    [...weights].reduce((sum, [value, weight]) => (value >= least ? sum + weight : sum), 0n),
    whole,
  );

/** Only an attack roll can double dice. */
export const requireFewOutcomes = (checkType: string, specs: readonly DamageSpec[], canCrit: boolean): void => {
  const outcomes = countOutcomes(specs, canCrit);
  if (outcomes > mostOutcomes) throw tooManyOutcomes(`the damage of ${checkType}`, outcomes);
};

/** Dice that effects add to a d20 make totals, too. */
export const requireFewTotals = ({ checkType, test }: Pick<AttackPlan, "checkType" | "test">): void => {
  const outcomes = test.bonusDice.reduce((count, { sides }) => count + sides - 1, 20);
  if (outcomes > mostOutcomes) throw tooManyOutcomes(`the d20 of ${checkType}`, outcomes);
};

/** Refuses with `too_many_outcomes` where there are more values, or steps of work. */
export const requireFewValues = (what: string, values: number, most = mostTogether): void => {
  if (values > most)
    throw new Refusal("too_many_outcomes", `${what} has about ${values} possible values`, { outcomes: values, most });
};

/** Values of several rolls together. */
const mostTogether = 2_000;

const tooManyOutcomes = (what: string, outcomes: number): Refusal<"too_many_outcomes"> =>
  new Refusal("too_many_outcomes", `${what} has about ${outcomes} possible values`, { outcomes, most: mostOutcomes });

/** How often a creature saves against a spell, and fails. */
export const saveShares = (plan: SpellSavePlan): { readonly saved: bigint; readonly failed: bigint } => {
  if (passesAnyway(plan.target) !== undefined) return { saved: 1n, failed: 0n };
  if (plan.fails !== undefined) return { saved: 0n, failed: 1n };
  const faces = solveD20(plan.test, (_, total) => total < plan.dc);
  const weigh = (kept: (total: number) => boolean): bigint =>
    faces.reduce((sum, { total, weight }) => (kept(total) ? sum + weight : sum), 0n);
  return { saved: weigh((total) => total >= plan.dc), failed: weigh((total) => total < plan.dc) };
};

/** The damage to a creature after its save. */
export const spellDamage = (plan: SpellSavePlan, passed: boolean): Distribution => {
  const { specs, defender } = plan;
  return damageDistribution({
    ...{ specs, defender, crit: false, keep: (amount: number) => portion(amount, damageShare(plan, passed)) },
  });
};

const spellSaveOdds = (plan: SpellSavePlan): Odds => {
  const { saved, failed } = saveShares(plan);
  const spread = mixture([
    { share: failed, of: spellDamage(plan, false) },
    { share: saved, of: spellDamage(plan, true) },
  ]);
  const head = {
    of: plan.checkType,
    against: String(plan.dc),
    stance: stance(plan.test),
    measured: "damage",
    notes:
      plan.fails === undefined ? "success is the caster's: a failed save" : `fails without a roll: ${plan.fails.why}`,
  } as const;
  return formatOdds(head, { success: ratio(failed, failed + saved), crit: never, spread });
};

export type Outcomes<T> = Readonly<Record<"miss" | "hit" | "crit", T>>;

/** How often each comes of a roll against the plan's Armor Class. */
export const attackShares = (plan: AttackPlan): Outcomes<bigint> => {
  const shares = { miss: 0n, hit: 0n, crit: 0n };
  const fails = (natural: number, total: number): boolean =>
    natural !== 1 && attackOutcome(plan, natural, total) === "miss";
  for (const { natural, total, weight } of solveD20(plan.test, fails))
    shares[attackOutcome(plan, natural, total)] += weight;
  return shares;
};

/** The damage of each. */
export const attackDamage = ({ specs, defender, onMiss }: AttackPlan): Outcomes<Distribution> => {
  const whole = (crit: boolean): Distribution =>
    damageDistribution({ specs, defender, crit, keep: (amount) => amount });
  const miss =
    onMiss === undefined
      ? certain(0)
      : damageDistribution({
          specs: [onMiss.spec],
          defender,
          crit: false,
          keep: onMiss.halved ? (amount) => Math.floor(amount / 2) : (amount) => amount,
        });
  return { miss, hit: whole(false), crit: whole(true) };
};

export const outcomes = ["miss", "hit", "crit"] as const;

/** Shares of miss, hit and critical hit, and the damage of each. */
const solveAttack = (shares: Outcomes<bigint>, damage: Outcomes<Distribution>): OddsSolution => {
  const whole = shares.miss + shares.hit + shares.crit;
  const spread = mixture(outcomes.map((outcome) => ({ share: shares[outcome], of: damage[outcome] })));
  return { success: ratio(shares.hit + shares.crit, whole), crit: ratio(shares.crit, whole), spread };
};

const armorClasses = Array.from({ length: 16 }, (_, index) => index + 10);

/** The damage does not depend on the Armor Class, so that each one costs the solving of a d20. */
const solveByArmorClass = (plan: AttackPlan, damage: Outcomes<Distribution>): NonNullable<Odds["byArmorClass"]> => {
  const means = outcomes.map((outcome) => ({ outcome, mean: moments(damage[outcome]).mean }));
  const under = means.reduce((product, { mean }) => product * mean.under, 1n);
  return armorClasses.map((ac) => {
    const shares = attackShares({ ...plan, ac });
    const whole = shares.miss + shares.hit + shares.crit;
    const over = means.reduce((sum, { outcome, mean }) => sum + shares[outcome] * mean.over * (under / mean.under), 0n);
    return {
      ac,
      success: toFraction(ratio(shares.hit + shares.crit, whole)),
      mean: toFraction(ratio(over, whole * under)),
    };
  });
};

const testOdds = (game: Game, plan: TestPlan): Odds => {
  const head = {
    of: plan.checkType,
    against: String(plan.dc),
    stance: stance(plan.test),
    measured: plan.incoming === undefined ? "total" : "damage",
    notes: plan.fails === undefined ? "" : `fails without a roll: ${plan.fails.why}`,
  } as const;
  requireFewTotals(plan);
  if (plan.incoming !== undefined) requireFewOutcomes(plan.checkType, [plan.incoming.spec], false);
  return formatOdds(head, solveTest(game, plan));
};

/** Failure and success; totals, or the damage that depends on them. */
const solveTest = (game: Game, plan: TestPlan): OddsSolution => {
  const { incoming, test, dc, fails } = plan;
  const faces = fails === undefined ? solveD20(test, (_, total) => total < dc) : [];
  const weigh = (kept: (total: number) => boolean): bigint =>
    faces.reduce((sum, { total, weight }) => (kept(total) ? sum + weight : sum), 0n);
  const passed = weigh((total) => total >= dc);
  const failed = fails === undefined ? weigh((total) => total < dc) : 1n;
  const totals = (): Distribution =>
    fails === undefined ? weighted(faces.map(({ total, weight }) => [total, weight])) : certain(0);
  const damage = (arriving: IncomingDamage): Distribution =>
    mixture([
      { share: failed, of: takenDistribution(game, arriving, false) },
      { share: passed, of: takenDistribution(game, arriving, true) },
    ]);
  return {
    success: ratio(passed, passed + failed),
    crit: never,
    spread: incoming === undefined ? totals() : damage(incoming),
  };
};
