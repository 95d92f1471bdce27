/** A plan as a client submits it: which files it will touch, how, and at what risk. Aliases are accepted, numbers are read from text. */
import * as z from "zod";
import { riskWord } from "../proposal/schema.ts";
import { count, text, texts, word } from "../value/coercion.ts";
import { parseTicketId, type TicketId } from "../value/id.ts";
import { limits } from "../value/limits.ts";

const action = word(["create", "modify", "delete"], {
  update: "modify",
  edit: "modify",
  change: "modify",
  add: "create",
  new: "create",
  remove: "delete",
  rm: "delete",
});

/** Also used by the other payloads that name a ticket. */
export const ticketIdSchema = z.string().transform((text, context): TicketId => {
  const id = parseTicketId(text);
  if (id !== undefined) return id;
  context.addIssue({ code: "custom", message: "a ticket id, tkt_ and twelve letters or digits" });
  return z.NEVER;
});

const plannedFile = z.preprocess(
  (value) => (typeof value === "string" ? { path: value } : value),
  z.object({
    path: z.string().min(1).max(limits.path),
    reason: text(limits.smallText).default(""),
    action: action.default("modify"),
  }),
);

const fields = z.object({
  ticket_id: ticketIdSchema.optional(),
  files_to_touch: z.array(plannedFile).max(limits.planFiles),
  expected_tests: texts(limits.smallText),
  risk_level: riskWord,
  estimated_lines: count.default(50),
});

/** `files` and `touched_files` are other names of `files_to_touch`. */
export const planSubmission = z.preprocess((value) => {
  if (typeof value !== "object" || value === null || "files_to_touch" in value) return value;
  if ("files" in value) return { ...value, files_to_touch: value.files };
  return "touched_files" in value ? { ...value, files_to_touch: value.touched_files } : value;
}, fields);

export type PlanSubmission = Readonly<z.output<typeof fields>>;
