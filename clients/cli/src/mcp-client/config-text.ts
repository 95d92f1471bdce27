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
  if (!isRecord(entries)) throw new UsageError(`its member ${form.section} is no object`, "correct the file first");
  const expected = { ...before, [form.section]: { ...entries, [name]: value } };
  if (form.syntax === "toml") {
    const rest = name in entries ? removeTable(text, form.section, name) : text;
    return checked(appendTable(rest, form.section, name, value), "toml", expected);
  }
  const asked = before.inputs === undefined ? [] : before.inputs;
  if (!Array.isArray(asked)) throw new UsageError("its member inputs is no list", "correct the file first");
  const known = new Set(asked.map((input: unknown) => (isRecord(input) ? input.id : undefined)));
  const added = inputs.filter((id) => !known.has(id)).map(inputQuestion);
  const changed = added.reduce(
    (now, input) => edit(now, ["inputs", countInputs(now)], input),
    edit(text, [form.section, name], value),
  );
  return checked(changed, "json", added.length === 0 ? expected : { ...expected, inputs: [...asked, ...added] });
};

const countInputs = (text: string): number => {
  const { inputs } = parse(text, "json");
  return Array.isArray(inputs) ? inputs.length : 0;
};

const inputQuestion = (id: string): JsonRecord => ({ type: "promptString", id, description: id, password: true });

/** The text without the entry, and without the section where that was the last one. */
export const removeEntry = (text: string, form: FileForm, name: string): string => {
  const before = parse(text, form.syntax);
  const { [name]: _, ...rest } = readEntries(text, form);
  const { [form.section]: _all, ...others } = before;
  const isLast = Object.keys(rest).length === 0;
  const expected = isLast ? others : { ...before, [form.section]: rest };
  const path = isLast ? [form.section] : [form.section, name];
  const removed = form.syntax === "json" ? edit(text, path, undefined) : removeTable(text, form.section, name);
  return checked(removed, form.syntax, expected);
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

const edit = (text: string, path: jsonc.JSONPath, value: unknown): string => {
  const formattingOptions = {
    insertSpaces: !/^\t/m.test(text),
    tabSize: /^( +)\S/m.exec(text)?.[1]?.length ?? 2,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  const isBlank = text.trim() === "";
  const edited = jsonc.applyEdits(
    isBlank ? "{}" : text,
    jsonc.modify(isBlank ? "{}" : text, path, value, { formattingOptions }),
  );
  return isBlank ? `${edited}\n` : edited;
};

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

/** Without the lines of the entry's tables, and the empty ones before them; one of these stays before the next table. */
const removeTable = (text: string, section: string, name: string): string => {
  const kept: string[] = [];
  let isOwn = false;
  for (const line of text.split("\n")) {
    const path = tablePath(line);
    if (path !== undefined) {
      const wasOwn = isOwn;
      isOwn = path[0] === section && path[1] === name;
      if (isOwn) while (kept.at(-1)?.trim() === "") kept.pop();
      else if (wasOwn && kept.length > 0) kept.push("");
    }
    if (!isOwn) kept.push(line);
  }
  const rest = kept.join("\n");
  return rest === "" || rest.endsWith("\n") ? rest : `${rest}\n`;
};

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
  if (isDeepStrictEqual(plain(parse(text, syntax)), plain(expected))) return text;
  throw new UsageError(
    "it cannot be changed without changing what else it says, as when a name is in it twice",
    "edit the file by hand",
  );
};

/** As JSON has it: readers differ in prototypes and in their classes for numbers and dates. */
const plain = (value: JsonRecord): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? String(part) : part)));
