/** What `combinedOdds` answers, by the kind of the question. */
import type { CombinedOdds, CombinedQuestion, Game } from "@fairlead/contracts/rules";
import { areaOdds } from "./area.ts";
import { contestOdds, deathSaveOdds, groupOdds } from "./combined.ts";
import { turnOdds } from "./turn.ts";

/** Refuses with a name error, or `too_many_outcomes`. */
export const computeCombinedOdds = (game: Game, question: CombinedQuestion): CombinedOdds => {
  switch (question.kind) {
    case "turn":
      return turnOdds(game, question);
    case "area":
      return areaOdds(game, question);
    case "contest":
      return contestOdds(game, question.intent);
    case "group":
      return groupOdds(question);
    case "deathSaves":
      return deathSaveOdds(game, question);
  }
};
