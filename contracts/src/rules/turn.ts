/**
 * A player's turn in two steps, under the paths and names that the specification's client uses: `POST /api/roll` and `POST /api/chat`.
 *
 * The body has the client's own state of the game, as `classify` has `game`. Not here: the narration of the outcome (the caller's), and
 * characters by their id (nothing is kept between calls).
 */
import * as z from "zod";
import { classifier, settled } from "./classify.ts";
import { diceInput } from "./dice.ts";
import { edition, npc, rulings, scene } from "./game.ts";
import { sheet } from "./name.ts";
import { player } from "./player.ts";
import { result } from "./result.ts";

const story = sheet({ activeNPCs: z.array(npc).max(100).default([]).describe("Creatures that are present") })
  .prefault({})
  .describe("The story so far; only its creatures are read");

const gameState = sheet({ player, story, edition, scene: scene.prefault({}), rulings }).describe(
  "The client's state of the game; what no rule reads is accepted",
);

const turnFields = {
  playerInput: z.string().min(1).max(2_000).describe("What the player says, in their own words"),
  gameState: gameState.optional(),
  characterId: z.string().max(200).optional().describe("Accepted and not read: no characters are kept here"),
  dice: diceInput.optional(),
};

/** Input of `playerRoll`. */
export const playerRollInput = z.strictObject(turnFields).describe("What a player says, and the game");

const precomputedRules = z
  .looseObject({
    raw: z.string().max(20_000).describe("The outcome as text"),
    roll: z.int().min(0).max(20).describe("Natural number of the d20; 0 when none was rolled"),
    question: settled.optional(),
    parsed: z.looseObject({}).optional().describe("The outcome's `parsed`"),
  })
  .describe("An outcome of `playerRoll`: with its `question` and `parsed` it is proved, otherwise passed on");

/** Input of `playerChat`. */
export const playerChatInput = z
  .strictObject({ ...turnFields, precomputedRules: precomputedRules.optional() })
  .describe("What a player says, the game, and perhaps the outcome of `playerRoll`");

const costs = {
  rulesCost: z.number().min(0).describe("US dollars that the model's tokens cost, by the configured prices"),
  tokensUsed: z
    .strictObject({
      input: z.int().min(0).describe("Tokens of the prompt"),
      output: z.int().min(0).describe("Tokens of the model's answer"),
    })
    .describe("What was spent; 0 without a model"),
};

const isContested = z.boolean().describe("A roll decides it, or it cannot be done; false: it needs no roll");
const roll = z.int().min(0).max(20).describe("Natural number of the d20 that counted; 0 when none was rolled");
const raw = z.string().describe("The result as lines of text for a narrator");

/** What `playerRoll` answers. */
export const playerRoll = z
  .strictObject({ isContested, roll, parsed: result, raw, ...costs, question: settled, classifier })
  .describe("What the rules make of it");

/** What `playerChat` answers. */
export const playerChat = z
  .strictObject({
    isContested,
    roll,
    parsed: z.looseObject({}).optional().describe("The outcome; as it was sent where it is unproved"),
    raw,
    ...costs,
    question: settled.optional(),
    proof: z
      .enum(["computed", "proved", "unproved"])
      .describe(
        "computed: by this call; proved: the sent outcome follows from its dice; unproved: passed on as it was sent",
      ),
  })
  .describe("What is to be narrated");

/** Decoded state of the client, defaults filled in. */
export type GameState = z.output<typeof gameState>;
/** Decoded input of `playerRoll`. */
export type PlayerRollInput = z.output<typeof playerRollInput>;
/** What `playerRoll` answers. */
export type PlayerRoll = z.input<typeof playerRoll>;
/** Decoded input of `playerChat`. */
export type PlayerChatInput = z.output<typeof playerChatInput>;
/** What `playerChat` answers. */
export type PlayerChat = z.input<typeof playerChat>;
