/** Proof of a result: what was asked, what was answered, and whether the answer follows. */
import * as z from "zod";
import { game } from "./game.ts";
import { result } from "./result.ts";
import { settled } from "./settled.ts";

export const replayInput = z
  .strictObject({ game, question: settled, result: result.describe("The result to prove, as it was returned") })
  .describe("A result, and the question it answered");

export const replay = z
  .strictObject({
    proved: z
      .boolean()
      .describe("True when the same question with the same dice gives the same result, field by field"),
    differences: z
      .array(
        z.strictObject({
          path: z.string().describe("Where the results differ, like `damage.totalDamage`"),
          claimed: z.string().describe("JSON of what the given result has there; empty when it has nothing"),
          computed: z.string().describe("JSON of what the rules give; empty when they give nothing"),
        }),
      )
      .describe("At most 20 differences"),
    dice: z.enum(["seed", "values"]).describe("Whether the dice were computed again from the seed, or taken as given"),
  })
  .describe("The verdict");

export type Replay = z.input<typeof replay>;
export type ReplayInput = z.output<typeof replayInput>;
