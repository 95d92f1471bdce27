/**
 * What a creature of a simulated fight does in its turn: the attack that the caller named, else the one with the highest exact mean damage against its target, on the living enemy with the fewest
 * hit points; an effect like a breath, whenever it is there, on two enemies. Not here: the fight itself (`sample.ts`).
 */
import type { Game } from "@fairlead/contracts/rules";
import { asTarget, type Creature, isDead } from "../creatures/creature.ts";
import { noScene } from "../encounter/scene.ts";
import { currentCreature, type EncounterState, gameFor } from "../encounter/state.ts";
import { computeOdds } from "../odds/odds.ts";
import { isRefusal } from "../result/refusal.ts";
import { castableNames } from "../sheet/spell-name.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import type { ChosenAttacks } from "./uses.ts";

export interface Strike {
  readonly weapon: string;
  /** Names of one or two creatures. */
  readonly target: string;
}

/** Gives way after each weapon or spell that is measured. */
export type Slices<T> = Generator<undefined, T, undefined>;

/** Weapons and spells of a creature against that target, both by id, the best first; found once for a creature and a kind of target in a simulation. */
export type Ranking = (actor: string, target: string) => Slices<readonly string[]>;

/** Enemies in an area; there is no map. */
const inArea = 2;

export const isUp = (creature: Creature): boolean => !isDead(creature) && creature.sheet.currentHP > 0;

const enemies = ({ creatures }: EncounterState, actor: Creature): readonly Creature[] =>
  creatures.filter((one) => one.side !== actor.side && isUp(one));

/** Most spells that are compared; the rest of a long list is left. */
const mostCompared = 24;

/** By the state in which each sample begins: what is spent in one sample is there in the next. */
export const createRanking = (start: EncounterState, chosen: ChosenAttacks): Ranking => {
  const creatures = new Map(start.creatures.map((one) => [one.id, { one, kind: defences(one) }]));
  const known = new Map<string, readonly string[]>();
  return function* (actorId, targetId) {
    const [actor, target] = [creatures.get(actorId), creatures.get(targetId)];
    if (actor === undefined || target === undefined) return [];
    const key = `${actorId} ${target.kind}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const measured = yield* rankAgainst(start, actor.one, target.one);
    const named = chosen.get(actorId);
    const ranked = named === undefined ? measured : [named, ...measured.filter((one) => one !== named)];
    known.set(key, ranked);
    return ranked;
  };
};

/** The same text for targets with the same defences, so that twenty goblins are measured once. */
const defences = (target: Creature): string => {
  const { id: _id, name: _name, currentHp: _hp, ...others } = asTarget(target);
  return JSON.stringify([others, target.nonmagical]);
};

/** What does nothing to the target is left out. */
function* rankAgainst(state: EncounterState, actor: Creature, target: Creature): Slices<readonly string[]> {
  const game = gameFor(state, actor, noScene);
  const names = [...new Set([...weaponsAtHand(game).map(({ name }) => name), ...castableNames(game)])];
  const measured: { readonly weapon: string; readonly mean: number }[] = [];
  for (const weapon of names.slice(0, mostCompared)) {
    measured.push({ weapon, mean: meanDamage(game, weapon, target.id) * rolls(actor, game, weapon) });
    yield undefined;
  }
  return measured
    .filter(({ mean }) => mean > 0)
    .toSorted((a, b) => b.mean - a.mean || (a.weapon < b.weapon ? -1 : 1))
    .map(({ weapon }) => weapon);
}

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
export function* listStrikes(state: EncounterState, ranking: Ranking): Slices<readonly Strike[]> {
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
  const ranked = yield* ranking(actor.id, first.id);
  return [...effects, ...ranked.map((weapon) => ({ weapon, target: first.id }))];
}
