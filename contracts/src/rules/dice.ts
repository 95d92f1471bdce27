/**
 * Where dice come from, on the way in, and where they came from, on the way out.
 *
 * A seed and a stream name give every draw: word `i` of a stream is bytes 4(i mod 8) to 4(i mod 8)+3, big-endian, of
 * SHA-256("<stream>|<floor(i/8)>|<seed>") in UTF-8. A label splits a seed: its streams are named "<label>/<stream>", so that one
 * seed serves a whole turn of calls. A die of s sides takes the next word below floor(2^32/s)*s, and shows
 * 1 + word mod s. Anyone with a hash function can check a result.
 */
import * as z from "zod";

export const diceAlgorithm = "sha256-stream-1";

const seed = z
  .union([z.string().min(1).max(128), z.int()])
  .describe(
    "Any text, or a whole number, which is read as its text; the same seed gives the same dice on every platform",
  );
const label = z
  .string()
  .regex(/^[\w .-]{1,64}$/)
  .describe('Splits the seed: each label has dice of its own, like "second attack"');
const face = z.int().min(1).max(1_000).describe("The number a die shows");

export const diceInput = z
  .union([
    z.strictObject({ seed, label: label.optional() }).describe("Dice rolled by the server from a seed"),
    z
      .strictObject({
        values: z.array(face).min(1).max(500).describe("Faces in the order in which the rules ask for them"),
      })
      .describe("Dice rolled by the player at the table"),
  ])
  .describe("Where the dice come from; left out, the server makes a seed and returns it");

export const draw = z
  .strictObject({
    sides: z.int().min(2).describe("Sides of the die"),
    value: z.int().min(1).describe("What it showed"),
    purpose: z.string().describe('What it was rolled for, like "attack roll" or "Sneak Attack"'),
    stream: z.string().describe("Seed stream the draw was taken from; for replay by hand"),
  })
  .describe("One die");

export const diceRecord = z
  .strictObject({
    source: z
      .enum(["seed", "values"])
      .describe("seed: computed from the seed below. values: the faces the caller gave, in order"),
    algorithm: z.string().optional().describe(`How the seed becomes dice: "${diceAlgorithm}"; absent for given values`),
    seed: z.string().optional().describe("The seed; send it as `dice.seed` to get this result again"),
    label: label.optional(),
    madeBy: z.enum(["caller", "server"]).describe("Who chose the seed or the values"),
    draws: z.array(draw).describe("Every die rolled, in order"),
    unused: z.int().min(0).describe("Given values that no rule asked for"),
  })
  .describe("Where the dice came from, and every draw, so that anyone can replay the result");

export type DiceInput = z.output<typeof diceInput>;
export type Draw = z.output<typeof draw>;
export type DiceRecord = z.output<typeof diceRecord>;
