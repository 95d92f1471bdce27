import { defineContract, query } from "@fairlead/contracts";
import * as z from "zod";

const birds = { title: "Birds", summary: "All birds.", path: "birds", read: "look" };

export default defineContract({
  id: "bad",
  version: "1.0.0",
  summary: "A contract that must fail.",
  procedures: {
    look: query({
      summary: "Look at it.",
      input: z.object({ id: z.string().optional().describe("Which") }),
      output: z.object({ it: z.string().describe("It") }),
      tool: false,
    }),
  },
  resources: {
    "All birds": { ...birds, path: "all" },
    empty: { ...birds, title: "", path: "empty" },
    path: { ...birds, path: "Birds//x" },
    fields: { ...birds, path: "fields/{id}", fields: { kind: { about: "Which" } } },
    first: { ...birds },
    same: { ...birds },
    read: { ...birds, path: "read", read: "watch", type: "text/plain" },
    input: { ...birds, path: "input", input: { id: "{id}" } },
    changes: { ...birds, path: "changes", changes: { subscription: "look" } },
    often: { ...birds, path: "often", changes: { everyMs: 10 } },
    choices: { ...birds, path: "in/{id}", fields: { id: { about: "Which", choices: { call: "list", path: "it" } } } },
  },
});
