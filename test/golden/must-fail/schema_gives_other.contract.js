import { defineContract, query } from "@fairlead/contracts";
import * as z from "zod";

export default defineContract({
  id: "bad",
  version: "1.0.0",
  summary: "Fails.",
  procedures: {
    look: query({
      summary: "Looks.",
      input: z.object({ it: z.int().describe("It") }),
      output: z.object({
        it: z
          .string()
          .max(2)
          .overwrite((text) => `${text}xxx`)
          .describe("It"),
      }),
    }),
  },
});
