/**
 * Rests after a fight that is kept: the party spends hit dice in a short one, and has its hit points, slots and features back after a long one.
 *
 * No tool of its own: the service's tools would cost a model more than its 2,000 tokens. Not here: when a table may rest; the service knows no hours, and no days between two long rests.
 */
import * as z from "zod";
import { error, mutation } from "../core/index.ts";
import { diceInput } from "./dice.ts";
import { encounter, version } from "./encounter.ts";
import {
  diceErrors,
  encounter_full,
  encounter_not_over,
  encounter_outdated,
  stale_version,
  unknown_encounter,
} from "./errors.ts";
import { encounterView } from "./result.ts";

const restInput = z
  .strictObject({
    encounter,
    version,
    length: z.enum(["short", "long"]).describe("One hour, or eight"),
    hitDice: z
      .record(z.string().min(1).max(80), z.int().min(0).max(20))
      .default({})
      .describe("Hit dice to spend in a short rest, by id of the creature"),
    dice: diceInput.optional(),
  })
  .describe("A rest");

export const restProcedures = {
  rest: mutation({
    tool: false,
    summary: "Let the party rest after an ended fight.",
    description:
      "`events` say what each gets back, and which conditions are left. A short rest rolls the dice of `hitDice`, the largest first; a long one gives back hit points, slots, hit dice and what was used, and takes one level of exhaustion. The next fight goes on with `after` of `startEncounter`.",
    input: restInput,
    output: encounterView,
    errors: {
      ...diceErrors,
      unknown_encounter,
      encounter_outdated,
      stale_version,
      encounter_full,
      encounter_not_over,
      party_is_dying: error({
        code: "failed_precondition",
        when: "a character at 0 hit points is not stable: an hour is too long",
        data: z.object({ creatures: z.array(z.string()).describe("Their ids") }),
        hint: "take the end back with undo_action, and heal or stabilize them first",
      }),
      no_hit_dice: error({
        code: "invalid_argument",
        when: "`hitDice` has an id that is not a living creature's of the party, more hit dice than are left, or comes with a long rest",
        data: z.object({
          creature: z.string().describe("As it was named"),
          left: z.int().describe("Hit dice that it has left"),
        }),
        hint: "take ids of creatures of the party and at most their `hitDice`",
      }),
    },
    retry: "keyed",
  }),
};

/** Decoded input of `rest`. */
export type RestInput = z.output<typeof restInput>;
