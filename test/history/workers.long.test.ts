/** Half a minute of the history over workers; `workers.soak.ts` is ten. */
import { expect, it } from "vitest";
import { judgeWorkers } from "./workers.ts";

it("loses nothing acknowledged, applies nothing twice, and answers nothing stale while workers are killed and paused", async () => {
  const { faults, figures } = await judgeWorkers({ seed: 20, isOver: (count) => count >= 12 });
  expect(faults).toEqual([]);
  expect(figures.killed).toBeGreaterThan(0);
  expect(figures.paused).toBeGreaterThan(0);
  expect(figures.ok).toBeGreaterThan(1_500);
});
