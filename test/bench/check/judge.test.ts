import { expect, test } from "vitest";
import { isFailure, judge, type Rounds, toLine } from "./judge.ts";
import type { Row, SideName } from "./rows.ts";

const row: Row = { name: "HTTP", side: "HTTP sum", limit: "raw sum" };
const machine = { node: "24", arch: "x64" };
const against = { ...machine, recorded: "2026-01-01", rows: { HTTP: 1.5 } };

const measured = (ours: readonly number[], limit: readonly number[]): Rounds =>
  new Map<SideName, readonly number[]>([
    ["HTTP sum", ours],
    ["raw sum", limit],
  ]);

test.each([
  ["kept", [40, 31, 30], [20, 21, 40]],
  ["kept", [99, 34.4, 34.4], [20, 21, 40]],
  ["dearer", [99, 34.6, 34.6], [20, 20, 40]],
  ["better", [20, 21], [20, 21]],
  ["restless", [40, 46, 60], [20, 20]],
  ["dearer", [90, 99], [20, 30]],
  ["not recorded", [], [20]],
] as const)("%s: the least rounds are %j and %j", (outcome, ours, limit) => {
  const [verdict] = judge([row], measured(ours, limit), against, machine);
  expect(verdict?.outcome).toBe(outcome);
});

test("what is dearer fails, and what was never recorded; the rest says why it is not judged", () => {
  const [dearer] = judge([row], measured([40, 40], [20, 20]), against, machine);
  const [unknown] = judge([row], measured([30, 30], [20, 20]), { ...against, rows: {} }, machine);
  const [foreign] = judge([row], measured([90, 90], [20, 20]), { ...against, node: "26" }, machine);
  const [restless] = judge([row], measured([40, 46], [20, 20]), against, machine);
  const verdicts = [dearer, unknown, foreign, restless].flatMap((verdict) => verdict ?? []);
  expect(verdicts.map(isFailure)).toEqual([true, true, false, false]);
  expect(verdicts.map(toLine)).toEqual([
    "DEARER        HTTP 2.00 (recorded 1.50), 33 %, and at most 15 % is allowed",
    "NOT RECORDED  HTTP 1.50 (recorded nothing): npm run bench -- --record",
    "not judged    HTTP 4.50 (recorded 1.50): recorded with Node 26 on x64, and this is Node 24 on x64",
    "not judged    HTTP 2.00 (recorded 1.50): the two least rounds of HTTP sum are 40.0 and 46.0 us, so no round was quiet",
  ]);
});
