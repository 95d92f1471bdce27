import { defineContract, subscription } from "@fairlead/contracts";
import * as z from "zod";

export default defineContract({
  id: "bad",
  version: "1.0.0",
  summary: "A contract that must fail.",
  procedures: {
    look: subscription({
      summary: "Look at it.",
      input: z.object({
        lastEventId: z.string().max(20).describe("Where to resume"),
        constructor: z.string().max(20).describe("Who built it"),
      }),
      output: z.object({ it: z.string().describe("It") }),
    }),
  },
});
