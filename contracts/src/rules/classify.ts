/**
 * Player text in, one resolved tool call out: the `RulesOutcome` of the specification with nothing renamed, and beside it which
 * call a model chose, so that `replay` can prove the outcome again.
 */
import * as z from "zod";
import { diceInput } from "./dice.ts";
import { game } from "./game.ts";
import { attackIntent, exactIntent, impossibleIntent, noCheckIntent } from "./intent.ts";
import { result } from "./result.ts";

const chosen = <P extends string, I extends z.ZodType>(procedure: P, intent: I) =>
  z
    .strictObject({ procedure: z.literal(procedure).describe("What was called"), intent })
    .describe(`A ${procedure} call`);

/** What a classifier chooses among: every call that ends in a `RollResult`, by the procedure and without its game. */
export const settled = z
  .discriminatedUnion("procedure", [
    chosen("resolveAttack", attackIntent),
    chosen("resolveSkillCheck", exactIntent.skillCheck),
    chosen("resolveAbilityCheck", exactIntent.abilityCheck),
    chosen("resolveSavingThrow", exactIntent.savingThrow),
    chosen("markImpossible", impossibleIntent),
    chosen("markNoCheck", noCheckIntent),
  ])
  .describe("The call: which of the procedures, and what it was asked");

/** The game, what the player says, and optionally the dice or an outcome that was made before. */
export const classifyInput = z
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
    used: z.int().min(1).max(30).describe("The same, held within 1 to 30"),
    label: z
      .enum(["very easy", "easy", "medium", "hard", "very hard", "nearly impossible"])
      .describe("The nearest step of the SRD's ladder: 5, 10, 15, 20, 25, 30"),
  })
  .describe("The Difficulty Class: the one number that is taken from a model");

/** How the call was chosen: by which model, in how many tries, and what was not used of its answer. */
export const classifier = z
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
export const rulesOutcome = z
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
/** The call that a classifier chose: one of six procedures and its intent. */
export type ClassifiedCall = z.output<typeof settled>;
