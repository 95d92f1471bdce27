/**
 * Prompt templates: `{{name}}` is a value, `{{#name}} ... {{/name}}` is kept when the value says something, `{{> name}}` is a part
 * that several prompts share. Values are put in as they are and never read as templates again. The texts stand in `prompts/`, one
 * file a prompt, and the parts in `prompts/part/`.
 */
import { readFileSync } from "node:fs";
import type { PromptKind } from "../machine/prompt-kind.ts";

export type Values = Readonly<Record<string, string>>;

const folder = new URL("../../prompts/", import.meta.url);

const templates: Partial<Record<PromptKind, string>> = {};

/** The text of a template; read once. */
export const templateOf = (kind: PromptKind): string => {
  templates[kind] ??= textOf(kind).replaceAll(/^\{\{> (\w+)\}\}\n/gm, (_, name: string) => textOf(`part/${name}`));
  return templates[kind];
};

const textOf = (name: string): string => readFileSync(new URL(`${name}.md`, folder), "utf8");

/** Fills a template. A name without a value is empty; runs of empty lines become one, and a heading has one before it. */
export const fill = (template: string, values: Values): string => {
  const named = (name: string): string => (Object.hasOwn(values, name) ? (values[name] ?? "") : "");
  const kept = (text: string): string =>
    text.replaceAll(/^\{\{#(\w+)\}\}\n([\s\S]*?)^\{\{\/\1\}\}\n/gm, (_, name: string, inner: string) =>
      named(name) === "" ? "" : kept(inner),
    );
  return kept(template)
    .replaceAll(/^(?=#+ )/gm, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => named(name))
    .trim()
    .concat("\n");
};

/** Names a template uses; for the test that every one is given. */
export const namesIn = (template: string): readonly string[] => [
  ...new Set([...template.matchAll(/\{\{[#/]?(\w+)\}\}/g)].map(([, name = ""]) => name)),
];
