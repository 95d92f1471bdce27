/**
 * Rows of a projection: one class per list of names, so that a million of them share one hidden class.
 *
 * Rows have no prototype members: no `constructor`, no `toString`, nothing that JavaScript would call by itself.
 */

import { types } from "node:util";
import { portable } from "../core/portable.ts";

/** A row that a query made. */
export type Row = Readonly<Record<string, unknown>>;

const prototypes = new WeakSet<object>();

/** True for rows that we made. A proxy of one is none, and none of its code runs. */
export const isRow = (value: object): value is Row => {
  if (types.isProxy(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === "object" && prototype !== null && prototypes.has(prototype);
};

interface RowClass {
  readonly names: readonly string[];
  new (...values: readonly unknown[]): Row;
}

/** Names that no row may have: JavaScript would treat them specially. */
export const blockedNames: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const madeClasses = new Map<string, RowClass>();
const kept = 256;

/** The class for these names; the same one for the same names, while it is remembered. */
export const rowClass = portable("rowClass", (names: readonly string[]): RowClass => {
  const key = JSON.stringify(names);
  const known = madeClasses.get(key);
  if (known !== undefined) return known;
  const fresh = build(names);
  if (madeClasses.size >= kept) madeClasses.clear();
  madeClasses.set(key, fresh);
  return fresh;
});

/** @NOTE Source made from names: each is quoted as JSON, so a name is only ever a string in it. */
const build = (names: readonly string[]): RowClass => {
  const keys = names.map((name) => quotedSource(name));
  const values = names.map((_, index) => `v${index}`);
  const body = `return class {
    ${keys.map((key) => `${key};`).join("\n    ")}
    constructor(${values.join(", ")}) { ${keys.map((key, index) => `this[${key}] = v${index};`).join(" ")} }
  }`;
  const type: RowClass = new Function(body)();
  Object.defineProperty(type, "names", { value: Object.freeze([...names]) });
  Reflect.deleteProperty(type.prototype, "constructor");
  Object.setPrototypeOf(type.prototype, null);
  prototypes.add(type.prototype);
  return Object.freeze(type);
};

/** A string as a literal of source text: only ASCII, no quote or line end can get out. */
export const quotedSource = (text: string): string => {
  let out = '"';
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const plain = code >= 32 && code < 127 && code !== 34 && code !== 92 && code !== 60;
    out += plain ? text.charAt(index) : `\\u${code.toString(16).padStart(4, "0")}`;
  }
  return `${out}"`;
};
