/**
 * The rules service: five queries over pure functions. All it adds is at the edge: a seed when the caller gives no dice, and
 * refusals turned into declared errors.
 */
import rules, { type DiceInput, type RollResult } from "@fairlead/contracts/rules";
import { type Call, defineService } from "@fairlead/kernel/service";
import { resolveAttack } from "./attack.ts";
import { resolveSkillCheck } from "./check.ts";
import { type Dice, scripted, seeded } from "./dice/source.ts";
import { impossible, noCheck } from "./mark.ts";
import { isRefusal } from "./refusal.ts";
import { resolveSavingThrow } from "./save.ts";

const seedBytes = 16;

/** 128 random bits as text; the only randomness of the service. */
const freshSeed = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(seedBytes))).toString("hex");

const diceOf = (input: DiceInput | undefined): Dice => {
  if (input === undefined) return seeded(freshSeed(), "server");
  return "values" in input ? scripted(input.values) : seeded(String(input.seed), "caller");
};

type RollCall = Pick<Call<(typeof rules)["procedures"]["resolveSkillCheck"]>, "fail">;

/** A check or a save can only be refused for its dice. */
const rolled = (resolve: () => RollResult, call: RollCall): RollResult => {
  try {
    return resolve();
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const { message } = thrown;
    if (thrown.reason === "not_enough_dice") throw call.fail(thrown.reason, { message }, thrown.data);
    if (thrown.reason === "impossible_die") throw call.fail(thrown.reason, { message }, thrown.data);
    throw thrown;
  }
};

type AttackCall = Pick<Call<(typeof rules)["procedures"]["resolveAttack"]>, "fail">;

const attacked = (resolve: () => RollResult, call: AttackCall): RollResult => {
  try {
    return resolve();
  } catch (thrown) {
    throw isRefusal(thrown) ? call.fail(thrown.reason, { message: thrown.message }, thrown.data) : thrown;
  }
};

export default defineService(rules, () => ({
  handlers: {
    resolveAttack: ({ game, intent, dice }, call) => attacked(() => resolveAttack(game, intent, diceOf(dice)), call),
    resolveSkillCheck: ({ game, intent, dice }, call) =>
      rolled(() => resolveSkillCheck(game, intent, diceOf(dice)), call),
    resolveSavingThrow: ({ game, intent, dice }, call) =>
      rolled(() => resolveSavingThrow(game, intent, diceOf(dice)), call),
    markImpossible: ({ intent }) => impossible(intent.reason),
    markNoCheck: ({ intent }) => noCheck(intent.reason),
  },
}));
