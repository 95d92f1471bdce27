/**
 * What an attack takes of a turn: one attack of the action, the bonus action or the reaction. Some give several rolls: the rays of a spell, and the
 * strikes of Flurry of Blows.
 *
 * Not here: whether the rules allow the attack itself (`../plan`).
 */
import type { AttackIntent, Game } from "@fairlead/contracts/rules";
import { actionAttacks, type Creature } from "../creatures/creature.ts";
import { bonusAttack } from "../plan/follow-up.ts";
import { splitTargets } from "../resolve/area.ts";
import { planAssault } from "../resolve/attack.ts";
import { Refusal } from "../result/refusal.ts";
import { unlockedMastery } from "../rules/mastery.ts";
import { cannotAct } from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import { ongoingCasting } from "../sheet/ongoing.ts";
import { intendedSpell } from "../sheet/spell-name.ts";
import { findWeapon, weaponsAtHand } from "../sheet/weapon.ts";
import { currentCreature, type EncounterState, type TurnBudget } from "./state.ts";

interface IntendedAttack {
  readonly game: Game;
  readonly intent: AttackIntent;
}

export const unable = (actor: Creature, why: string): Refusal<"cannot_act"> =>
  new Refusal("cannot_act", `${actor.sheet.name} ${why}`, { actor: actor.id, why });

/** The state after the part of the turn that an attack takes. Refuses with `cannot_act`, `out_of_turn` or `action_spent`. */
export const spendAttack = (state: EncounterState, actor: Creature, attack: IntendedAttack): EncounterState => {
  const idle = cannotAct(actor.sheet);
  if (idle !== undefined) throw unable(actor, idle);
  const { name } = actor.sheet;
  const refuseSpent: RefuseSpent = (what) =>
    new Refusal("action_spent", `${name} has used the ${what} of this turn`, { actor: actor.id, what });
  if (attack.game.scene.attack === "reaction") {
    if (!actor.reaction) throw refuseSpent("reaction");
    return {
      ...state,
      creatures: state.creatures.map((one) => (one.id === actor.id ? { ...one, reaction: false } : one)),
    };
  }
  const current = currentCreature(state);
  const cost = ongoingCost(attack, current.id === actor.id);
  if (cost === "none") return state;
  if (current.id !== actor.id)
    throw new Refusal("out_of_turn", `it is the turn of ${current.sheet.name}, not of ${name}`, {
      actor: actor.id,
      turn: current.id,
    });
  return { ...state, budget: spendTurn(state.budget, actor, { ...attack, cost }, refuseSpent) };
};

/** What a later use of a casting takes of a turn; `undefined` for all else. */
const ongoingCost = ({ game, intent }: IntendedAttack, isOwnTurn: boolean): "action" | "bonus" | "none" | undefined => {
  const spell = intendedSpell(game, intent, weaponsAtHand(game));
  const isSameTurn = game.scene.usedThisTurn.some((used) => spell !== undefined && sameName(used, spell));
  const cost = spell === undefined || isSameTurn ? undefined : ongoingCasting(game, spell)?.cost;
  if (cost === "every step") return "none";
  return cost === "own bonus" ? (isOwnTurn ? "bonus" : "none") : cost;
};

/** The state after the whole action. Refuses as `spendAttack` does. */
export const spendAction = (state: EncounterState, actor: Creature): EncounterState => {
  const idle = cannotAct(actor.sheet);
  if (idle !== undefined) throw unable(actor, idle);
  const current = currentCreature(state);
  const { name } = actor.sheet;
  if (current.id !== actor.id)
    throw new Refusal("out_of_turn", `it is the turn of ${current.sheet.name}, not of ${name}`, {
      actor: actor.id,
      turn: current.id,
    });
  if (state.budget.attacks !== undefined)
    throw new Refusal("action_spent", `${name} has used the action of this turn`, { actor: actor.id, what: "action" });
  return { ...state, budget: { ...state.budget, attacks: actionAttacks(actor).afterOther } };
};

type RefuseSpent = (what: "action" | "bonus action" | "reaction") => Refusal<"action_spent">;

const spendTurn = (
  budget: TurnBudget,
  actor: Creature,
  attack: IntendedAttack & { readonly cost: "action" | "bonus" | undefined },
  refuseSpent: RefuseSpent,
): TurnBudget => {
  const { game, intent, cost } = attack;
  const isBonus = cost === undefined ? game.scene.attack === "bonus" : cost === "bonus";
  if (game.scene.attack === "cleave") return budget;
  const spell = intendedSpell(game, intent, weaponsAtHand(game));
  if (spell === undefined) {
    if (isBonus) return spendBonusAttack(budget, attack, refuseSpent);
    const left = budget.attacks ?? actionAttacks(actor).attacks;
    if (left === 0) throw refuseSpent("action");
    return { ...budget, attacks: left - 1 };
  }
  if (budget.used.some((used) => used.toLowerCase() === spell.toLowerCase())) {
    if (budget.rays === undefined) return budget;
    if (budget.rays > 0) return { ...budget, rays: budget.rays - 1 };
  }
  if (isBonus ? !budget.bonus : budget.attacks !== undefined) throw refuseSpent(isBonus ? "bonus action" : "action");
  return {
    ...budget,
    ...(isBonus ? { bonus: false } : { attacks: actionAttacks(actor).afterOther }),
    rays: laterRays(attack),
  };
};

/** Rays after the first; `undefined` for what creatures save against, where every creature in it is a call. */
const laterRays = ({ game, intent }: IntendedAttack): number | undefined => {
  const [target = intent.target, ...more] = splitTargets(intent.target);
  const { by, planned } = planAssault(game, { ...intent, target });
  if (by === "save" || !planned.ok || planned.plan.rays === 0) return undefined;
  return Math.max(0, planned.plan.rays - 1 - more.length);
};

/** Nick takes no bonus action; its mark holds it to once a turn. */
const spendBonusAttack = (
  budget: TurnBudget,
  { game, intent }: IntendedAttack,
  refuseSpent: RefuseSpent,
): TurnBudget => {
  const weapon = findWeapon(game, intent.weapon);
  const { mark, strikes } = bonusAttack(game, weapon, unlockedMastery(game, weapon));
  if (mark === "Nick") return budget;
  if (strikes > 1 && budget.flurry > 0) return { ...budget, flurry: budget.flurry - 1 };
  if (!budget.bonus) throw refuseSpent("bonus action");
  return { ...budget, bonus: false, flurry: strikes - 1 };
};
