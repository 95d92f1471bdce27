/** Asks a person at the terminal what a run waits for: yes or no, or field by field. */
import type { Io } from "../terminal/io.ts";
import type { RunView } from "./run-text.ts";

type RunQuestion = NonNullable<RunView["question"]>;

type Json = NonNullable<RunView["output"]>;

/** An answer as the kernel takes it. */
export interface RunAnswer {
  readonly action: "accept" | "decline";
  readonly content?: Record<string, Json>;
}

/** A field of a form, as its JSON Schema says. */
interface FormField {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
}

/** The answer that is typed. */
export const promptAnswer = async (question: RunQuestion, prompt: NonNullable<Io["prompt"]>): Promise<RunAnswer> => {
  if (question.kind === "confirm")
    return { action: /^y(?:es)?$/i.test(await prompt(`${question.message} [y/N] `)) ? "accept" : "decline" };
  const { properties, required = [] } = question.schema;
  const content: Record<string, Json> = {};
  for (const [name, field] of Object.entries(Object(properties)) as [string, FormField][]) {
    const typed = await prompt(`${question.message} ${fieldText(name, field)}: `);
    const isNeeded = Array.isArray(required) && required.includes(name);
    if (typed !== "" || isNeeded) content[name] = toFieldValue(typed, field);
  }
  return { action: "accept", content };
};

const fieldText = (name: string, { description, enum: allowed }: FormField): string => {
  const choice = allowed === undefined ? "" : ` (${allowed.join(", ")})`;
  return `${name}${description === undefined ? "" : `, ${description}`}${choice}`;
};

/** A text as the field's type; one that does not fit is for the kernel to refuse. */
const toFieldValue = (typed: string, { type }: FormField): Json => {
  if ((type === "number" || type === "integer") && typed.trim() !== "" && Number.isFinite(Number(typed)))
    return Number(typed);
  if (type === "boolean") return /^(?:y|yes|true)$/i.test(typed);
  return typed;
};
