/** Plain dice, written as people write them. */
import * as z from "zod";
import { diceInput, diceRecord } from "./dice.ts";

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

export type Roll = z.input<typeof roll>;
