/** Plain dice, written as people write them. */
import * as z from "zod";
import { diceInput, diceRecord } from "./dice.ts";

export const rollInput = z
  .strictObject({
    notation: z
      .string()
      .min(1)
      .max(100)
      .describe('Dice like "2d6+3", "4d6kh3" (keep highest), "2d20kl1" (keep lowest), "4d6dl1" (drop lowest)'),
    dice: diceInput.optional(),
  })
  .describe("Dice to roll");

export const roll = z
  .strictObject({
    notation: z.string().describe("The dice in their normal form"),
    total: z.int().describe("Sum of everything that counts"),
    terms: z
      .array(
        z.strictObject({
          term: z.string().describe('The term, like "4d6kh3" or "-1"'),
          rolls: z.array(z.int()).describe("Every face, in the order rolled"),
          kept: z.array(z.int()).describe("The faces that count, in the order rolled"),
          subtotal: z.int().describe("What the term adds"),
        }),
      )
      .describe("Term by term"),
    dice: diceRecord,
  })
  .describe("Rolled dice");

export type Roll = z.input<typeof roll>;
