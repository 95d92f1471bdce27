import { defineContract, query } from "@fairlead/contracts";
import * as z from "zod";

export default defineContract({
  id: "bad",
  version: "1.0.0",
  summary: "Fails.",
  procedures: {
    look: query({
      summary: "Looks.",
      input: z.object({
        a: z.string().meta({ id: "Money" }).describe("A"),
        b: z.int().meta({ id: "money" }).describe("B"),
        c: z.boolean().meta({ id: "LookOutput" }).describe("C"),
      }),
      output: z.int().describe("It"),
    }),
  },
});
