/** What has few inputs: passive scores, group checks, falls. */
import type { FallResult, Game, GroupCheck, Passive, Skill } from "@fairlead/contracts/rules";
import { citeRule } from "../data/catalogue.ts";
import { skillAbility } from "../data/skills.ts";
import type { Dice } from "../dice/source.ts";
import { signed } from "../result/trace.ts";
import { flatModifier, stance } from "../rules/d20.ts";
import { checkTest } from "./check.ts";

/** Dice that effects would add are no modifiers, and stay out. */
export const passiveScore = (game: Game, skill: Skill): Passive => {
  const { test } = checkTest(game, { ability: skillAbility[skill], skill });
  const side = stance(test);
  const lean = side === "advantage" ? 5 : side === "disadvantage" ? -5 : 0;
  const score = 10 + flatModifier(test) + lean;
  const parts = test.modifiers.map(({ label, amount }) => `${label} ${signed(amount)}`);
  if (lean !== 0) parts.push(`${side} ${signed(lean)}`);
  return { score, components: `${["10", ...parts].join(", ")} = ${score}` };
};

export const groupCheck = ({ dc, totals }: { readonly dc: number; readonly totals: readonly number[] }): GroupCheck => {
  const succeeded = totals.filter((total) => total >= dc).length;
  const needed = Math.ceil(totals.length / 2);
  return { success: succeeded >= needed, succeeded, needed, source: citeRule("group-check", "5.1") };
};

const mostDice = 20;

export const fallDamage = (
  { edition, feet }: { readonly edition: Game["edition"]; readonly feet: number },
  dice: Dice,
): FallResult => {
  const count = Math.min(mostDice, Math.floor(feet / 10));
  const rolls = Array.from({ length: count }, () => dice.roll(6, "fall", "fall"));
  return {
    notation: count === 0 ? "" : `${count}d6`,
    rolls,
    damage: rolls.reduce((sum, face) => sum + face, 0),
    prone: count > 0,
    source: citeRule("falling", edition),
    dice: dice.record(),
  };
};
