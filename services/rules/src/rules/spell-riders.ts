/**
 * What a damaging spell does in addition to its damage, on a hit or on a failed save: a condition or a mark for the creature, hit points
 * for the caster, a lower maximum. The words are in `data/spell-effects.ts`.
 */
import type { Change, Game, Npc } from "@fairlead/contracts/rules";
import { spellEffect } from "../data/spell-effects.ts";
import { hitPointMaximum, identify } from "../sheet/character.ts";
import { addCondition, type Rider } from "./rider.ts";

interface SpellHit {
  readonly game: Game;
  readonly target: Npc;
  /** Damage that went through. */
  readonly dealt: number;
}

export const spellRiders = (spell: string, struck: SpellHit): readonly Rider[] => [
  ...lastingEffect(spell, struck),
  ...(spell === "Vampiric Touch" ? drainLife(struck) : []),
  ...(spell === "Harm" ? lowerMaximum(struck) : []),
];

const rider = (label: string, effect: string, changes: readonly Change[]): Rider => ({
  label,
  rule: "spell-effect",
  effect,
  changes,
});

const lastingEffect = (spell: string, { game, target }: SpellHit): readonly Rider[] => {
  const row = spellEffect(spell, game.edition);
  if (row === undefined) return [];
  const { mark, what } = row;
  return [rider(spell, `${target.name} ${what}`, mark === undefined ? [] : [addCondition(target, mark, what)])];
};

/** The caster regains half of the damage, up to the maximum. */
const drainLife = ({ game: { player, edition }, dealt }: SpellHit): readonly Rider[] => {
  const { name: who, currentHP } = player;
  const value = Math.min(hitPointMaximum(player, edition), currentHP + Math.floor(dealt / 2));
  if (value <= currentHP) return [];
  const effect = `${who} regains ${value - currentHP} hit points`;
  return [rider("Vampiric Touch", effect, [{ who, field: "currentHP", op: "set", value, why: "half of the damage" }])];
};

/** The damage comes off the maximum too, which stays at least 1. */
const lowerMaximum = ({ game: { edition }, target, dealt }: SpellHit): readonly Rider[] => {
  if (dealt === 0 || target.maxHp === undefined) return [];
  const value = Math.max(1, target.maxHp - dealt);
  const effect = `the hit point maximum of ${target.name} is ${value}${edition === "5.1" ? " for 1 hour" : ""}`;
  const change: Change = {
    ...identify(target),
    field: "maxHp",
    op: "set",
    value,
    why: "the damage lowers the maximum",
  };
  return [rider("Harm", effect, [change])];
};
