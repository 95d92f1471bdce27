/** Any call that ends in a result, by the resolver it names. What a classifier's choice and a replay run through. */
import type { Game, RollResult, Settled } from "@fairlead/contracts/rules";
import { resolveAttack } from "./attack.ts";
import { resolveAbilityCheck, resolveSkillCheck } from "./check.ts";
import type { Dice } from "./dice/source.ts";
import { markImpossible, markNoCheck } from "./mark.ts";
import { resolveSavingThrow } from "./save.ts";

export const settle = (game: Game, question: Settled, dice: Dice): RollResult => {
  switch (question.kind) {
    case "attack":
      return resolveAttack(game, question.intent, dice);
    case "check":
      return resolveSkillCheck(game, question.intent, dice);
    case "ability":
      return resolveAbilityCheck(game, question.intent, dice);
    case "save":
      return resolveSavingThrow(game, question.intent, dice);
    case "impossible":
      return markImpossible(question.intent.reason);
    case "no_check":
      return markNoCheck(question.intent.reason);
  }
};
