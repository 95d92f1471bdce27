import { defineContract, query } from "@fairlead/contracts";
import * as z from "zod";

export default defineContract({
  id: "bad",
  version: "1.0.0",
  summary: "A contract that must fail.",
  procedures: {
    look: query({
      summary: "Look at it.",
      input: z.object({ id: z.string().describe("Which") }),
      output: z.object({ it: z.string().describe("It") }),
      tool: { fields: { di: true } },
    }),
  },
});
