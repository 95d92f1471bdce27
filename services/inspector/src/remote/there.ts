/**
 * What runs in a process that does not know this package: the entry of the source that is sent there. It keeps nothing of a question.
 */
import { answer } from "../answer/answer.ts";
import { inspected } from "../host/inspected.ts";
import type { Syntax } from "../linq/binder/context.ts";
import { LinqError } from "../linq/error.ts";
import type { Question } from "./question.ts";

/** Answers a question, given and returned as JSON, about roots that are read when they are needed. */
export const answerThere = (roots: Readonly<Record<string, () => unknown>>, text: string): string => {
  const { ask, limits, trees, orderings }: Question = JSON.parse(text);
  const syntax: Syntax = {
    parse: (wanted) => sent(trees, wanted),
    parseOrdering: (wanted) => sent(orderings, wanted),
  };
  const named = Object.entries(roots).map(([name, read]) => [name, () => readRoot(name, read)] as const);
  const { inspection, close } = inspected(Object.fromEntries(named), { limits }, syntax);
  try {
    return JSON.stringify(answer(inspection(), ask));
  } finally {
    close();
  }
};

const readRoot = (name: string, read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    const hint = "see `roots` in the inspector's configuration";
    throw new LinqError("not_readable", `The expression of the root '${name}' fails there`, { position: 0, hint });
  }
};

const sent = <T>(trees: Readonly<Record<string, T>>, text: string): T => {
  const found = Object.hasOwn(trees, text) ? trees[text] : undefined;
  if (found !== undefined) return found;
  throw new LinqError("syntax", "The text was not checked before it was sent", { position: 0, text });
};
