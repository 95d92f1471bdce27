/**
 * Player text in, one resolved tool call out: `classify` is the `RulesOutcome` of the specification with nothing renamed, and beside it which call was chosen, so
 * that `replay` can prove the outcome again. `playerRoll` and `playerChat` are a player's turn in two steps, under the paths and names of the
 * specification's client.
 *
 * Not here: the narration (the caller's), and characters by their id (nothing is kept between calls).
 */
import * as z from "zod";
import { mutation } from "../core/index.ts";
import { diceInput } from "./dice.ts";
import { chatErrors, classifyErrors, turnErrors } from "./errors.ts";
import { aria, bo, boClimbs, goblin } from "./examples.ts";
import { edition, game, npc, rulings, scene } from "./game.ts";
import { attackIntent, exactIntent, impossibleIntent, noCheckIntent } from "./intent.ts";
import { grappleIntent } from "./more.ts";
import { sheet } from "./name.ts";
import { player } from "./player.ts";
import { result } from "./result.ts";

/** As an answer has it: nothing is left out. */
const initiative = z
  .strictObject({ surprised: z.boolean().describe("Whether the character is surprised") })
  .describe("Rolling initiative");

const chosen = <P extends string, I extends z.ZodType>(procedure: P, intent: I) =>
  z
    .strictObject({ procedure: z.literal(procedure).describe("What was called"), intent })
    .describe(`A ${procedure} call`);

/** What a classifier chooses among: every call that ends in a `RollResult`, by the procedure and without its game. */
const settled = z
  .discriminatedUnion("procedure", [
    chosen("resolveAttack", attackIntent),
    chosen("resolveSkillCheck", exactIntent.skillCheck),
    chosen("resolveAbilityCheck", exactIntent.abilityCheck),
    chosen("resolveSavingThrow", exactIntent.savingThrow),
    chosen("resolveGrapple", grappleIntent),
    chosen("rollInitiative", initiative),
    chosen("markImpossible", impossibleIntent),
    chosen("markNoCheck", noCheckIntent),
  ])
  .describe("The call: which of the procedures, and what it was asked");

/** The game, what the player says, and optionally the dice or an outcome that was made before. */
const classifyInput = z
  .strictObject({
    game,
    playerInput: z.string().min(1).max(2_000).describe("What the player says, in their own words"),
    dice: diceInput.optional(),
    precomputed: z
      .strictObject({ question: settled, parsed: result.describe("The `parsed` of that outcome") })
      .optional()
      .describe("An earlier outcome of this game: it is proved instead of asking a model, and costs no tokens"),
  })
  .describe("What a player says, and the game it is said in");

/** Why nothing was rolled: what was wrong with the model's reply, or that the offline classifier is not sure what is meant. */
const rejections = ["no_call", "several_calls", "unknown_tool", "bad_input", "refusal", "cut_off", "unsure"] as const;

const clampedDc = z
  .strictObject({
    asked: z.int().describe("What the model said"),
    used: z.int().min(1).max(30).describe("The same, limited to 1 to 30"),
    label: z
      .enum(["very easy", "easy", "medium", "hard", "very hard", "nearly impossible"])
      .describe("The nearest step of the SRD's ladder: 5, 10, 15, 20, 25, 30"),
  })
  .describe("The Difficulty Class: the one number that is taken from a model");

/** How the call was chosen: by which model, in how many tries, and what was not used of its answer. */
const classifier = z
  .strictObject({
    model: z.string().describe('Model that answered, or "offline"; empty for a precomputed outcome'),
    requestId: z.string().optional().describe("The API's own id of the request, for its support"),
    attempts: z.int().min(0).describe("Requests that were sent, retries included"),
    dc: clampedDc.optional(),
    rejected: z
      .enum(rejections)
      .optional()
      .describe(
        "Why nothing was rolled: the answer was anything but one valid call, or the text may mean several things",
      ),
  })
  .describe("How the call was chosen");

/** The result of the one call that the model chose, and what the classification cost. */
const rulesOutcome = z
  .strictObject({
    parsed: result,
    raw: z.string().describe("`parsed.raw`: the result as lines of text for a narrator"),
    roll: z.int().describe("Natural number of the d20 that counted; 0 when none was rolled"),
    inputTokens: z.int().min(0).describe("Tokens of the prompt: uncached, written to the cache and read from it"),
    outputTokens: z.int().min(0).describe("Tokens of the model's answer"),
    question: settled,
    classifier,
  })
  .describe("The result of the call, and its cost");

