/** Every call that ends in a result: what a classifier chooses among, and what `replay` proves. */
import * as z from "zod";
import { impossibleIntent, noCheckIntent } from "./intent.ts";
import { abilityCheckInput } from "./more.ts";
import { question } from "./odds.ts";

const kind = <K extends string>(name: K) => z.literal(name).describe("What was called");

/** Everything that a classifier can call, and `replay` can prove. */
export const settled = z
  .union([
    question,
    z
      .strictObject({ kind: kind("ability"), intent: abilityCheckInput.shape.intent })
      .describe("An ability check without a skill"),
    z.strictObject({ kind: kind("impossible"), intent: impossibleIntent }).describe("An action that cannot be done"),
    z.strictObject({ kind: kind("no_check"), intent: noCheckIntent }).describe("An action that needs no roll"),
  ])
  .describe("The call: which of the tools, and what it was asked");

export type Settled = z.output<typeof settled>;
