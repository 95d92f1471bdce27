/**
 * What is sent to a process that does not know this package: once the language's own source, which stays there under a symbol until
 * the connection ends, and with each question a function over the configured roots. Of a caller's text only quoted names and
 * literals are in it.
 */
import { createHash } from "node:crypto";
import { quotedSource } from "../linq/value/row.ts";
import { bundled } from "./bundle.ts";
import type { Question } from "./question.ts";

interface Language {
  /** Source of the place where it stays; another version has another one. */
  readonly place: string;
  readonly source: string;
}

let known: Language | undefined;

const language = (): Language => {
  if (known !== undefined) return known;
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const source = bundled(new URL(`./there.${extension}`, import.meta.url), "there");
  const version = createHash("sha256").update(source).digest("hex").slice(0, 16);
  known = { place: `Symbol.for(${quotedSource(`fairlead.inspector.language.${version}`)})`, source };
  return known;
};

/** An expression whose value is the reply as JSON, or undefined where the language is missing. Roots are JavaScript expressions. */
export const asking = (question: Question, roots: Readonly<Record<string, string>>): string => {
  const named = Object.entries(roots).map(([name, expression]) => `${quotedSource(name)}: () => (${expression})`);
  return `globalThis[${language().place}]?.({ ${named.join(", ")} }, ${quotedSource(JSON.stringify(question))})`;
};

/** A statement that brings the language. */
export const bringing = (): string => {
  const { place, source } = language();
  const value = `(() => {\n"use strict";\n${source}\nreturn there.answerThere;\n})()`;
  return `Object.defineProperty(globalThis, ${place}, { configurable: true, value: ${value} });`;
};

/** An expression that takes it away again. */
export const leaving = (): string => `delete globalThis[${language().place}]`;
