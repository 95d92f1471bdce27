/**
 * The game as a document: tools that are listed beside `resolve_attack` name it instead of repeating its two thousand words, for
 * which models would pay in every conversation. The service holds it to the whole schema, so that a misspelt field is refused here
 * as it is there; only the place where that happens differs.
 */
import * as z from "zod";
import { edition, type game } from "./game.ts";

const document = z
  .looseObject({
    edition,
    player: z
      .looseObject({
        name: z.string().describe("Name"),
        characterClass: z.string().describe('Like "Rogue"'),
        level: z.int().describe("1 to 20"),
      })
      .describe("With stats, skillProficiencies, savingThrowProficiencies, features, conditions, effects and more"),
  })
  .describe("The whole game, with the fields that resolve_attack lists");

/** A named boundary: callers see the type of the whole game, the service gets what was sent. */
export const gameDocument = document as unknown as z.ZodType<unknown, z.input<typeof game>>;
