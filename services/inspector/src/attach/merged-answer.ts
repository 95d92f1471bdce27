/** The answers of several programs to one question about their roots or their types, as one. */
import type { ToolAnswer } from "../protocol/backend.ts";

/** Fields that are lists, which follow each other. */
const lists = ["members", "items", "types", "holders"] as const;
/** Fields that are numbers of things. */
const sums = ["count", "more"] as const;

type Answer = Readonly<Record<string, unknown>>;

/** One that succeeded counts before those that failed: a class that one program has is not missing. */
export const mergeAnswers = (answers: readonly ToolAnswer[]): ToolAnswer => {
  const values = answers.flatMap((answer) => (answer.kind === "value" ? [answer.value as Answer] : []));
  const [first, ...rest] = values;
  if (first === undefined) return answers[0] ?? { kind: "gone", why: "no program was asked" };
  return { kind: "value", value: rest.reduce(mergeTwo, first) };
};

const mergeTwo = (one: Answer, other: Answer): Answer => {
  const merged: Record<string, unknown> = { ...other, ...one };
  for (const name of lists) {
    const parts = [one[name], other[name]].filter(Array.isArray);
    if (parts.length > 0) merged[name] = parts.flat();
  }
  for (const name of sums) {
    const parts = [one[name], other[name]].filter((part) => typeof part === "number");
    if (parts.length > 0) merged[name] = parts.reduce((sum, part) => sum + part, 0);
  }
  const hints = [...new Set([one.hint, other.hint].filter((hint) => typeof hint === "string"))];
  if (hints.length > 0) merged.hint = hints.join("; ");
  return merged;
};
