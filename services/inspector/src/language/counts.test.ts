/** Counts beside the rows: how often each value of a selected scalar occurs, and how many differ. */
import { plainHost, type QueryText, runQuery } from "@fairlead/linq";
import { expect, test } from "vitest";
import { fixture } from "../testing/fixture.ts";

const fixed = (query: QueryText) => runQuery(query, { host: fixture });

/** A query over rows of no declared type. */
const run = (rows: readonly unknown[], query: Omit<QueryText, "from">) =>
  runQuery({ ...query, from: "rows" }, { host: plainHost({ rows }) });

test("counts come with a select of one scalar, and say how many differ", () => {
  expect(fixed({ from: "Entities", select: "Rarity.ToString()", take: 1 }).tally).toEqual({
    counts: [
      { value: "Magic", count: 2 },
      { value: "Rare", count: 1 },
      { value: "Unique", count: 1 },
      { value: "White", count: 1 },
    ],
    different: 4,
  });
  expect(fixed({ from: "Entities", select: "Rarity == 1", take: 1 }).tally).toMatchObject({ different: 2 });
  expect(fixed({ from: "Entities", select: "Level % 20", take: 1 }).tally).toEqual({
    counts: [
      { value: 10, count: 3 },
      { value: 0, count: 2 },
    ],
    different: 2,
  });
  const names = ["b", "a", null, "b"].map((name) => ({ name }));
  expect(run(names, { select: "name", take: 2 })).toMatchObject({
    rows: ["b", "a"],
    matched: 4,
    counted: true,
    tally: { counts: [{ value: "b", count: 2 }, { count: 1 }, { count: 1 }], different: 3 },
  });
});
test("values that are no scalars, or too many, are not counted: the pass ends as soon as it has enough", () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => ({ id, tag: { id } }));
  expect(run(rows, { select: "tag", take: 2 })).toMatchObject({ matched: 3, counted: false, more: true });
  expect(run(rows, { select: "tag", take: 2 })).not.toHaveProperty("tally");
  const all = run(rows, { select: "id", take: 2 });
  expect(all).toMatchObject({ rows: [0, 1], matched: 10_001, counted: false, more: true });
  expect(all).not.toHaveProperty("tally");
  expect(run(rows, { select: "id", take: 2, orderBy: "id desc" })).toMatchObject({
    rows: [29_999, 29_998],
    matched: 30_000,
    counted: true,
  });
});
