/** Half a minute of the history over the nodes of a cluster; `cluster.soak.ts` is ten. */
import { describe, expect, it } from "vitest";
// @boundaries-ignore the helper is the kernel's own
import { hasPostgres } from "../../kernel/src/testing/postgres-server.ts";
import { judgeCluster } from "./cluster.ts";

const plan = ["pause", "kill after work", "stop", "kill"] as const;

describe.runIf(hasPostgres())("a cluster", () => {
  it("loses nothing acknowledged, applies nothing twice, and answers nothing stale while nodes are killed, paused and stopped", async () => {
    const { faults, figures } = await judgeCluster({ seed: 7, fault: (at) => plan[at] });
    expect(faults).toEqual([]);
    expect(figures).toMatchObject({ killed: 2, paused: 1, stopped: 1 });
    expect(figures.ok).toBeGreaterThan(300);
  });
});
