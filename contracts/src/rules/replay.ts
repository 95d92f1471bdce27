/**
 * Proof of a result: what was asked, what was answered, and whether the answer follows. Every procedure that takes dice can be
 * proved, by the input it was sent; one that is added here is proved by the same code as the others.
 */
import * as z from "zod";
import { diceRecord, rollInput } from "./dice.ts";
import {
  abilityCheckInput,
  attackInput,
  concentrationInput,
  contestInput,
  damageInput,
  deathSaveInput,
  fallInput,
  grappleInput,
  impossibleInput,
  initiativeInput,
  noCheckInput,
  savingThrowInput,
  skillCheckInput,
} from "./more.ts";

const replayRequest = <P extends string, I extends z.ZodType>(procedure: P, input: I) =>
  z
    .strictObject({ procedure: z.literal(procedure).describe("What was called"), input })
    .describe(`A ${procedure} call`);

const call = z
  .discriminatedUnion("procedure", [
    replayRequest("resolveAttack", attackInput),
    replayRequest("resolveSkillCheck", skillCheckInput),
    replayRequest("resolveAbilityCheck", abilityCheckInput),
    replayRequest("resolveSavingThrow", savingThrowInput),
    replayRequest("rollInitiative", initiativeInput),
    replayRequest("resolveContest", contestInput),
    replayRequest("resolveGrapple", grappleInput),
    replayRequest("resolveConcentration", concentrationInput),
    replayRequest("takeDamage", damageInput),
    replayRequest("deathSave", deathSaveInput),
    replayRequest("fallDamage", fallInput),
    replayRequest("roll", rollInput),
    replayRequest("markImpossible", impossibleInput.omit({ dice: true }).describe("An action that rolls nothing")),
    replayRequest("markNoCheck", noCheckInput.omit({ dice: true }).describe("An action that rolls nothing")),
  ])
  .describe("The call, as it was sent; without `dice`, those that the result says it was rolled with are taken");

const claimed = z
  .looseObject({ dice: diceRecord.optional() })
  .describe("The result to prove, as it was returned; for an outcome of `classify`, its `parsed`");

/** A call as it was sent, and the result to prove. */
export const replayInput = z
  .strictObject({ question: call, result: claimed })
  .describe("A result, and the question it answered");

/** The verdict: proved, or at most 20 differences. */
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

/** Answer of `replay`; `proved` is true when the same dice give the same result, field by field. */
export type Replay = z.input<typeof replay>;
/** A call of any procedure that can be proved. */
export type RollingCall = z.output<typeof call>;
/** A result to prove: its `dice` are rolled again, and every other field is compared. */
export type ClaimedResult = z.output<typeof claimed>;

const logEntry = z.strictObject({
  version: z.int().describe("Version that it made"),
  type: z.enum(["start", "act", "end_turn", "undo", "end", "rest"]).describe("What was called"),
  call: z.looseObject({}).describe("The call as it was decoded, with its dice"),
  answer: z.string().describe("SHA-256 of the answer's JSON"),
  proved: z.boolean().describe("The same calls in the same order give the same bytes"),
  happened: z
    .array(z.string())
    .describe("What came of it by the present rules, in sentences; none after the first call that they refuse"),
});

/** The log of a kept fight: its calls, and whether they give the same answers again. */
export const log = z
  .strictObject({
    encounter: z.string().describe("Handle"),
    proved: z.boolean().describe("Every entry is"),
    entries: z.array(logEntry).describe("From the first on"),
  })
  .describe("Everything that was called");
