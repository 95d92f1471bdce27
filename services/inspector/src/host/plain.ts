/**
 * Rows that the host marks as plain data: own data properties only. Each row is looked at once, when it is first met; later
 * queries only compare it with the row that was there, so that a million of them cost next to nothing.
 *
 * A row that is not plain (a getter, a proxy, a prototype of its own) is not an error: the query reads it the careful way.
 */
import { types } from "node:util";
import type { DirectRows } from "../linq/host.ts";

const marked = new WeakMap<object, unknown[]>();

/** Marks an array of plain rows for fast queries. Nothing about it or its rows is changed. */
export const plain = <T extends readonly unknown[]>(rows: T): T => {
  if (!Array.isArray(rows) || types.isProxy(rows)) throw new TypeError("plain() takes an array that is no proxy");
  if (!marked.has(rows)) marked.set(rows, []);
  return rows;
};

/** True for marked arrays: their elements are read as they are. */
export const isMarked = (value: object): value is readonly unknown[] => marked.has(value);

/** For marked arrays: their keys, and the check to run before reading rows directly. */
export const plainRows = (rows: readonly unknown[]): DirectRows | undefined => {
  const seen = marked.get(rows);
  if (seen === undefined) return undefined;
  if (seen.length > rows.length) seen.length = rows.length;
  const admits = (from: number, to: number): boolean => {
    let all = true;
    for (let index = from; index < to; index++) {
      const row = rows[index];
      if (seen[index] === row && row !== undefined) continue;
      if (isPlain(row)) seen[index] = row;
      else all = false;
    }
    return all;
  };
  return { keys: keysOf(rows), admits };
};

const isPlain = (row: unknown): boolean => {
  if (typeof row !== "object" || row === null || types.isProxy(row)) return false;
  const prototype: unknown = Object.getPrototypeOf(row);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key of Object.getOwnPropertyNames(row)) {
    const found = Object.getOwnPropertyDescriptor(row, key);
    if (found === undefined || !("value" in found)) return false;
  }
  return true;
};

/** Names that the first plain rows have, for settling the case of names. */
const keysOf = (rows: readonly unknown[]): readonly string[] => {
  const keys = new Set<string>();
  for (const row of rows.slice(0, 16))
    if (isPlain(row) && typeof row === "object" && row !== null) for (const key of Object.keys(row)) keys.add(key);
  return [...keys];
};
