import { expect, test } from "vitest";
import { burnDown, listBudgets } from "./budgets.ts";

const state = {
  step_count: 9,
  step_budget: 10,
  ticket_step_count: 2,
  ticket_step_budget: -1,
  started_at: "2026-01-01T12:00:00Z",
  expires_at: "2026-01-01T13:00:00Z",
  total_cost_usd: 1.5,
  max_cost_usd: 2,
  max_tokens: null,
  total_input_tokens: 1_000,
  total_output_tokens: 500,
  scout_cycles: 1,
  max_cycles: 1,
};
const now = Date.parse("2026-01-01T12:45:00Z");
const clock = { now, duration: (ms: number) => `${ms / 60_000} min` };

test("budgets say what is left, and which have no limit", () => {
  const shown = listBudgets(state, clock).map(({ title, left, used }) => [title, left, used]);
  expect(shown).toEqual([
    ["Prompts", "1 left", 0.9],
    ["Time", "15 min left", 0.75],
    ["Cost", "$0.50 left", 0.75],
    ["Tokens", "1,500", null],
    ["Scout cycles", "0 left", 1],
  ]);
});

test("what is not said is no budget", () => {
  expect(listBudgets({}, clock)).toEqual([]);
});

test("the line of prompts goes down where one is handed out, and ends at the moment that is shown", () => {
  const at = (seq: number, second: number, step: number) =>
    ({ seq, ts: new Date(now + second * 1_000).toISOString(), step, id: null, type: "X", payload: {} }) as const;
  const lines = [at(1, 0, 0), at(2, 5, 1), at(3, 10, 1), at(4, 20, 2)];
  expect(burnDown(lines, 4, 3)).toEqual([
    { x: 0, y: 1 },
    { x: 0.5, y: 0.75 },
    { x: 1, y: 0.75 },
  ]);
  expect(burnDown([], 4, 3)).toEqual([]);
});
