/**
 * Prompt templates, read line by line: `{{name}}` is a value, the lines from `{{#name}}` to `{{/name}}` are kept when the value is not
 * empty, `{{> name}}` is a part that several prompts share. Values are put in as they are and never read as templates again. The
 * texts are in `prompts/`, one file a prompt, and the parts in `prompts/part/`.
 */
import { readFileSync } from "node:fs";
import type { PromptKind } from "../state/prompt-kind.ts";

export type TemplateValues = Readonly<Record<string, string>>;

/** A line, or lines that depend on a value. */
type TemplateNode = string | { readonly name: string; readonly inner: readonly TemplateNode[] };

type Template = readonly TemplateNode[];

const folder = new URL("../../prompts/", import.meta.url);

const templates: Partial<Record<PromptKind, Template>> = {};

/** The template of a prompt; read once. */
export const loadTemplate = (kind: PromptKind): Template => {
  templates[kind] ??= parseTemplate(readPromptText(kind));
  return templates[kind];
};

const readPromptText = (name: string): string => readFileSync(new URL(`${name}.md`, folder), "utf8");

interface Section {
  readonly name: string;
  readonly inner: TemplateNode[];
}

/** Reads a template. Throws where a section is not closed, or closed and not open. */
export const parseTemplate = (text: string): Template => {
  const whole: Section = { name: "", inner: [] };
  const open = [whole];
  for (const line of expandParts(text)) {
    const section = open.at(-1) ?? whole;
    const opened = readMark("{{#", line);
    const closed = readMark("{{/", line);
    if (opened !== undefined) {
      const inner: Section = { name: opened, inner: [] };
      section.inner.push(inner);
      open.push(inner);
    } else if (closed !== undefined) {
      if (closed !== section.name)
        throw new Error(`a template closes ${closed} where ${section.name || "nothing"} is open`);
      open.pop();
    } else section.inner.push(line);
  }
  if (open.length > 1) throw new Error(`a template leaves ${open.at(-1)?.name} open`);
  return whole.inner;
};

/** Lines, with the parts in place of their names. */
const expandParts = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => {
    const part = readMark("{{> ", line);
    return part === undefined ? [line] : expandParts(readPromptText(`part/${part}`).trimEnd());
  });

const isName = (text: string): boolean => /^\w+$/.test(text);

/** The name in a line that is nothing but a mark, like `{{#name}}`. */
const readMark = (mark: string, line: string): string | undefined => {
  if (!line.startsWith(mark) || !line.endsWith("}}")) return undefined;
  const name = line.slice(mark.length, -2);
  return isName(name) ? name : undefined;
};

/** Fills a template. A name without a value is empty; runs of empty lines become one, and a heading has one before it. */
export const fill = (template: Template, values: TemplateValues): string => {
  const valueFor = (name: string): string => (Object.hasOwn(values, name) ? (values[name] ?? "") : "");
  const kept = (nodes: Template): readonly string[] =>
    nodes.flatMap((node) => (typeof node === "string" ? [node] : valueFor(node.name) === "" ? [] : kept(node.inner)));
  return `${spaceHeadings(kept(template))
    .map((line) => fillLine(line, valueFor))
    .join("\n")
    .trim()}\n`;
};

const spaceHeadings = (lines: readonly string[]): readonly string[] => {
  const found: string[] = [];
  for (const line of lines) {
    if ((line === "" || /^#+ /.test(line)) && found.at(-1) !== "") found.push("");
    if (line !== "") found.push(line);
  }
  return found;
};

/** Puts the values into a line, in one pass. */
const fillLine = (line: string, valueFor: (name: string) => string): string =>
  line
    .split("{{")
    .map((piece, index) => {
      const end = piece.indexOf("}}");
      const name = piece.slice(0, Math.max(0, end));
      if (index === 0) return piece;
      return isName(name) ? valueFor(name) + piece.slice(end + 2) : `{{${piece}`;
    })
    .join("");

/** Names a template uses; for the test that each has a value. */
export const listNames = (template: Template): readonly string[] => {
  const names = new Set<string>();
  const note = (name: string): string => {
    names.add(name);
    return "";
  };
  for (const node of template) {
    if (typeof node === "string") fillLine(node, note);
    else for (const name of [node.name, ...listNames(node.inner)]) names.add(name);
  }
  return [...names];
};
