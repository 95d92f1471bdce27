/** Half a minute of the history over the nodes of a cluster; `cluster.soak.ts` is ten. */
import { describe, expect, it } from "vitest";
// @boundaries-ignore the helper is the kernel's own
import { hasPostgres } from "../../kernel/src/testing/postgres-server.ts";
import { judgeCluster } from "./cluster.ts";

describe.runIf(hasPostgres())("a cluster", () => {
  it("loses nothing acknowledged, applies nothing twice, and answers nothing stale while nodes are killed, paused and stopped", async () => {
    const { faults, figures } = await judgeCluster({ seed: 7, isOver: (count) => count >= 4 });
    expect(faults).toEqual([]);
    expect(figures.killed).toBeGreaterThan(0);
    expect(figures.paused).toBeGreaterThan(0);
    expect(figures.ok).toBeGreaterThan(300);
  });
});
