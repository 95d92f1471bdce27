/**
 * A client's file as text, with one entry put in or taken out, and all else left as it was: comments, order, indentation, line ends.
 * Each edit is read again and refused when it changed anything but the entry. Pure.
 *
 * Not here: the files (`config-file.ts`).
 */
import { isDeepStrictEqual } from "node:util";
import * as jsonc from "jsonc-parser";
import * as toml from "smol-toml";
import { UsageError } from "../command/failure.ts";
import { isRecord, type JsonRecord } from "../text/record.ts";
import type { McpClient } from "./clients.ts";

type FileForm = Pick<McpClient, "syntax" | "section">;

/** The entries of a file by name. */
export const readEntries = (text: string, { syntax, section }: FileForm): Readonly<Record<string, unknown>> => {
  const entries = parse(text, syntax)[section];
  return isRecord(entries) ? entries : {};
};

interface Addition {
  readonly name: string;
  readonly value: JsonRecord;
  readonly inputs?: readonly string[];
}

/** The text with the entry in it; another one of that name is replaced. */
export const addEntry = (text: string, form: FileForm, { name, value, inputs = [] }: Addition): string => {
  const before = parse(text, form.syntax);
  const { [form.section]: entries = {} } = before;
  if (!isRecord(entries)) throw new UsageError(`its member ${form.section} is not an object`, "correct the file first");
  const expected = { ...before, [form.section]: { ...entries, [name]: value } };
  if (form.syntax === "toml") {
    const rest = name in entries ? removeTable(text, form.section, name) : text;
    return checked(appendTable(rest, form.section, name, value), "toml", expected);
  }
  const asked = before.inputs === undefined ? [] : before.inputs;
  if (!Array.isArray(asked)) throw new UsageError("its member inputs is not a list", "correct the file first");
  const known = new Set(asked.map((input: unknown) => (isRecord(input) ? input.id : undefined)));
  const added = inputs.filter((id) => !known.has(id)).map(inputQuestion);
  const changed = setMember(text, [form.section, name], value);
  if (added.length === 0) return checked(changed, "json", expected);
  const questions = [...asked, ...added];
  return checked(setMember(changed, ["inputs"], questions), "json", { ...expected, inputs: questions });
};

const inputQuestion = (id: string): JsonRecord => ({ type: "promptString", id, description: id, password: true });

/** The text without the entry, without the section where that was the last one, and without the questions that only it needed. */
export const removeEntry = (text: string, form: FileForm, name: string): string => {
  const before = parse(text, form.syntax);
  const { [name]: own, ...rest } = readEntries(text, form);
  const { [form.section]: _all, ...others } = before;
  const isLast = Object.keys(rest).length === 0;
  const left = isLast ? others : { ...before, [form.section]: rest };
  if (form.syntax === "toml") return checked(removeTable(text, form.section, name), "toml", left);
  const removed = cut(text, isLast ? [form.section] : [form.section, name]);
  const needed = (input: unknown): boolean =>
    !isRecord(input) || !mentions(own, input.id) || Object.values(rest).some((other) => mentions(other, input.id));
  const asked = before.inputs;
  if (!Array.isArray(asked) || asked.every(needed)) return checked(removed, "json", left);
  const places = asked.flatMap((input: unknown, at) => (needed(input) ? [] : [at]));
  const kept = asked.filter(needed);
  const without = places.toReversed().reduce((now, at) => cut(now, ["inputs", at]), removed);
  if (kept.length > 0) return checked(without, "json", { ...left, inputs: kept });
  const { inputs: _inputs, ...plainRest } = { ...left, inputs: kept };
  return checked(cut(without, ["inputs"]), "json", plainRest);
};

const mentions = (entry: unknown, input: unknown): boolean =>
  JSON.stringify(entry ?? null).includes(`\${input:${String(input)}}`);

/** The text without a member or an item: its own characters and one comma. Comments around it stay. */
const cut = (text: string, path: readonly (string | number)[]): string => {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  const value = root && jsonc.findNodeAtLocation(root, [...path]);
  if (value === undefined) return text;
  const node = value.parent?.type === "property" ? value.parent : value;
  const siblings = node.parent?.children ?? [];
  const end = node.offset + node.length;
  const before = siblings[siblings.indexOf(node) - 1];
  const comma = findComma(text, end) ?? (before && findComma(text, before.offset + before.length));
  const own = wholeLines(text, node.offset, comma === end ? end + 1 : end);
  const ranges = comma === undefined || comma === end ? [own] : [own, [comma, comma + 1] as const];
  return ranges.toSorted(([a], [b]) => b - a).reduce((now, [from, to]) => now.slice(0, from) + now.slice(to), text);
};

/** Where the comma behind a value is; `undefined` where something else follows. */
const findComma = (text: string, from: number): number | undefined => {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at : undefined;
};

/** The range, and the line around it where nothing else is on that. */
const wholeLines = (text: string, from: number, to: number): readonly [number, number] => {
  const begin = text.lastIndexOf("\n", from - 1) + 1;
  const end = text.indexOf("\n", to);
  const isAlone = end >= 0 && text.slice(begin, from).trim() === "" && text.slice(to, end).trim() === "";
  return isAlone ? [begin, end + 1] : [from, to];
};

const parse = (text: string, syntax: McpClient["syntax"]): JsonRecord =>
  syntax === "toml" ? parseToml(text) : parseJson(text);

