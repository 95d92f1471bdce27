import { expect, it } from "vitest";
import { type Span, toWaterfall } from "./waterfall.ts";

const span = (id: string, parentId: string | null, startMs: number, milliseconds: number): Span => ({
  id,
  parentId,
  name: id,
  kind: "internal",
  startMs,
  milliseconds,
  code: null,
  attributes: {},
  events: [],
});

it("draws each span below its parent, in the order of their beginning", () => {
  const { rows, totalMs } = toWaterfall([
    span("call", "elsewhere", 0, 100),
    span("queue", "call", 1, 9),
    span("attempt", "call", 10, 80),
    span("child", "attempt", 20, 60),
    span("other", null, 50, 10),
  ]);
  expect(totalMs).toBe(100);
  expect(rows.map(({ span: { id }, depth }) => `${depth} ${id}`)).toEqual([
    "0 call",
    "1 queue",
    "1 attempt",
    "2 child",
    "0 other",
  ]);
  expect(rows[3]).toMatchObject({ begin: 0.2, length: 0.6 });
});

it("has nothing to draw of nothing", () => {
  expect(toWaterfall([])).toEqual({ rows: [], totalMs: 0 });
});

it("has each span once, whatever their parents say, and no bar outside", () => {
  const kinds = ["a", "b", "c"].flatMap((id) =>
    [null, "a", "b", "c", "elsewhere"].map((parent) => [id, parent] as const),
  );
  // Every list of three: doubled ids, rings and parents that are not there among them.
  for (const one of kinds)
    for (const two of kinds)
      for (const three of kinds) {
        const spans = [one, two, three].map(([id, parent], at) => span(id, parent, 10 * at - 5, 7 * at));
        const { rows } = toWaterfall(spans);
        expect(new Set(rows.map((row) => row.span)).size).toBe(3);
        expect(rows).toHaveLength(3);
        expect(rows.every(({ begin, length }) => begin >= 0 && begin + length <= 1 + 1e-9)).toBe(true);
      }
});
