/** A pass over rows while others run between its steps: what they changed is read with care, and nothing of theirs runs. */
import "../testing/natives.ts";
import { dynamic, type QueryResult, type QueryText, type Resumable, startQuery } from "@fairlead/linq";
import { expect, test } from "vitest";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";

const started = (rows: readonly unknown[], query: Omit<QueryText, "from">): Resumable<QueryResult> => {
  const roots = [{ name: "Rows", type: dynamic, read: () => rows }];
  const host = hostAccess({ registry: new Registry([]), now: () => 0, roots });
  return startQuery({ from: "Rows", ...query }, { host, budget: { isSpent: () => true } });
};

/** Runs a query that pauses wherever it may; others run once, after the first chunk of its rows (it is checked in one step) or later. */
const interrupted = (work: Resumable<QueryResult>, others: () => void, pauses = 2): QueryResult => {
  let step = work.next(true);
  for (let pause = 1; pause < pauses; pause++) step = work.next(false);
  others();
  for (let othersRan = true; step.done !== true; othersRan = false) step = work.next(othersRan);
  return step.value;
};

const many = (): { id: number; note?: string }[] => Array.from({ length: 5_000 }, (_, id) => ({ id }));

test("rows that all get the same getter meanwhile are known for others than they were", () => {
  const rows = many();
  const fired: string[] = [];
  const get = (): string => `${fired.push("note")}`;
  const arm = (): void => {
    for (const row of rows) Object.defineProperty(row, "note", { get, enumerable: true, configurable: true });
  };
  expect(() => interrupted(started(rows, { where: 'note == "1"', select: "id" }), arm)).toThrow(/getter/);
  expect(fired).toEqual([]);
});

test("a list that gets a getter among its elements meanwhile is not read on", () => {
  const rows = many();
  const fired: string[] = [];
  const arm = (): void => void Object.defineProperty(rows, 4_000, { get: () => fired.push("element") });
  expect(() => interrupted(started(rows, { where: "id > 4500", select: "id" }), arm)).toThrow(/getter/);
  expect(fired).toEqual([]);
});

test("a list that grows and shrinks meanwhile is read as far as it goes", () => {
  const rows = many();
  const cut = (): void => void rows.splice(3_000);
  expect(interrupted(started(rows, { where: "id > 2997", select: "id" }), cut).rows).toEqual([2998, 2999]);
});

test("a list that shrinks within a chunk is read as far as it goes", () => {
  const rows: unknown[] = many();
  rows[2_500] = null;
  const cut = (): void => void rows.splice(2_900);
  const { rows: found } = interrupted(started(rows, { where: "it == null || id > 2897" }), cut, 4);
  expect(found).toEqual([null, { id: 2898 }, { id: 2899 }]);
});

const withLines = (): unknown[] =>
  Array.from({ length: 100 }, (_, id) => ({ id, lines: Array.from({ length: 40 }, (_, count) => ({ count })) }));
const long = { where: "it == null || lines.Any(count > 100)" };

test("a list that shrinks while a row of it is read is read as far as it goes", () => {
  const rows = withLines();
  const cut = (): void => void rows.splice(10);
  expect(interrupted(started(rows, long), cut, 9).matched).toBe(0);
});

test("a list that gets a getter while a row of it is read is not read on", () => {
  const rows = withLines();
  const fired: string[] = [];
  const arm = (): void => void Object.defineProperty(rows, 10, { get: () => fired.push("element") });
  expect(() => interrupted(started(rows, long), arm, 10)).toThrow(/getter/);
  expect(fired).toEqual([]);
});

test("single rows that are not plain cost the others nothing", () => {
  const rows: unknown[] = many();
  for (const at of [0, 700, 701, 702, 1_023, 4_999]) rows[at] = null;
  rows[1_500] = Object.assign(Object.create({ inherited: 1 }), { id: 1_500 });
  const { rows: found, path } = interrupted(started(rows, { where: "it == null || id == 1500", take: 10 }), () => {});
  expect(found).toEqual([null, null, null, null, null, rows[1_500], null]);
  expect(path).toBe("generated");
});
