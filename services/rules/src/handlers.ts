/**
 * The procedures: pure functions with an edge. A seed when the caller gives no dice, and refusals turned into declared errors.
 */
import type rules from "@fairlead/contracts/rules";
import type { FailureText, FairleadError, Handlers } from "@fairlead/kernel/service";
import { resolveAttack } from "./attack.ts";
import { resolveAbilityCheck, resolveSkillCheck } from "./check.ts";
import { type ClassifierParts, makeClassify } from "./classify/classify.ts";
import { resolveConcentration } from "./concentration.ts";
import { resolveContest, resolveGrapple } from "./contest.ts";
import { rollDeathSave } from "./death-save.ts";
import { diceOf } from "./dice/input.ts";
import { rollNotation } from "./dice/roll.ts";
import { figuresOf } from "./figures.ts";
import { fallDamage, groupCheck, passiveScore } from "./hazards.ts";
import { rollInitiative } from "./initiative.ts";
import { markImpossible, markNoCheck } from "./mark.ts";
import { oddsOf } from "./odds/odds.ts";
import { replay } from "./odds/replay.ts";
import { isRefusal } from "./refusal.ts";
import { resolveSavingThrow } from "./save.ts";
import { takeDamage } from "./take-damage.ts";

/** Any call whose procedure declares errors. */
interface Refusing {
  fail(reason: never, text: FailureText, data: never): FairleadError;
}

/**
 * Runs pure code; its refusal becomes the declared error of the same name. A named boundary: which refusals a resolver can throw
 * is not in its type, so that the reason is one of this procedure's is for the tests to hold.
 */
const declared = (call: Refusing, thrown: unknown): unknown =>
  isRefusal(thrown) ? call.fail(thrown.reason as never, { message: thrown.message }, thrown.data as never) : thrown;

const answer = <T>(call: Refusing, run: () => T): T => {
  try {
    return run();
  } catch (thrown) {
    throw declared(call, thrown);
  }
};

export const handlersOf = (parts: ClassifierParts): Handlers<typeof rules> => {
  const classify = makeClassify(parts);
  return {
    resolveAttack: ({ game, intent, dice }, call) => answer(call, () => resolveAttack(game, intent, diceOf(dice))),
    resolveSkillCheck: ({ game, intent, dice }, call) =>
      answer(call, () => resolveSkillCheck(game, intent, diceOf(dice))),
    resolveSavingThrow: ({ game, intent, dice }, call) =>
      answer(call, () => resolveSavingThrow(game, intent, diceOf(dice))),
    markImpossible: ({ intent }) => markImpossible(intent.reason),
    markNoCheck: ({ intent }) => markNoCheck(intent.reason),
    classify: (input, call) =>
      classify(input, call).catch((thrown) => {
        throw declared(call, thrown);
      }),
    odds: ({ game, question }, call) => answer(call, () => oddsOf(game, question)),
    replay: ({ game, question, result }, call) => answer(call, () => replay(game, question, result)),
    resolveAbilityCheck: ({ game, intent, dice }, call) =>
      answer(call, () => resolveAbilityCheck(game, intent, diceOf(dice))),
    rollInitiative: ({ game, intent, dice }, call) => answer(call, () => rollInitiative(game, intent, diceOf(dice))),
    resolveContest: ({ game, intent, dice }, call) => answer(call, () => resolveContest(game, intent, diceOf(dice))),
    resolveGrapple: ({ game, intent, dice }, call) => answer(call, () => resolveGrapple(game, intent, diceOf(dice))),
    resolveConcentration: ({ game, intent, dice }, call) =>
      answer(call, () => resolveConcentration(game, intent.damage, diceOf(dice))),
    takeDamage: ({ game, intent, dice }, call) => answer(call, () => takeDamage(game, intent, diceOf(dice))),
    figures: ({ game, intent }) => ({ figures: [...figuresOf(game, intent)] }),
    passiveScore: ({ game, intent }) => passiveScore(game, intent.skill),
    deathSave: ({ dice, ...input }, call) => answer(call, () => rollDeathSave(input, diceOf(dice))),
    fallDamage: ({ dice, ...input }, call) => answer(call, () => fallDamage(input, diceOf(dice))),
    groupCheck: (input) => groupCheck(input),
    roll: ({ notation, dice }, call) => answer(call, () => rollNotation(notation, diceOf(dice))),
  };
};
