/**
 * Whether an answer can be sent: one that is too deep or too large could overflow the stack, or block the process for seconds; one with
 * a value that JSON has no form for would arrive as something else, on each transport as something different. What is said of one that the
 * contract does not allow.
 *
 * Not here: inputs, which are measured exactly (`scan.ts`).
 */
import { type Issue, type OutputLimits, pathText } from "@fairlead/contracts";

const tooDeep = Number.NEGATIVE_INFINITY;
const notJson = -Number.MAX_VALUE;

/** The limit that the value passes, if it passes one; `form` for what is not JSON. Sizes are taken at their least: a character is a byte. */
export const exceededLimit = (
  value: unknown,
  { bytes, depth }: OutputLimits,
): "bytes" | "depth" | "form" | undefined => {
  const left = spend(value, bytes, depth);
  if (left >= 0) return undefined;
  return left === tooDeep ? "depth" : left === notJson ? "form" : "bytes";
};

/** Where a value is that JSON has no form for, and what it is: like `rows[0].at` and `a Date`. */
export const findNonJson = (value: unknown, path: readonly PropertyKey[] = []): NonJson | undefined => {
  if (!isJson(value)) return { path: pathText(path), what: describeValue(value) };
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined && !Array.isArray(value)) continue;
    const found = findNonJson(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
};

interface NonJson {
  readonly path: string;
  readonly what: string;
}

/** Issues that one message names. */
const mostNamed = 3;

/** What the issues of a value come to: path, expectation and kind of what is there, like `rows[1].n: expected a number, got a text`. */
export const issuesText = (issues: readonly Issue[], value: unknown): string => {
  const named = issues.slice(0, mostNamed).map(({ path, expected }) => {
    const found = findAt(value, path);
    const got = found === undefined ? "nothing" : kindText(found.value);
    return `${path === "" ? "" : `\`${path}\`: `}expected ${expected}, got ${got}`;
  });
  const more = issues.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join("; ");
};

/** The value at a path as `pathText` writes it; `undefined` where there is none. */
const findAt = (value: unknown, path: string, at: readonly PropertyKey[] = []): { value: unknown } | undefined => {
  const here = pathText(at);
  if (here === path) return value === undefined ? undefined : { value };
  if (!path.startsWith(here) || typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = findAt(item, path, [...at, Array.isArray(value) ? Number(key) : key]);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Never the value itself, which may be a secret. */
const kindText = (value: unknown): string => {
  if (typeof value === "string") return `a text of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "a whole number" : "a number";
  return typeof value === "object" && isPlain(value) ? "an object" : describeValue(value);
};

const describeValue = (value: unknown): string => {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return value === undefined ? "undefined" : `a ${typeof value}`;
  return `a ${value.constructor?.name ?? "special object"}`;
};

/** True for what JSON can say, not counting what is inside. */
const isJson = (value: unknown): boolean => {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value);
    case "object":
      return value === null || isPlain(value);
    case "string":
    case "boolean":
      return true;
    default:
      return false;
  }
};

/** Plain objects of any realm, and instances of classes that are nothing but their fields. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) return true;
  const tag = Object.prototype.toString.call(value);
  return (tag === "[object Object]" || tag === "[object Array]") && !("toJSON" in value);
};

/** What is left of the bytes once the value is paid for; below zero when they do not do. The depth bounds the recursion. */
const spend = (value: unknown, bytes: number, depth: number): number => {
  if (typeof value === "string") return bytes - value.length - 2;
  if (!isJson(value)) return notJson;
  if (typeof value !== "object" || value === null) return bytes - 1;
  if (depth === 0) return tooDeep;
  let left = bytes - 1;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = spend(item, left - 1, depth - 1);
      if (left < 0) return left;
    }
    return left;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    if (members[key] === undefined) continue;
    left = spend(members[key], left - key.length - 4, depth - 1);
    if (left < 0) return left;
  }
  return left;
};
