/** Hit dice: how many of each kind a character has, and which are left. Facts of the class tables; what a rest does with them is in `encounter/rest.ts`. */
import type { Player } from "@fairlead/contracts/rules";
import { classHitDie } from "../data/classes.ts";
import { classLevels } from "./class-levels.ts";

/** Hit dice of one kind. */
export interface HitDice {
  readonly sides: number;
  readonly total: number;
  readonly left: number;
}

type HitDiceSheet = Pick<Player, "characterClass" | "classLevels" | "level" | "hitDie" | "hitDiceUsed">;

/** "d8" and 8 are eight sides; nothing else is a hit die. */
const writtenSides = (written: HitDiceSheet["hitDie"]): number | undefined => {
  const text = String(written).toLowerCase();
  const sides = Number(text.slice(text.lastIndexOf("d") + 1));
  return [6, 8, 10, 12].includes(sides) ? sides : undefined;
};

/** By kind, the largest first. A class that neither the SRD nor the sheet has a hit die for gives none. */
export const listHitDice = (player: HitDiceSheet): readonly HitDice[] => {
  const totals = new Map<number, number>();
  for (const [name, level] of classLevels(player)) {
    const sides = classHitDie(name) ?? writtenSides(player.hitDie);
    if (sides !== undefined) totals.set(sides, (totals.get(sides) ?? 0) + level);
  }
  return [...totals]
    .sort(([a], [b]) => b - a)
    .map(([sides, total]) => ({ sides, total, left: Math.max(0, total - (player.hitDiceUsed[`d${sides}`] ?? 0)) }));
};

/** Hit dice left of every kind. */
export const countHitDice = (dice: readonly HitDice[]): number => dice.reduce((sum, { left }) => sum + left, 0);
