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
        a: z.string().meta({ id: "String" }).describe("A"),
        b: z.string().meta({ id: "TypedDict" }).describe("B"),
      }),
      output: z.int().describe("It"),
    }),
  },
});
