/**
 * Dice of a feature as the sheet writes them, like `3d6` or `ceil(level/2)d6`. Not here: which features have dice (`rules/sources`).
 */
import type { Player } from "@fairlead/contracts/rules";
import { feature } from "./character.ts";
import { levelIn } from "./class-levels.ts";
import { sameName } from "./names.ts";

interface FormulaDice {
  readonly count: number;
  readonly sides: number;
}

const formula =
  /^(?:(?<count>[1-9]\d?)|(?:math\.)?(?<round>ceil|floor)\(level\/(?<part>[1-9]\d?)\)|(?<level>level))d(?<sides>[1-9]\d{0,2})$/;

/** Reads `NdS`, `leveldS` and `ceil(level/n)dS` or `floor(level/n)dS`, in letters of any case; `undefined` for anything else. */
export const parseFormula = (written: string, level: number): FormulaDice | undefined => {
  const { count, round, part, sides } = formula.exec(written.replaceAll(/\s+/g, "").toLowerCase())?.groups ?? {};
  if (sides === undefined) return undefined;
  if (count !== undefined) return { count: Number(count), sides: Number(sides) };
  const share = level / Number(part ?? 1);
  return { count: round === "ceil" ? Math.ceil(share) : Math.floor(share), sides: Number(sides) };
};

/** Features whose `scalingFormula` counts, and the class whose level it is. */
const formulaFeatures = {
  "Sneak Attack": "rogue",
  "Divine Strike": "cleric",
  "Improved Divine Smite": "paladin",
  "Radiant Strikes": "paladin",
  "Colossus Slayer": "ranger",
  "Brutal Strike": "barbarian",
} as const;

export const hasFormula = (name: string): boolean =>
  Object.keys(formulaFeatures).some((known) => sameName(known, name));

/** The sheet's dice of a feature, or those of the class table. */
export const featureDice = (player: Player, name: keyof typeof formulaFeatures, table: FormulaDice): FormulaDice =>
  parseFormula(feature(player, name)?.scalingFormula ?? "", levelIn(player, formulaFeatures[name])) ?? table;
