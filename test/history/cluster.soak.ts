import { expect, test } from "vitest";
import { anyFault, judgeCluster } from "./cluster.ts";

test("ten minutes of nodes that are killed, paused and stopped lose nothing, apply nothing twice, and answer nothing stale", {
  timeout: 1_800_000,
}, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const ends = performance.now() + 600_000;
  const { faults, figures } = await judgeCluster({
    seed,
    fault: (_, random) => (performance.now() > ends ? undefined : anyFault(random)),
  });
  console.log(JSON.stringify({ seed, ...figures }));
  expect(faults).toEqual([]);
});
