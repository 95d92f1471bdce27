/**
 * Values that complete an argument of a prompt or a field of a resource: written in the contract, or members of what a query answers. Inputs of queries in
 * which a text in braces stands for a value are filled in here.
 *
 * Not here: who may ask that query (dispatch), and how a client is answered (the transports).
 */
import type { Choices } from "@fairlead/contracts";
import { isRecord, readMember } from "../call/record.ts";

/** Output of a query, by its full name; `undefined` where it is refused. */
export type AskQuery = (procedure: string, input: unknown) => Promise<unknown>;

export type Values = Readonly<Record<string, string>>;

export interface Completion {
  readonly values: readonly string[];
  /** How many fit, before the list was cut. */
  readonly total: number;
}

/** Most values of one answer, by MCP. */
export const mostValues = 100;

/** An input with values in place of the texts that stand for them; a member whose value is not known is left out. */
export const fillInput = (input: unknown, values: Values, typed = ""): unknown => {
  if (typeof input === "string") {
    const place = /^\{([a-z][A-Za-z0-9]*)?\}$/.exec(input);
    if (place === null) return input;
    const [, name] = place;
    if (name === undefined) return typed;
    return Object.hasOwn(values, name) ? values[name] : undefined;
  }
  if (Array.isArray(input)) return input.map((item) => fillInput(item, values, typed));
  if (!isRecord(input)) return input;
  const filled = Object.entries(input).map(([name, value]) => [name, fillInput(value, values, typed)] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
};

/** What is known, and what is typed of the one that is asked for. */
export interface TypedValue {
  readonly typed: string;
  readonly values: Values;
}

/** All values there are, in their order and each once. */
export const listChoices = async (
  service: string,
  choices: Choices | undefined,
  { ask, typed, values }: TypedValue & { readonly ask: AskQuery },
): Promise<readonly string[]> => {
  if (choices === undefined) return [];
  if (!("call" in choices)) return choices;
  const output = await ask(`${service}.${choices.call}`, fillInput(choices.input ?? {}, values, typed));
  return [...new Set(valuesAt(output, choices.path.split(".")))];
};

/** Values that begin with what is typed, then those that have it elsewhere. */
export const complete = (values: readonly string[], typed: string): Completion => {
  const wanted = typed.toLowerCase();
  const near = [...new Set(values)].filter((value) => value.toLowerCase().includes(wanted));
  const begins = (value: string): boolean => value.toLowerCase().startsWith(wanted);
  const found = [...near.filter(begins), ...near.filter((value) => !begins(value))];
  return { values: found.slice(0, mostValues), total: found.length };
};

/** What is at a path of names, through lists: texts and numbers. */
const valuesAt = (value: unknown, path: readonly string[]): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [name, ...rest] = path;
  if (name !== undefined) return isRecord(value) ? valuesAt(readMember(value, name), rest) : [];
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
};