const parseToml = (text: string): JsonRecord => {
  try {
    return toml.parse(text);
  } catch (cause) {
    if (!(cause instanceof toml.TomlError)) throw cause;
    throw notReadable("TOML", cause.line, cause);
  }
};

const notReadable = (language: string, line: number, cause?: unknown): UsageError =>
  new UsageError(`it is not readable as ${language}: line ${line}`, "correct the file first", { cause });

const parseJson = (text: string): JsonRecord => {
  if (text.trim() === "") return {};
  const errors: jsonc.ParseError[] = [];
  const value: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) throw notReadable("JSON", text.slice(0, first.offset).split("\n").length);
  if (!isRecord(value)) throw new UsageError("it holds no object", "correct the file first");
  return value;
};

/** The text with a value at the path: in the place of the one that is there, else as the first member. All other characters stay. */
const setMember = (text: string, path: readonly string[], value: unknown): string => {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return `${JSON.stringify(nested(path, value), null, 2)}\n`;
  const there = jsonc.findNodeAtLocation(root, [...path]);
  if (there !== undefined)
    return text.slice(0, there.offset) + written(text, value, path.length) + text.slice(there.offset + there.length);
  const depth = jsonc.findNodeAtLocation(root, path.slice(0, 1)) === undefined ? 0 : path.length - 1;
  const parent = jsonc.findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  const [key = "", ...rest] = path.slice(depth);
  const { eol, unit } = style(text);
  const member = `${eol}${unit.repeat(depth + 1)}${JSON.stringify(key)}: ${written(text, nested(rest, value), depth + 1)}`;
  const begin = parent.offset + 1;
  const after = text.slice(begin);
  if ((parent.children ?? []).length > 0) return `${text.slice(0, begin)}${member},${after}`;
  const inside = after.slice(0, parent.length - 2).trim() === "" ? after.trimStart() : after;
  return `${text.slice(0, begin)}${member}${inside === after ? "" : eol + unit.repeat(depth)}${inside}`;
};

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

/** As JSON in the style of the file, from its second line on so deep. */
const written = (text: string, value: unknown, depth: number): string => {
  const { eol, unit } = style(text);
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + unit.repeat(depth));
};

/** What ends a line, and what indents one. */
const style = (text: string): { readonly eol: string; readonly unit: string } => ({
  eol: text.includes("\r\n") ? "\r\n" : "\n",
  unit: /^([\t ]+)\S/m.exec(text)?.[1]?.slice(0, 8) ?? "  ",
});

/** At the end, after an empty line. */
const appendTable = (text: string, section: string, name: string, value: JsonRecord): string => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const table = toml
    .stringify({ [section]: { [name]: value } })
    .trimEnd()
    .replaceAll("\n", eol);
  if (text.trim() === "") return `${table}${eol}`;
  return `${text}${text.endsWith("\n") ? "" : eol}${eol}${table}${eol}`;
};

/** Without the lines of the entry's tables, and the empty ones before them. What comments before the next table belongs to that. */
const removeTable = (text: string, section: string, name: string): string => {
  const kept: string[] = [];
  let own: string[] | undefined;
  for (const line of text.split("\n")) {
    const path = tablePath(line);
    if (path !== undefined) {
      const isOwn = path[0] === section && path[1] === name;
      if (own !== undefined && !isOwn) kept.push(...own.slice(own.findLastIndex(isContent) + 1));
      if (isOwn) while (own === undefined && kept.at(-1)?.trim() === "") kept.pop();
      own = isOwn ? [...(own ?? []), line] : undefined;
      if (!isOwn) kept.push(line);
    } else if (own === undefined) kept.push(line);
    else own.push(line);
  }
  if (own !== undefined) kept.push(...own.slice(own.findLastIndex(isContent) + 1));
  const rest = kept.join("\n");
  return rest === "" || rest.endsWith("\n") ? rest : `${rest}\n`;
};

/** Of a line: neither empty nor a comment. */
const isContent = (line: string): boolean => !/^\s*(?:#|$)/.test(line);

/** The path of a table that a line opens; `undefined` of any other line. */
const tablePath = (line: string): readonly string[] | undefined => {
  if (!line.trimStart().startsWith("[")) return undefined;
  try {
    const path: string[] = [];
    for (let at: unknown = toml.parse(line); isRecord(at) && Object.keys(at).length > 0; ) {
      const [key = ""] = Object.keys(at);
      path.push(key);
      at = at[key];
    }
    return path;
  } catch {
    return undefined;
  }
};

/** The text, when it says what is expected and nothing else. */
const checked = (text: string, syntax: McpClient["syntax"], expected: JsonRecord): string => {
  if (isDeepStrictEqual(plain(parseEdited(text, syntax)), plain(expected))) return text;
  throw notEditable();
};

const parseEdited = (text: string, syntax: McpClient["syntax"]): JsonRecord => {
  try {
    return parse(text, syntax);
  } catch (cause) {
    throw notEditable(cause);
  }
};

const notEditable = (cause?: unknown): UsageError =>
  new UsageError(
    "it cannot be changed without changing what else it says, as when a name is in it twice",
    "edit the file by hand",
    { cause },
  );

/** As JSON has it: readers differ in prototypes and in their classes for numbers and dates. */
const plain = (value: JsonRecord): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)));
