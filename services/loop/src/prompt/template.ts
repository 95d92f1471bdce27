/**
 * Prompt templates: `{{name}}` is a value, `{{#name}} ... {{/name}}` is kept when the value says something. Values are put in as
 * they are and never read as templates again. The texts stand in `prompts/`, one file a prompt.
 */
import { readFileSync } from "node:fs";
import type { PromptKind } from "../machine/prompt-kind.ts";

export type Values = Readonly<Record<string, string>>;

const folder = new URL("../../prompts/", import.meta.url);

const templates: Partial<Record<PromptKind, string>> = {};

/** The text of a template; read once. */
export const templateOf = (kind: PromptKind): string => {
  templates[kind] ??= readFileSync(new URL(`${kind}.md`, folder), "utf8");
  return templates[kind];
};

/** Fills a template. A name without a value is empty; runs of empty lines become one. */
export const fill = (template: string, values: Values): string => {
  const named = (name: string): string => (Object.hasOwn(values, name) ? (values[name] ?? "") : "");
  return template
    .replaceAll(/^\{\{#(\w+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}\n/gm, (_, name: string, inner: string) =>
      named(name) === "" ? "" : inner,
    )
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => named(name))
    .trim()
    .concat("\n");
};

/** Names a template uses; for the test that every one is given. */
export const namesIn = (template: string): readonly string[] => [
  ...new Set([...template.matchAll(/\{\{[#/]?(\w+)\}\}/g)].map(([, name = ""]) => name)),
];
