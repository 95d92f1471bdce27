/** Plain dice, written as people write them. */
import * as z from "zod";
import { diceInput, diceRecord } from "./dice.ts";

/** Input of `roll`: dice notation of at most 100 characters. */
export const rollInput = z
  .strictObject({
    notation: z
      .string()
      .min(1)
      .max(100)
      .describe('Like "2d6+3", "4d6kh3" (keep highest), "2d20kl1", "4d6dl1" (drop lowest)'),
    dice: diceInput.optional(),
  })
  .describe("Dice to roll");

/** Answer of `roll`: the sum, and each term with its faces. */
export const roll = z
  .strictObject({
    notation: z.string().describe("In normal form"),
    total: z.int().describe("Sum"),
    terms: z
      .array(
        z.strictObject({
          term: z.string().describe('Like "4d6kh3" or "-1"'),
          rolls: z.array(z.int()).describe("Every face"),
          kept: z.array(z.int()).describe("Those that count"),
          subtotal: z.int().describe("What the term adds"),
        }),
      )
      .describe("Term by term"),
    dice: diceRecord,
  })
  .describe("Rolled dice");

/** Rolled dice, with the record that proves them. */
export type Roll = z.input<typeof roll>;
