import { confirm, defineContract, mutation } from "@fairlead/contracts";
import * as z from "zod";

export const todo = defineContract({
  id: "todo",
  version: "1.0.0",
  summary: "Todos.",
  procedures: {
    add: mutation({
      summary: "Adds a todo, and reminds of it.",
      retry: "unsafe",
      input: z.object({ text: z.string().describe("What to do") }),
      output: z.object({ id: z.int().describe("Its number") }),
    }),
    remind: mutation({
      summary: "Reminds of a todo.",
      retry: "idempotent",
      input: z.object({ id: z.int().describe("Its number") }),
      output: z.object({ text: z.string().describe("What was said") }),
      run: { attempts: 5, onRestart: "resume" },
    }),
    clear: mutation({
      summary: "Deletes all todos.",
      retry: "idempotent",
      hints: { destructive: true },
      input: z.object({}),
      output: z.object({ deleted: z.int().describe("How many there were") }),
      run: { onRestart: "resume" },
      questions: { sure: confirm({ when: "there are any" }) },
    }),
  },
});
