/**
 * Every procedure that rolls, as a pure function of its input and the dice. A call (`handlers.ts`) and the proof of its result
 * (`replay.ts`) run the same row of this table.
 */
import type { HandlerOutput } from "@fairlead/contracts";
import type rules from "@fairlead/contracts/rules";
import type { RollingCall } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { markImpossible, markNoCheck } from "../result/mark.ts";
import { resolveAttack } from "./attack.ts";
import { resolveAbilityCheck, resolveSkillCheck } from "./check.ts";
import { resolveConcentration } from "./concentration.ts";
import { resolveContest, resolveGrapple } from "./contest.ts";
import { rollDeathSave } from "./death-save.ts";
import { fallDamage } from "./hazards.ts";
import { rollInitiative } from "./initiative.ts";
import { rollNotation } from "./roll.ts";
import { resolveSavingThrow } from "./save.ts";
import { takeDamage } from "./take-damage.ts";

export type RollingProcedure = RollingCall["procedure"];
type RulesProcedures = (typeof rules)["procedures"];

/** The input of a procedure that rolls. Its dice are used by the caller of the resolver. */
export type ResolverInput<N extends RollingProcedure> = Extract<RollingCall, { readonly procedure: N }>["input"];

type Resolvers = {
  readonly [N in RollingProcedure]: (sent: ResolverInput<N>, dice: Dice) => HandlerOutput<RulesProcedures[N]>;
};

export const resolvers: Resolvers = {
  resolveAttack: ({ game, intent }, dice) => resolveAttack(game, intent, dice),
  resolveSkillCheck: ({ game, intent }, dice) => resolveSkillCheck(game, intent, dice),
  resolveAbilityCheck: ({ game, intent }, dice) => resolveAbilityCheck(game, intent, dice),
  resolveSavingThrow: ({ game, intent }, dice) => resolveSavingThrow(game, intent, dice),
  rollInitiative: ({ game, intent }, dice) => rollInitiative(game, intent, dice),
  resolveContest: ({ game, intent }, dice) => resolveContest(game, intent, dice),
  resolveGrapple: ({ game, intent }, dice) => resolveGrapple(game, intent, dice),
  resolveConcentration: ({ game, intent }, dice) => resolveConcentration(game, intent.damage, dice),
  takeDamage: ({ game, intent }, dice) => takeDamage(game, intent, dice),
  deathSave: (asked, dice) => rollDeathSave(asked, dice),
  fallDamage: (asked, dice) => fallDamage(asked, dice),
  roll: ({ notation }, dice) => rollNotation(notation, dice),
  markImpossible: ({ intent }) => markImpossible(intent.reason),
  markNoCheck: ({ intent }) => markNoCheck(intent.reason),
};

type ResolverCall<N extends RollingProcedure = RollingProcedure> = {
  readonly [P in N]: { readonly procedure: P; readonly input: ResolverInput<P> };
}[N];

export const resolve = <N extends RollingProcedure>(
  { procedure, input }: ResolverCall<N>,
  dice: Dice,
): HandlerOutput<RulesProcedures[N]> => resolvers[procedure](input, dice);
