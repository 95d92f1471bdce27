/**
 * Where dice come from, in inputs, and where they came from, in outputs; and plain dice, written as people write them.
 *
 * A seed and a stream name give every draw: word `i` of a stream is bytes 4(i mod 8) to 4(i mod 8)+3, big-endian, of
 * SHA-256("<stream>|<floor(i/8)>|<seed>") in UTF-8. A label splits a seed: its streams are named "<label>/<stream>", so that one
 * seed serves a whole turn of calls. A die of s sides takes the next word below floor(2^32/s)*s, and shows 1 + word mod s.
 * Anyone with a hash function can check a result.
 */
import * as z from "zod";
import { toolSummary } from "../core/index.ts";

/** Name of the algorithm from a seed to dice; it changes when the same seed would give other dice. */
export const diceAlgorithm = "sha256-stream-1";

const seed = z.union([z.string().min(1).max(128), z.int()]).describe("Same seed, same dice");
const label = z
  .string()
  .regex(/^[\w .-]{1,64}$/, "1 to 64 letters, digits, spaces, `_`, `-` or `.`")
  .describe('Splits the seed, like "second attack"');
const face = z.int().min(1).max(1_000);

/** Dice of a call: a seed, optionally split by a label, or 1 to 500 values rolled at the table. A fresh seed when left out. */
export const diceInput = z
  .union([
    z.strictObject({ seed, label: label.optional() }).describe("Rolled by the server"),
    z
      .strictObject({ values: z.array(face).min(1).max(500).describe("Faces in the order asked for") })
      .describe("Rolled at the table"),
  ])
  .meta({
    id: "Dice",
    description: "Left out, the server makes a seed",
    [toolSummary]: "{seed} or {values: [faces]}",
  });

const draw = z.strictObject({
  sides: z.int().describe("Sides"),
  value: z.int().describe("Face"),
  purpose: z.string().describe('Like "attack roll"'),
  stream: z.string().describe("Stream of the seed"),
});

/** Every die of a result, in order, and what is needed to roll them again. */
export const diceRecord = z
  .strictObject({
    source: z.enum(["seed", "values"]).describe("Computed from the seed, or given"),
    algorithm: z.string().optional().describe(`"${diceAlgorithm}"`),
    seed: z.string().optional().describe("Send it as `dice.seed` to get this result again"),
    label: z.string().optional().describe("Split of the seed"),
    madeBy: z.enum(["caller", "server"]).describe("Who chose them"),
    draws: z.array(draw).describe("Every die, in order"),
    unused: z.int().describe("Given values that no rule asked for"),
  })
  .describe("Every draw, for replay");

/** Dice as they were sent: `{ seed, label? }` or `{ values }`. */
export type DiceInput = z.output<typeof diceInput>;
/** One die: its sides, the face, what it was for and its stream. */
export type Draw = z.output<typeof draw>;
/** All dice of a result. `replay` rolls them again from it. */
export type DiceRecord = z.output<typeof diceRecord>;

const notation = z.string().min(1).max(100);

/**
 * Input of `roll`: dice notation of at most 100 characters. Beside `+`, `-`, `*`, `/` (rounded down), parentheses and labels (`2d6[fire]`): keep `kh3`, `kl1`, `k>4`; drop `dl1`, `ph1`, `p<3`;
 * reroll once `ro<3`, until none matches `rr1`, one more die `ra6`; explode `e6`, ten times a die at most; bounds `mi2`, `ma5`.
 */
export const rollInput = z
  .strictObject({
    notation: notation.describe('Like "2d6+3", "4d6kh3", "2d6ro<3", "d6e6", "(d8+2)*2"'),
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
          label: z.string().optional().describe('"fire" of "2d6[fire]"'),
        }),
      )
      .describe("Term by term"),
    dice: diceRecord,
  })
  .describe("Rolled dice");

/** Rolled dice, with the record that proves them. */
export type Roll = z.input<typeof roll>;
