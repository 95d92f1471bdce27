/** Parts of a run as it is shown: why it failed, and what it asks. */
import * as z from "zod";

export const wireError = z.object({
  code: z.string().describe("Infrastructure code."),
  reason: z.string().optional().describe("Name of a declared error."),
  message: z.string().describe("What failed."),
  hint: z.string().optional().describe("What to try next."),
  data: z.json().optional().describe("Data of a declared error."),
  retryable: z.boolean().describe("Whether the same may go well later."),
});

export const runQuestion = z.object({
  id: z.string().describe("What an answer names."),
  name: z.string().describe("Its name in the contract."),
  kind: z.enum(["form", "confirm"]).describe("A form to fill in, or yes or no."),
  message: z.string().describe("What is asked, for people."),
  schema: z.record(z.string(), z.json()).describe("JSON Schema of a form's answer; an empty object for yes or no."),
});
