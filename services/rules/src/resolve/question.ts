/** Resolves the call that the classifier chose. */
import type { ClassifiedCall, Game, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { markImpossible, markNoCheck } from "../result/mark.ts";
import { withUnread } from "../unread/with-unread.ts";
import { resolveAttack } from "./attack.ts";
import { resolveAbilityCheck, resolveSkillCheck } from "./check.ts";
import { resolveGrapple } from "./contest.ts";
import { rollInitiative } from "./initiative.ts";
import { resolveSavingThrow } from "./save.ts";

export const resolveQuestion = (game: Game, question: ClassifiedCall, dice: Dice): RollResult => {
  const result = rollQuestion(game, question, dice);
  switch (question.procedure) {
    case "resolveAttack":
      return withUnread(result, game, question.intent);
    case "resolveSkillCheck":
    case "resolveAbilityCheck":
    case "resolveSavingThrow":
    case "resolveGrapple":
    case "rollInitiative":
      return withUnread(result, game);
    case "markImpossible":
    case "markNoCheck":
      return result;
  }
};

const rollQuestion = (game: Game, question: ClassifiedCall, dice: Dice): RollResult => {
  switch (question.procedure) {
    case "resolveAttack":
      return resolveAttack(game, question.intent, dice);
    case "resolveSkillCheck":
      return resolveSkillCheck(game, question.intent, dice);
    case "resolveAbilityCheck":
      return resolveAbilityCheck(game, question.intent, dice);
    case "resolveSavingThrow":
      return resolveSavingThrow(game, question.intent, dice);
    case "resolveGrapple":
      return resolveGrapple(game, question.intent, dice);
    case "rollInitiative":
      return rollInitiative(game, question.intent, dice);
    case "markImpossible":
      return markImpossible(question.intent.reason);
    case "markNoCheck":
      return markNoCheck(question.intent.reason);
  }
};
