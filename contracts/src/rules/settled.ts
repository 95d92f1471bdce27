/** What a classifier chooses among: every call that ends in a `RollResult`, by the procedure and without the game it happens in. */
import * as z from "zod";
import { attackIntent, impossibleIntent, noCheckIntent, savingThrowIntent, skillCheckIntent } from "./intent.ts";
import { abilityCheckInput } from "./more.ts";

const chosen = <P extends string, I extends z.ZodType>(procedure: P, intent: I) =>
  z
    .strictObject({ procedure: z.literal(procedure).describe("What was called"), intent })
    .describe(`A ${procedure} call`);

export const settled = z
  .discriminatedUnion("procedure", [
    chosen("resolveAttack", attackIntent),
    chosen("resolveSkillCheck", skillCheckIntent),
    chosen("resolveAbilityCheck", abilityCheckInput.shape.intent),
    chosen("resolveSavingThrow", savingThrowIntent),
    chosen("markImpossible", impossibleIntent),
    chosen("markNoCheck", noCheckIntent),
  ])
  .describe("The call: which of the procedures, and what it was asked");

export type Settled = z.output<typeof settled>;
