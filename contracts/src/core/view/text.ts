/** A verb's text with the values in its braces, each through its filters. Pure. */
import type { VerbText } from "../verb.ts";
import { isRecord } from "./record.ts";
import { isMissing, type Scope, valueAt } from "./scope.ts";

/** A value in a line of text. */
export const showValue = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  return JSON.stringify(value);
};

type Filter = (value: unknown, argument: string) => unknown;

/** The filters that a text may name, like `{endpoint|cut:60}`. */
const filters: Readonly<Record<string, Filter>> = {
  count: (value) => (Array.isArray(value) ? value.length : 0),
  cut: (value, longest) => cutText(showValue(value), Number(longest)),
  number: (value) => String(Number(value)),
  or: (value, text) => (isMissing(value) ? text : value),
  pairs: (value, without) => fieldPairs(value, without.split(",")),
  root: (value) => Math.sqrt(Number(value)).toFixed(3),
  time: (value) => (typeof value === "string" ? value.slice(11, 19) : undefined),
  times: (value) => (value === 1 ? "once" : isMissing(value) ? undefined : `${showValue(value)} times`),
};

const cutText = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;

/** `name=value` of each field that has one. */
const fieldPairs = (value: unknown, without: readonly string[]): string =>
  Object.entries(isRecord(value) ? value : {})
    .filter(([key, field]) => !without.includes(key) && !(Array.isArray(field) && field.length === 0))
    .map(([key, field]) => `${key}=${Array.isArray(field) ? field.join(",") : showValue(field)}`)
    .join(" ");

const braces = /\{([^{}]+)\}/g;

const applyFilters = (scope: Scope, inner: string): unknown => {
  const [path = "", ...names] = inner.split("|");
  return names.reduce(
    (value, named) => {
      const [name = "", argument = ""] = named.split(/:(.*)/s);
      // A filter that a later release brings leaves the value as it is.
      const filter = filters[name];
      return filter === undefined ? value : filter(value, argument);
    },
    valueAt(scope, path),
  );
};

const fill = (scope: Scope, template: string): string =>
  template.replace(braces, (_, inner: string) => showValue(applyFilters(scope, inner)));

const isComplete = (scope: Scope, template: string): boolean =>
  [...template.matchAll(braces)].every(([, inner = ""]) => !isMissing(applyFilters(scope, inner)));

/** The text; `undefined` where it is made of parts and each lacks a value. */
export const fillText = (scope: Scope, text: VerbText): string | undefined => {
  if (typeof text === "string") return fill(scope, text);
  const parts = text.parts.filter((part) => isComplete(scope, part));
  return parts.length === 0 ? undefined : parts.map((part) => fill(scope, part)).join(text.between);
};
