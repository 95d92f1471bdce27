/** A host over plain data reads own data only: nothing of the data runs. */
import { expect, test } from "vitest";
import { LinqError } from "../core/error.ts";
import { defaultLimits } from "../core/limits.ts";
import { evaluate } from "../run/evaluate.ts";
import { runQuery } from "../run/query.ts";
import { plainHost } from "./plain-host.ts";

const value = (text: string, roots: Readonly<Record<string, unknown>>, args: readonly string[] = []): unknown =>
  evaluate(text, { host: plainHost(roots, { now: () => 0 }), args }).value;

const codeOf = (text: string, roots: Readonly<Record<string, unknown>>): string => {
  try {
    value(text, roots);
  } catch (error) {
    if (error instanceof LinqError) return error.code;
    throw error;
  }
  return expect.unreachable("it ran");
};

test.each([
  ["rows.Count(n > 1)", { rows: [{ n: 1 }, { n: 2 }] }, 1],
  ["rows[1].n", { rows: [{ n: 1 }, { n: 2 }] }, 2],
  ["ages.Ada + 1", { ages: { Ada: 36 } }, 37],
  ['ages["Ada"]', { ages: new Map([["Ada", 36]]) }, 36],
  ["ages.Count", { ages: new Map([["Ada", 36]]) }, 1],
  ["tags.Contains(@0)", { tags: new Set(["a"]) }, undefined],
  ["day.Year", { day: new Date(0) }, 1970],
  ["DateTime.Now.Year", {}, 1970],
  ["row.missing == null", { row: {} }, true],
  ["row.toString == null", { row: {} }, true],
] as const)("%s", (text, roots, expected) => {
  if (expected === undefined) expect(() => value(text, roots)).toThrow(LinqError);
  else expect(value(text, roots)).toBe(expected);
});

test("getters, proxies and long lists are refused, and nothing of them runs", () => {
  const ran: string[] = [];
  const trap = new Proxy({}, { get: () => ran.push("get"), getOwnPropertyDescriptor: () => void ran.push("own") });
  const getter = Object.defineProperty({}, "n", { get: () => ran.push("getter"), enumerable: true });
  const odd = Object.assign(new Map([["n", 1]]), { has: () => ran.push("has"), forEach: () => ran.push("forEach") });
  const element = Object.defineProperty([1], 0, { get: () => ran.push("element") });
  expect(codeOf("x.n", { x: trap })).toBe("not_readable");
  expect(codeOf("x.n", { x: getter })).toBe("not_readable");
  expect(codeOf("x.Sum()", { x: element })).toBe("not_readable");
  expect(codeOf("x.Count()", { x: trap })).toBe("not_a_collection");
  expect(value("x.Count + x[@0]", { x: odd }, ["n"])).toBe(2);
  const limits = { ...defaultLimits, items: 2 };
  const host = plainHost({ x: [1, 2, 3] }, { limits });
  expect(() => evaluate("x.Sum()", { host, limits })).toThrow(/3 elements; 2 are allowed/);
  expect(ran).toEqual([]);
});

test("a query over an array: filtered, ordered, shaped, cut", () => {
  const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, group: id % 3 }));
  const query = { from: "rows", where: "group == 1", orderBy: "id desc", select: "new { id }", take: 2 };
  const { rows: found, matched, more } = runQuery(query, { host: plainHost({ rows }) });
  expect(found.map((row) => ({ ...(row as object) }))).toEqual([{ id: 4999 }, { id: 4996 }]);
  expect({ matched, more }).toEqual({ matched: 1667, more: true });
  expect(
    runQuery({ from: "rows", groupBy: "group", orderBy: "Key" }, { host: plainHost({ rows }) }).rows.map((row) => ({
      ...(row as object),
    })),
  ).toEqual([0, 1, 2].map((Key) => ({ Key, Count: Key === 2 ? 1666 : 1667 })));
});
