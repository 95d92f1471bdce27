import { defineContract, mutation } from "@fairlead/contracts";
import * as z from "zod";

export default defineContract({
  id: "bad",
  version: "1.0.0",
  summary: "A contract that must fail.",
  procedures: {
    look: mutation({
      summary: "Look at it.",
      retry: "idempotent",
      input: z.object({ id: z.string().describe("Which") }),
      output: z.object({ it: z.string().describe("It") }),
    }),
  },
  prompts: {
    "Watch birds": { title: "Watch", summary: "Watches.", text: "Watch." },
    empty: { title: "", summary: "Watches.", text: "Watch." },
    places: { title: "Watch", summary: "Watches.", text: "Watch {place}.", arguments: { kind: { about: "Which" } } },
    choices: {
      title: "Watch",
      summary: "Watches.",
      text: "Watch {place}.",
      arguments: { place: { about: "Where", choices: { call: "look", path: "it" } } },
    },
  },
});
