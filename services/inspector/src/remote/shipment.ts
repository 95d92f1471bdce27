/**
 * A checked question as one function that needs nothing of this package in the process it is sent to: the language's source, the
 * configured roots, and the question's trees. Of a caller's text only quoted names and literals are in it.
 */
import { quotedSource } from "../linq/value/row.ts";
import { bundled } from "./bundle.ts";
import type { Question } from "./question.ts";

let language: string | undefined;

/** An expression for the other process; its value is the reply as JSON. `roots` are JavaScript expressions of the configuration. */
export const shipment = (question: Question, roots: Readonly<Record<string, string>>): string => {
  language ??= bundled(new URL(import.meta.url.replace("shipment", "there")), "there");
  const named = Object.entries(roots).map(([name, expression]) => `${quotedSource(name)}: () => (${expression})`);
  return `(() => {
"use strict";
${language}
return there.answerThere({ ${named.join(", ")} }, ${quotedSource(JSON.stringify(question))});
})()`;
};
