/** The values that a verb's texts, views and inputs are made of: found by path, and judged by conditions. Pure. */
import type { VerbCondition, VerbInput, VerbPath } from "../verb.ts";
import { isRecord } from "./record.ts";

export interface Scope {
  /** What `$name` stands for: arguments, flags, and what steps have bound. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Where other paths begin: the document, or an item of it. */
  readonly value: unknown;
}

/** The value at a path; `undefined` where there is none. */
export const valueAt = ({ variables, value }: Scope, path: VerbPath): unknown => {
  if (path === ".") return value;
  return path.startsWith("$") ? descend(variables, path.slice(1)) : descend(value, path);
};

const descend = (value: unknown, path: string): unknown =>
  path.split(".").reduce((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);

/** The items of a list at a path; none where there is no list. */
export const itemsAt = (scope: Scope, path: VerbPath): readonly unknown[] => {
  const value = valueAt(scope, path);
  return Array.isArray(value) ? value : [];
};

/** Null, false, 0 and what is empty count as missing. */
export const isMissing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 0 ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

/** Items of one list that are not in another. */
export const itemsOutside = (scope: Scope, some: VerbPath, outside: VerbPath): readonly unknown[] => {
  const inside = new Set(itemsAt(scope, outside));
  return itemsAt(scope, some).filter((item) => !inside.has(item));
};

const holds = (scope: Scope, condition: VerbCondition): boolean => {
  if ("present" in condition) return !isMissing(valueAt(scope, condition.present));
  if ("missing" in condition) return isMissing(valueAt(scope, condition.missing));
  if ("some" in condition) return itemsOutside(scope, condition.some, condition.outside).length > 0;
  const value = valueAt(scope, condition.value);
  if ("is" in condition) return value === condition.is;
  if ("not" in condition) return value !== condition.not;
  return value === valueAt(scope, condition.same);
};

/** Whether all conditions hold; true where there are none. */
export const allHold = (scope: Scope, conditions: readonly VerbCondition[] = []): boolean =>
  conditions.every((condition) => holds(scope, condition));

/** An input with its values; fields without a value are left out. */
export const fillInput = (scope: Scope, input: VerbInput): unknown => {
  if (typeof input === "string") return input.startsWith("$") ? valueAt(scope, input) : input;
  if (typeof input !== "object") return input;
  const fields = Object.entries(input).map(([name, field]) => [name, fillInput(scope, field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
};
