/**
 * What a creature of a simulated fight does in its turn: the attack that its side's caller named, else the one with the highest exact mean damage, on the living enemy with the fewest
 * hit points; an effect like a breath, whenever it is there, on two enemies. Not here: the fight itself (`sample.ts`).
 */
import type { Game } from "@fairlead/contracts/rules";
import { type Creature, isDead } from "../creatures/creature.ts";
import { noScene } from "../encounter/scene.ts";
import { currentCreature, type EncounterState, gameFor } from "../encounter/state.ts";
import { computeOdds } from "../odds/odds.ts";
import { isRefusal } from "../result/refusal.ts";
import { sameName } from "../sheet/names.ts";
import { castableNames } from "../sheet/spell-name.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";

/** By name or id of a creature: the weapon or spell that it uses. */
type ChosenAttacks = Readonly<Record<string, string>>;

export interface Strike {
  readonly weapon: string;
  /** Names of one or two creatures. */
  readonly target: string;
}

/** Weapons and spells, the best first; found once for a creature of a simulation. */
export type Ranking = (state: EncounterState, actor: Creature, target: Creature) => readonly string[];

/** Enemies in an area; there is no map. */
const inArea = 2;

export const isUp = (creature: Creature): boolean => !isDead(creature) && creature.sheet.currentHP > 0;

const enemies = ({ creatures }: EncounterState, actor: Creature): readonly Creature[] =>
  creatures.filter((one) => one.side !== actor.side && isUp(one));

/** Most spells that are compared; the rest of a long list is left. */
const mostCompared = 24;

export const createRanking = (chosen: ChosenAttacks): Ranking => {
  const known = new Map<string, readonly string[]>();
  return (state, actor, target) => {
    const found = known.get(actor.id);
    if (found !== undefined) return found;
    const named = Object.entries(chosen).find(([who]) => sameName(who, actor.id) || sameName(who, actor.sheet.name));
    const game = gameFor(state, actor, noScene);
    const names = [...new Set([...weaponsAtHand(game).map(({ name }) => name), ...castableNames(game)])];
    const measured = names
      .slice(0, mostCompared)
      .map((weapon) => ({ weapon, mean: meanDamage(game, weapon, target.id) * rolls(actor, game, weapon) }))
      .filter(({ mean }) => mean > 0)
      .toSorted((a, b) => b.mean - a.mean || (a.weapon < b.weapon ? -1 : 1))
      .map(({ weapon }) => weapon);
    const ranked = named === undefined ? measured : [named[1], ...measured.filter((one) => one !== named[1])];
    known.set(actor.id, ranked);
    return ranked;
  };
};

/** A weapon strikes as often as the action has attacks; a spell is one casting. */
const rolls = ({ attacks }: Creature, game: Game, weapon: string): number =>
  weaponsAtHand(game).some(({ name }) => name === weapon) ? attacks : 1;

/** 0 for what cannot be solved or does no damage. */
const meanDamage = (game: Game, weapon: string, target: string): number => {
  try {
    const { mean, measured } = computeOdds(game, { kind: "attack", intent: { weapon, target } });
    return measured === "damage" ? Number(mean.decimal) : 0;
  } catch (thrown) {
    if (isRefusal(thrown)) return 0;
    throw thrown;
  }
};

/** What to try, in order; empty where no enemy is left. */
export const listStrikes = (state: EncounterState, ranking: Ranking): readonly Strike[] => {
  const actor = currentCreature(state);
  const weakest = enemies(state, actor).toSorted(
    (a, b) => a.sheet.currentHP - b.sheet.currentHP || (a.id < b.id ? -1 : 1),
  );
  const [first] = weakest;
  if (first === undefined) return [];
  const area = weakest
    .slice(0, inArea)
    .map(({ id }) => id)
    .join("; ");
  const effects = (actor.effects ?? [])
    .filter(({ name, damage }) => damage !== undefined && !(actor.spent ?? []).includes(name))
    .map(({ name }) => ({ weapon: name, target: area }));
  return [...effects, ...ranking(state, actor, first).map((weapon) => ({ weapon, target: first.id }))];
};
