import { query } from "@fairlead/contracts";
import * as z from "zod";

const look = query({
  summary: "Look at it.",
  input: z.object({ id: z.string().describe("Which") }),
  output: z.object({ it: z.string().describe("It") }),
});

// Without defineContract, which refuses it at once.
export default {
  id: "bad",
  version: "1.0.0",
  summary: "A contract that must fail.",
  procedures: { look: { ...look, errors: { gone_away: { code: "gone", when: "there is none" } } } },
};
