/** Half a minute of the history over workers; `history.soak.ts` is ten. */
import { expect, it } from "vitest";
import { judgeWorkers } from "./workers.ts";

it("loses nothing acknowledged, applies nothing twice, and answers nothing stale while workers are killed and paused", async () => {
  const { faults, figures } = await judgeWorkers({ seed: 20, isOver: (count) => count >= 12 });
  expect(faults).toEqual([]);
  expect(figures).toMatchObject({ killed: expect.any(Number), paused: expect.any(Number) });
  expect(figures.ok).toBeGreaterThan(1_500);
});
