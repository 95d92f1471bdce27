/**
 * Legendary actions and Legendary Resistance: what a monster may do at the end of another creature's turn, what it costs, and the failed saves that it may pass.
 *
 * Not here: the rows (`gen/`), and the attack or save that an action makes (`act.ts`).
 */
import type { RollResult } from "@fairlead/contracts/rules";
import { type Creature, legendaryActions } from "../creatures/creature.ts";
import type { LegendaryAction } from "../data/monster-row.ts";
import { cannotAct } from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import { unable } from "./budget.ts";
import { currentCreature, type EncounterState } from "./state.ts";

export const legendaryResistance = "Legendary Resistance";

/** The legendary action of that name, asked for outside of the creature's own turn; `undefined` where an attack or an effect is meant. */
export const findLegendary = (state: EncounterState, actor: Creature, name: string): LegendaryAction | undefined => {
  const found = actor.legendary?.actions.find((action) => sameName(action.name, name));
  if (found === undefined || currentCreature(state).id !== actor.id) return found;
  const isOwn = Object.keys(actor.sheet.weaponDamage).some((weapon) => sameName(weapon, name));
  if (isOwn || actor.effects?.some((effect) => sameName(effect.name, name)) === true) return undefined;
  throw unable(actor, `may use ${found.name} in another creature's turn, at its end, and not in its own`);
};

/** The state in which the action is paid for. Refuses with `cannot_act`. */
export const spendLegendary = (
  state: EncounterState,
  actor: Creature,
  { name, cost = 1, once }: LegendaryAction,
): EncounterState => {
  const { legendary } = actor;
  const idle = cannotAct(actor.sheet);
  if (idle !== undefined) throw unable(actor, idle);
  if (legendary === undefined) throw unable(actor, "has no legendary actions");
  if (state.budget.legendary.includes(actor.id))
    throw unable(actor, "has taken a legendary action in this turn, and one a turn is allowed");
  if (legendary.left < cost)
    throw unable(actor, `has ${legendary.left} legendary actions left, and ${name} takes ${cost}`);
  if (once === true && legendary.used.includes(name))
    throw unable(actor, `has taken ${name}, which comes back at the start of its turn`);
  const spent = { ...legendary, left: legendary.left - cost, used: [...legendary.used, name] };
  return {
    ...state,
    budget: { ...state.budget, legendary: [...state.budget.legendary, actor.id] },
    creatures: state.creatures.map((one) => (one.id === actor.id ? { ...one, legendary: spent } : one)),
  };
};

/** All of them are back when its turn begins. */
export const regainLegendary = (creature: Creature): Creature =>
  creature.legendary === undefined
    ? creature
    : { ...creature, legendary: { ...creature.legendary, left: legendaryActions, used: [] } };

/** Whether it failed a save that it may pass instead. */
export const canResist = ({ legendary }: Creature, result: RollResult): boolean =>
  result.success && (legendary?.resistances ?? 0) > 0;

export const spendResistance = (creature: Creature): Creature =>
  creature.legendary === undefined
    ? creature
    : { ...creature, legendary: { ...creature.legendary, resistances: creature.legendary.resistances - 1 } };
