import { expect, test } from "vitest";
import { judgeWorkers } from "./workers.ts";

test("ten minutes of workers that are killed and paused lose nothing, apply nothing twice, and answer nothing stale", {
  timeout: 1_800_000,
}, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const ends = performance.now() + 600_000;
  const { faults, figures } = await judgeWorkers({ seed, isOver: () => performance.now() > ends });
  console.log(JSON.stringify({ seed, ...figures }));
  expect(faults).toEqual([]);
});
