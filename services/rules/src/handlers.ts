/**
 * The procedures: pure functions with an edge. A seed when the caller gives no dice, and refusals turned into declared errors.
 */
import type rules from "@fairlead/contracts/rules";
import type { FailureText, FairleadError, Handlers } from "@fairlead/kernel/service";
import { type ClassifierParts, makeClassify } from "./classify/classify.ts";
import { diceOf, diceSentIn } from "./dice/input.ts";
import { oddsOf } from "./odds/odds.ts";
import { figuresOf } from "./resolve/figures.ts";
import { groupCheck, passiveScore } from "./resolve/hazards.ts";
import { replay } from "./resolve/replay.ts";
import { type RollingName, resolvers, type Sent } from "./resolve/resolvers.ts";
import { markImpossible, markNoCheck } from "./result/mark.ts";
import { isRefusal } from "./result/refusal.ts";

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

/** A procedure that rolls: its row of `resolvers`, with the caller's dice or a fresh seed. */
const rolled =
  <N extends RollingName>(procedure: N) =>
  (sent: Sent<N>, call: Refusing) =>
    answer(call, () => resolvers[procedure](sent, diceOf(diceSentIn(sent))));

export const handlersOf = (parts: ClassifierParts): Handlers<typeof rules> => {
  const classify = makeClassify(parts);
  return {
    resolveAttack: rolled("resolveAttack"),
    resolveSkillCheck: rolled("resolveSkillCheck"),
    resolveAbilityCheck: rolled("resolveAbilityCheck"),
    resolveSavingThrow: rolled("resolveSavingThrow"),
    rollInitiative: rolled("rollInitiative"),
    resolveContest: rolled("resolveContest"),
    resolveGrapple: rolled("resolveGrapple"),
    resolveConcentration: rolled("resolveConcentration"),
    takeDamage: rolled("takeDamage"),
    deathSave: rolled("deathSave"),
    fallDamage: rolled("fallDamage"),
    roll: rolled("roll"),
    markImpossible: ({ intent }) => markImpossible(intent.reason),
    markNoCheck: ({ intent }) => markNoCheck(intent.reason),
    classify: (input, call) =>
      classify(input, call).catch((thrown) => {
        throw declared(call, thrown);
      }),
    odds: ({ game, question }, call) => answer(call, () => oddsOf(game, question)),
    replay: ({ question, result }, call) => answer(call, () => replay(question, result)),
    figures: ({ game }) => ({ figures: [...figuresOf(game)] }),
    passiveScore: ({ game, intent }) => passiveScore(game, intent.skill),
    groupCheck: (input) => groupCheck(input),
  };
};
