/** What the five resolving tools take: the game, the intent, and perhaps dice. */
import * as z from "zod";
import { diceInput } from "./dice.ts";
import { game } from "./game.ts";
import { attackIntent, impossibleIntent, noCheckIntent, savingThrowIntent, skillCheckIntent } from "./intent.ts";

/** Input of `resolveAttack`. */
export const attackInput = z
  .strictObject({ game, intent: attackIntent, dice: diceInput.optional() })
  .describe("An attack and the game it happens in");

/** Input of `resolveSkillCheck`. */
export const skillCheckInput = z
  .strictObject({ game, intent: skillCheckIntent, dice: diceInput.optional() })
  .describe("A skill check and the game it happens in");

/** Input of `resolveSavingThrow`. */
export const savingThrowInput = z
  .strictObject({ game, intent: savingThrowIntent, dice: diceInput.optional() })
  .describe("A saving throw and the game it happens in");

/** Nothing is rolled or looked up, so the game is taken as it is; it is allowed so that every tool takes the same envelope. */
const unusedEnvelope = {
  game: z.looseObject({}).optional().describe("Not read"),
  dice: z.looseObject({}).optional().describe("Not read"),
};

/** Input of `markImpossible`; the game and the dice are not read. */
export const impossibleInput = z
  .strictObject({ intent: impossibleIntent, ...unusedEnvelope })
  .describe("An action that cannot be done");

/** Input of `markNoCheck`; the game and the dice are not read. */
export const noCheckInput = z
  .strictObject({ intent: noCheckIntent, ...unusedEnvelope })
  .describe("An action that needs no roll");
