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
      policy: { deadlineMs: 0, retry: { attempts: 9 }, limits: { bytes: -1, depth: 501 }, outputLimits: { depth: 0 } },
      run: { attempts: 0, deadlineMs: 3_000_000_000 },
    }),
  },
});
