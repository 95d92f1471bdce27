/**
 * Every procedure that rolls, as a pure function of its input and the dice. A call (`handlers.ts`) and the proof of its result
 * (`replay.ts`) run the same row of this table.
 */
import type { HandlerOutput } from "@fairlead/contracts";
import type rules from "@fairlead/contracts/rules";
import type { RollingCall } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { markImpossible, markNoCheck } from "../result/mark.ts";
import { withUnread } from "../unread/with-unread.ts";
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
  resolveAttack: ({ game, intent }, dice) => withUnread(resolveAttack(game, intent, dice), game, intent),
  resolveSkillCheck: ({ game, intent }, dice) => withUnread(resolveSkillCheck(game, intent, dice), game),
  resolveAbilityCheck: ({ game, intent }, dice) => withUnread(resolveAbilityCheck(game, intent, dice), game),
  resolveSavingThrow: ({ game, intent }, dice) => withUnread(resolveSavingThrow(game, intent, dice), game),
  rollInitiative: ({ game, intent }, dice) => withUnread(rollInitiative(game, intent, dice), game),
  resolveContest: ({ game, intent }, dice) => withUnread(resolveContest(game, intent, dice), game),
  resolveGrapple: ({ game, intent }, dice) => withUnread(resolveGrapple(game, intent, dice), game),
  resolveConcentration: ({ game, intent }, dice) => withUnread(resolveConcentration(game, intent.damage, dice), game),
  takeDamage: ({ game, intent }, dice) => withUnread(takeDamage(game, intent, dice), game),
  deathSave: (asked, dice) => withUnread(rollDeathSave(asked, dice), asked.game),
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
