/** Rolls a planned attack: the d20, hit or miss, damage, and what the caller has to change in its state afterwards. */
import type { AttackIntent, Change, Damage, Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { type AttackPlan, type AttackPlanResult, planWeaponAttack } from "../plan/attack-plan.ts";
import { planSpellAttack } from "../plan/spell-attack.ts";
import { planSpellSave, type SpellSavePlanResult } from "../plan/spell-save.ts";
import { planSureSpell, type SurePlanResult } from "../plan/sure-spell.ts";
import { impossible } from "../result/mark.ts";
import { buildRawSummary } from "../result/raw.ts";
import { createTrace, signed, type Trace } from "../result/trace.ts";
import { type D20Roll, rollD20 } from "../rules/d20.ts";
import { rollDamage } from "../rules/damage.ts";
import { dealtByType } from "../rules/defences.ts";
import { applyRiders } from "../rules/rider.ts";
import { damageCreature } from "../sheet/hit-points.ts";
import { fold, sameName } from "../sheet/names.ts";
import { findSpell, intendedSpell } from "../sheet/spell-name.ts";
import { findTarget } from "../sheet/target.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import { type AreaPart, joinParts, resolveParts, splitTargets } from "./area.ts";
import { endedEffects } from "./d20-test.ts";
import { resolveSpellSave } from "./spell-save.ts";
import { resolveSureSpell } from "./sure-spell.ts";

type AttackOutcome = "miss" | "hit" | "crit";

/** Hit, miss or critical hit of a kept natural number and its total. */
export const attackOutcome = (plan: AttackPlan, natural: number, total: number): AttackOutcome => {
  if (natural === 1) return "miss";
  if (natural === 20) return "crit";
  const wide = natural >= plan.crit.from;
  const hits = total >= plan.ac || (wide && !plan.wideCritNeedsHit);
  if (!hits) return "miss";
  return wide || plan.helpless !== undefined ? "crit" : "hit";
};

/** An attack roll of the character, a spell that a creature saves against, or one that needs neither. */
type AssaultPlan =
  | { readonly by: "sure"; readonly planned: SurePlanResult }
  | { readonly by: "attack"; readonly planned: AttackPlanResult }
  | { readonly by: "save"; readonly planned: SpellSavePlanResult };

/** `through`: of a pool of hit points, see `poolOrder`. */
type SpellIntent = AttackIntent & { readonly through?: number };

export const planAssault = (game: Game, intent: SpellIntent): AssaultPlan => {
  const spell = intendedSpell(game, intent, weaponsAtHand(game));
  if (spell === undefined) return { by: "attack", planned: planWeaponAttack(game, intent) };
  const known = findSpell(game, spell);
  switch (known.by) {
    case "attack":
      return { by: "attack", planned: planSpellAttack(game, known.spell, intent) };
    case "save":
      return { by: "save", planned: planSpellSave(game, known.spell, intent) };
    case "sure":
      return known.unwilling === undefined || isWilling(game, intent.target)
        ? { by: "sure", planned: planSureSpell(game, known.spell, intent) }
        : { by: "save", planned: planSpellSave(game, known.unwilling, intent) };
  }
};

/** The character, and whoever is on its side, save against nothing that does them good. */
const isWilling = (game: Game, target: string): boolean =>
  isCaster(game, target) || fold(findTarget(game, target).disposition) === "friendly";

const isCaster = ({ player }: Game, target: string): boolean =>
  sameName(target, player.name) || sameName(target, "self");

/** An attack or a spell on one creature, or a spell on several: "Goblin 1; Goblin 2". */
export const resolveAttack = (game: Game, intent: AttackIntent, dice: Dice): RollResult => {
  const parts = resolveAttackParts(game, intent, dice);
  return joinParts(game, parts, dice);
};

/** The same for each creature that the target names. */
export const resolveAttackParts = (game: Game, intent: AttackIntent, dice: Dice): readonly AreaPart[] => {
  const targets = splitTargets(intent.target);
  const [only = intent.target, ...more] = targets;
  if (more.length === 0) return [{ target: only, result: resolveOne(game, intent, dice) }];
  const problem = areaObstacle(game, intent, targets);
  if (problem !== undefined) return [{ target: only, result: impossible(problem, game.edition) }];
  const pool = poolOrder(game, intent, targets);
  return resolveParts(game, pool?.map(({ target }) => target) ?? targets, {
    dice,
    resolve: (after, target, shared) => {
      const through = pool?.find((one) => one.target === target)?.through;
      return resolveOne(after, { ...intent, target, ...(through !== undefined && { through }) }, shared);
    },
  });
};

/** A pool of hit points reaches creatures with the fewest first; `through` is what it needs for each. */
const poolOrder = (
  game: Game,
  intent: AttackIntent,
  targets: readonly string[],
): readonly { readonly target: string; readonly through: number }[] | undefined => {
  const { by, planned } = planAssault(game, { ...intent, target: targets[0] ?? intent.target });
  if (by !== "sure" || !planned.ok || planned.plan.boon?.need === undefined) return undefined;
  let through = 0;
  return targets
    .map((target) => ({ target, hitPoints: findTarget(game, target).currentHp }))
    .toSorted((a, b) => a.hitPoints - b.hitPoints)
    .map(({ target, hitPoints }) => {
      through += hitPoints;
      return { target, through };
    });
};

/** Why several creatures cannot be named in one call. */
const areaObstacle = (game: Game, intent: AttackIntent, targets: readonly string[]): string | undefined => {
  const [first = intent.target] = targets;
  const { by, planned } = planAssault(game, { ...intent, target: first });
  if (by === "attack") return "an attack roll is against one creature; make a call for each";
  if (planned.ok && targets.length > planned.plan.most)
    return `one casting of ${planned.plan.name} is on ${planned.plan.most} creature${planned.plan.most === 1 ? "" : "s"} at most`;
  const creatures = targets.map((name) => (isCaster(game, name) ? "" : creatureKey(findTarget(game, name))));
  const twice = targets.find((_, index) => creatures.indexOf(creatures[index] ?? "") !== index);
  return twice === undefined ? undefined : `${twice} is named twice`;
};

const creatureKey = ({ id, name }: Game["npcs"][number]): string => (id === "" ? fold(name) : id);

const resolveOne = (game: Game, intent: SpellIntent, dice: Dice): RollResult => {
  const assault = planAssault(game, intent);
  switch (assault.by) {
    case "attack":
      return rollAttack(game, assault.planned, dice);
    case "save":
      return resolveSpellSave(game, assault.planned, dice);
    case "sure":
      return resolveSureSpell(game, assault.planned, dice);
  }
};

const rollAttack = (game: Game, planned: AttackPlanResult, dice: Dice): RollResult => {
  if (!planned.ok) return impossible(planned.why, game.edition);
  const { plan } = planned;
  const trace = createTrace(game.edition);
  const roll = rollD20(
    plan.test,
    { dice, trace },
    (die, total) => die !== 1 && attackOutcome(plan, die, total) === "miss",
  );
  for (const { effect, ...cause } of plan.acCauses) trace.add("dcOrAc", effect, cause);
  const outcome = attackOutcome(plan, roll.natural, roll.total);
  traceOutcome(plan, roll, outcome, trace);

  const damage = rollAttackDamage(plan, outcome, { dice, trace });
  const riders = outcome === "miss" ? [] : plan.riders(damage?.totalDamage ?? 0);
  const ridden = applyRiders(plan.target, riders, { dice, trace, edition: game.edition });
  const parsed = {
    checkType: plan.checkType,
    components: roll.components,
    dieResult: roll.die,
    totalModifier: signed(roll.modifier),
    total: roll.total,
    dcOrAc: String(plan.ac),
    success: outcome !== "miss",
    notes: [
      outcomeText(plan, roll, outcome),
      ...damageNote(damage),
      ...plan.notes,
      ...ridden.notes,
      ...deniedText(plan),
    ].join(". "),
    ...(damage !== undefined && { damage }),
  };
  const changes: Change[] = [
    ...plan.always,
    ...endedEffects(dice.record(), plan.ends),
    ...(outcome === "miss" ? [] : plan.onHit),
    ...(damage === undefined ? [] : damageCreature(plan.target, damage.totalDamage, { trace })),
    ...ridden.changes,
  ];
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

/** Why the roll hit, missed or crit. A widened range and a natural 20 are different causes, because tables want to know which. */
const traceOutcome = (plan: AttackPlan, { natural, total }: D20Roll, outcome: AttackOutcome, trace: Trace): void => {
  if (natural === 1) {
    trace.add("success", "miss", { rule: "natural-1", why: "a natural 1 misses whatever the armor class" });
  } else if (natural === 20) {
    trace.add("success", "critical hit", { rule: "natural-20", why: "a natural 20 hits whatever the armor class" });
  } else {
    const verb = outcome === "miss" ? "does not reach" : total >= plan.ac ? "reaches" : "crits without reaching";
    trace.add("success", outcome === "miss" ? "miss" : "hit", {
      rule: "armor-class",
      why: `${total} ${verb} ${plan.ac}`,
    });
    if (outcome === "crit") {
      trace.add(
        "damage.isCrit",
        "critical hit",
        natural >= plan.crit.from ? plan.crit.cause : (plan.helpless ?? plan.crit.cause),
      );
    }
  }
};

const outcomeText = (plan: AttackPlan, { natural, total }: D20Roll, outcome: AttackOutcome): string => {
  const { name } = plan.target;
  switch (outcome) {
    case "miss":
      return natural === 1 ? `Natural 1: misses ${name}` : `${total} misses ${name}, AC ${plan.ac}`;
    case "hit":
      return `${total} hits ${name}, AC ${plan.ac}`;
    case "crit": {
      const why = natural >= plan.crit.from ? `natural ${natural}` : (plan.helpless?.why ?? "");
      return `Critical hit on ${name} (${why})`;
    }
  }
};

const damageNote = (damage: Damage | undefined): readonly string[] =>
  damage === undefined ? [] : [`${damage.totalDamage} damage`];

const deniedText = (plan: AttackPlan): readonly string[] =>
  plan.claims.filter(({ granted }) => !granted).map(({ source, why }) => `No ${source}: ${why}`);

const rollAttackDamage = (
  plan: AttackPlan,
  outcome: AttackOutcome,
  tools: { dice: Dice; trace: Trace },
): Damage | undefined => {
  const crit = outcome === "crit";
  const specs = outcome === "miss" ? (plan.onMiss === undefined ? [] : [plan.onMiss.spec]) : plan.specs;
  if (specs.length === 0) return undefined;
  const breakdown = specs.map((spec, index) => rollDamage(spec, index, { ...tools, crit }));
  const whole = dealtByType(
    plan.defender,
    outcome === "miss" && plan.onMiss?.halved === true ? breakdown.map(halve) : breakdown,
    tools.trace,
  );
  return { breakdown, byType: whole, totalDamage: whole.reduce((sum, { dealt }) => sum + dealt, 0), isCrit: crit };
};

const halve = <L extends { readonly subtotal: number }>(line: L): L => ({
  ...line,
  subtotal: Math.floor(line.subtotal / 2),
});
