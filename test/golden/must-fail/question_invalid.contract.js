import { ask, confirm, defineContract, mutation } from "@fairlead/contracts";
import * as z from "zod";

export default defineContract({
  id: "bad",
  version: "1.0.0",
  summary: "A contract that must fail.",
  procedures: {
    look: mutation({
      summary: "Look at it.",
      input: z.object({ id: z.string().describe("Which") }),
      output: z.object({ it: z.string().describe("It") }),
      retry: "idempotent",
      questions: {
        "no name": confirm({ when: "it is late" }),
        blank: confirm({ when: " " }),
        list: ask({ when: "there are several", answer: z.array(z.string()) }),
        nested: ask({
          when: "there are several",
          answer: z.object({
            folder: z.object({ path: z.string().describe("Path") }).describe("Folder"),
            maybe: z.string().nullable().describe("Or none"),
            fine: z.array(z.enum(["a", "b"])).describe("Some"),
          }),
        }),
      },
    }),
  },
});