/** What `classify` answers: `parsed` is the result, `raw` its text; token counts are 0 for a proved outcome. */
export type RulesOutcome = z.input<typeof rulesOutcome>;
/** Why a reply of the model was not used; the outcome is then `markNoCheck`. */
export type Rejection = (typeof rejections)[number];
/** A Difficulty Class as the model sent it (`asked`) and as it is used, 1 to 30. */
export type ClampedDc = z.input<typeof clampedDc>;
/** Decoded input of `classify`, defaults filled in. */
export type ClassifyInput = z.output<typeof classifyInput>;
/** The call that a classifier chose: one of eight procedures and its intent. */
export type ClassifiedCall = z.output<typeof settled>;

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
const playerRollInput = z.strictObject(turnFields).describe("What a player says, and the game");

const precomputedRules = z
  .looseObject({
    raw: z.string().max(20_000).describe("The outcome as text"),
    roll: z.int().min(0).max(20).describe("Natural number of the d20; 0 when none was rolled"),
    question: settled.optional(),
    parsed: z.looseObject({}).optional().describe("The outcome's `parsed`"),
  })
  .describe("An outcome of `playerRoll`: with its `question` and `parsed` it is proved, otherwise passed on");

/** Input of `playerChat`. */
const playerChatInput = z
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
const playerRoll = z
  .strictObject({ isContested, roll, parsed: result, raw, ...costs, question: settled, classifier })
  .describe("What the rules make of it");

/** What `playerChat` answers. */
const playerChat = z
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

/** Of every procedure that may ask a model. */
const modelPolicy = { deadlineMs: 30_000, concurrency: 16, queue: 64 } as const;

const ariasTurn = {
  playerInput: "I stab the goblin with my rapier.",
  gameState: { player: aria, story: { activeNPCs: [goblin] } },
};

export const askingProcedures = {
  classify: mutation({
    summary: "Classify what a player says into exactly one tool call, and resolve it at once.",
    description:
      "The model chooses the tool and the names; every number but the difficulty is computed here. Anything but one valid " +
      "call becomes `mark_no_check` with the reason. With ANTHROPIC_API_KEY in the kernel's environment a model is asked, " +
      "which costs tokens; without it a grammar of plain English chooses. Send an idempotency key, and a repeat gets the " +
      "stored outcome instead of another roll.",
    input: classifyInput,
    output: rulesOutcome,
    errors: classifyErrors,
    retry: "keyed",
    hints: { openWorld: true },
    policy: modelPolicy,
    tool: false,
    examples: [
      {
        summary: "Bo climbs a wall; no model is asked, since the outcome was made before",
        input: {
          game: { edition: "5.2", player: bo },
          playerInput: "I climb the wall.",
          precomputed: {
            question: { procedure: "resolveSkillCheck", intent: { skill: "Athletics", dc: 15 } },
            parsed: boClimbs,
          },
        },
      },
    ],
  }),
  playerRoll: mutation({
    summary: "First step of a player's turn: classify what they say, and roll it.",
    description:
      "As `classify`, with the paths and names of the specification's client. A name that nothing has is an answer: it cannot be done.",
    input: playerRollInput,
    output: playerRoll,
    errors: turnErrors,
    retry: "keyed",
    hints: { openWorld: true },
    tool: false,
    http: { path: "/roll" },
    policy: modelPolicy,
    examples: [{ summary: "Aria stabs the goblin", input: { ...ariasTurn, dice: { seed: "a-turn" } } }],
  }),
  playerChat: mutation({
    summary: "Second step of a player's turn: the outcome that is to be narrated, proved where it was computed before.",
    description:
      "With `precomputedRules` no model is asked. The narration is the caller's: this answers what a narrator has to know.",
    input: playerChatInput,
    output: playerChat,
    errors: chatErrors,
    retry: "keyed",
    hints: { openWorld: true },
    tool: false,
    http: { path: "/chat" },
    policy: modelPolicy,
    examples: [
      {
        summary: "An outcome of a client that keeps no question: it is passed on",
        input: { ...ariasTurn, precomputedRules: { raw: "RESULT: HIT", roll: 17 } },
      },
    ],
  }),
};
