import { phases } from "@fairlead/contracts/loop";
import { expect, test } from "vitest";
import { table } from "../src/machine/table.ts";
import { nodes, passages, ways } from "./phase-graph.ts";

test("every phase of the contract is drawn once", () => {
  expect(nodes.map(({ phase }) => phase).toSorted()).toEqual([...phases].toSorted());
});

test("every way that is drawn is one of the machine's table", () => {
  const possible = new Set(
    Object.entries(table).flatMap(([from, row]) =>
      Object.values(row).flatMap((cell) => cell.map(({ next }) => `${from} ${next}`)),
    ),
  );
  expect(ways.filter(({ from, to }) => !possible.has(`${from} ${to}`))).toEqual([]);
});

const line = (seq: number, type: string, payload: unknown) =>
  ({ seq, ts: "2026-01-01T12:00:00Z", step: 0, id: null, type, payload }) as never;

test("ways are counted up to a position, and the last one is known", () => {
  const lines = [
    line(1, "SESSION_START", {}),
    line(2, "PHASE_CHANGED", { from: "SCOUT", to: "NEXT_TICKET" }),
    line(3, "PHASE_CHANGED", { from: "NEXT_TICKET", to: "PLAN" }),
    line(4, "PHASE_CHANGED", { from: "SCOUT", to: "NEXT_TICKET" }),
    line(5, "PHASE_CHANGED", "nonsense"),
  ];
  expect(passages(lines, 3)).toEqual([
    { from: "SCOUT", to: "NEXT_TICKET", times: 1, isLast: false },
    { from: "NEXT_TICKET", to: "PLAN", times: 1, isLast: true },
  ]);
  expect(passages(lines, 9)[0]).toEqual({ from: "SCOUT", to: "NEXT_TICKET", times: 2, isLast: true });
  expect(passages([], 9)).toEqual([]);
});
