/** For tests only: a fighter, the question how an attack goes, and the resolver of a question. */
import type { Game, Question, RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { resolveSkillCheck } from "../resolve/check.ts";
import { resolveSavingThrow } from "../resolve/save.ts";

export const fighter = {
  inventory: ["Longsword", "Greatsword", "Dagger", "Glaive", "Mace"],
  weaponProficiencies: ["Martial Weapons", "Simple Weapons"],
  stats: { strength: 18 },
};
export const attack = (intent: Partial<Extract<Question, { kind: "attack" }>["intent"]> = {}): Question => ({
  kind: "attack",
  intent: { weapon: "Longsword", target: "Goblin", ...intent },
});

/** One run of the call whose odds are computed. */
export const run = (game: Game, question: Question, dice: Dice): RollResult => {
  switch (question.kind) {
    case "attack":
      return resolveAttack(game, question.intent, dice);
    case "check":
      return resolveSkillCheck(game, question.intent, dice);
    case "save":
      return resolveSavingThrow(game, question.intent, dice);
  }
};
