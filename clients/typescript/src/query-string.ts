/**
 * The query string of a call, where it can have all of the input: the client decides for each call between GET and POST. Pure.
 *
 * Not here: which fields a query string can have; the descriptor lists them.
 */
import type { QueryType } from "./descriptor.ts";

/** Characters. Servers and proxies take addresses of 8,000 at least; a short one leaves room for all that is in front of it. */
const longestQuery = 2_000;

/** `undefined` where the input has a field that no query string can have, a value that is not of its field's type, or too much text. */
export const queryString = (input: unknown, fields: Readonly<Record<string, QueryType>>): string | undefined => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const texts = type === undefined ? undefined : parameterTexts(value, type);
    if (texts === undefined) return undefined;
    for (const text of texts) query.append(name, text);
  }
  const text = query.toString();
  return text.length > longestQuery ? undefined : text;
};

/** The texts of a parameter; a list without items would be absent. */
const parameterTexts = (value: unknown, type: QueryType): readonly string[] | undefined => {
  const scalar = type.replace("[]", "");
  const values: readonly unknown[] = scalar === type ? [value] : Array.isArray(value) ? value : [];
  const texts = values.flatMap((each) => (isScalar(each) && typeof each === scalar ? [String(each)] : []));
  return texts.length === values.length && texts.length > 0 ? texts : undefined;
};

/** Half a surrogate pair has no place in an address, and JSON has no NaN. */
const isScalar = (value: unknown): boolean =>
  typeof value === "string"
    ? value.isWellFormed()
    : typeof value === "number"
      ? Number.isFinite(value)
      : typeof value === "boolean";
