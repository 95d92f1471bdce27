/**
 * The rules service: queries over pure functions. All it adds is at the edge: a seed when the caller gives no dice, and refusals
 * turned into declared errors.
 */
import rules, { type DiceInput } from "@fairlead/contracts/rules";
import { defineService, type FailureText, type FairleadError } from "@fairlead/kernel/service";
import { resolveAttack } from "./attack.ts";
import { resolveAbilityCheck, resolveSkillCheck } from "./check.ts";
import { resolveContest, resolveGrapple } from "./contest.ts";
import { rollDeathSave } from "./death-save.ts";
import { rollNotation } from "./dice/roll.ts";
import { type Dice, scripted, seeded } from "./dice/source.ts";
import { fallDamage, groupCheck, passiveScore } from "./hazards.ts";
import { rollInitiative } from "./initiative.ts";
import { markImpossible, markNoCheck } from "./mark.ts";
import { oddsOf } from "./odds/odds.ts";
import { replay } from "./odds/replay.ts";
import { isRefusal } from "./refusal.ts";
import { resolveSavingThrow } from "./save.ts";

const seedBytes = 16;

/** 128 random bits as text; the only randomness of the service. */
const freshSeed = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(seedBytes))).toString("hex");

const diceOf = (input: DiceInput | undefined): Dice => {
  if (input === undefined) return seeded(freshSeed(), "server");
  return "values" in input ? scripted(input.values) : seeded(String(input.seed), "caller");
};

/** Any call whose procedure declares errors. */
interface Refusing {
  fail(reason: never, text: FailureText, data: never): FairleadError;
}

/**
 * Runs pure code; its refusal becomes the declared error of the same name. A named boundary: which refusals a resolver can throw
 * is not in its type, so that the reason is one of this procedure's is for the tests to hold.
 */
const answer = <T>(call: Refusing, run: () => T): T => {
  try {
    return run();
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    throw call.fail(thrown.reason as never, { message: thrown.message }, thrown.data as never);
  }
};

export default defineService(rules, () => ({
  handlers: {
    resolveAttack: ({ game, intent, dice }, call) => answer(call, () => resolveAttack(game, intent, diceOf(dice))),
    resolveSkillCheck: ({ game, intent, dice }, call) =>
      answer(call, () => resolveSkillCheck(game, intent, diceOf(dice))),
    resolveSavingThrow: ({ game, intent, dice }, call) =>
      answer(call, () => resolveSavingThrow(game, intent, diceOf(dice))),
    markImpossible: ({ intent }) => markImpossible(intent.reason),
    markNoCheck: ({ intent }) => markNoCheck(intent.reason),
    odds: ({ game, question }, call) => answer(call, () => oddsOf(game, question)),
    replay: ({ game, question, result }, call) => answer(call, () => replay(game, question, result)),
    resolveAbilityCheck: ({ game, intent, dice }, call) =>
      answer(call, () => resolveAbilityCheck(game, intent, diceOf(dice))),
    rollInitiative: ({ game, intent, dice }, call) => answer(call, () => rollInitiative(game, intent, diceOf(dice))),
    resolveContest: ({ game, intent, dice }, call) => answer(call, () => resolveContest(game, intent, diceOf(dice))),
    resolveGrapple: ({ game, intent, dice }, call) => answer(call, () => resolveGrapple(game, intent, diceOf(dice))),
    passiveScore: ({ game, intent }) => passiveScore(game, intent.skill),
    deathSave: ({ dice, ...input }, call) => answer(call, () => rollDeathSave(input, diceOf(dice))),
    fallDamage: ({ dice, ...input }, call) => answer(call, () => fallDamage(input, diceOf(dice))),
    groupCheck: (input) => groupCheck(input),
    roll: ({ notation, dice }, call) => answer(call, () => rollNotation(notation, diceOf(dice))),
  },
}));
