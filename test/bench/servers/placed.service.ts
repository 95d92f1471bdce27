/** What the bench of placements calls: an echo, and a handler that computes. */
import { defineContract, query } from "@fairlead/contracts";
import { defineService } from "@fairlead/kernel/service";
import * as z from "zod";
import { echoSchema } from "../payload.ts";

const placed = defineContract({
  id: "placed",
  version: "1.0.0",
  summary: "Is called by a bench.",
  procedures: {
    echo: query({ summary: "Gives it back.", placement: "stateless", input: echoSchema, output: echoSchema }),
    keyed: query({
      summary: "Gives the key back.",
      placement: { keyedBy: "key" },
      input: z.object({ key: z.string(), notes: z.array(z.string()) }),
      output: z.string(),
    }),
    compute: query({
      summary: "Computes for two milliseconds.",
      placement: "stateless",
      input: z.object({ rounds: z.int(), notes: z.array(z.string()) }),
      output: z.int(),
    }),
  },
});

export default defineService(placed, () => ({
  handlers: {
    echo: (input) => input,
    keyed: ({ key }) => key,
    compute: ({ rounds }) => {
      let sum = 1;
      for (let round = 0; round < rounds; round += 1) sum = Math.imul(sum ^ round, 0x01000193);
      return sum;
    },
  },
}));
