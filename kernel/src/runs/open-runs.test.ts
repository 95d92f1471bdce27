/** Which kernel has the runs of a state folder. What it does with them: `runs.test.ts`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, FairleadError, mutation } from "@fairlead/contracts";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { openKernel } from "../boot/kernel.ts";
import { localPrincipal } from "../call/call.ts";
import { openMemoryKernel } from "../memory.ts";
import { defineService } from "../service/service.ts";
import { openRuns } from "./open-runs.ts";
import type { RunStore, RunWrite, RunWritten } from "./store.ts";

const notes = defineContract({
  id: "notes",
  version: "1.0.0",
  summary: "Notes.",
  procedures: {
    export: mutation({ summary: "Exports.", retry: "idempotent", input: z.object({}), output: z.object({}), run: {} }),
  },
});
const service = defineService(notes, () => ({ handlers: { export: () => ({}) } }));

describe("the runs of a state folder", () => {
  const store = (failing: () => boolean): { readonly store: RunStore; readonly owners: string[] } => {
    const owners: string[] = [];
    const commit = async (writes: readonly RunWrite[]): Promise<readonly RunWritten[]> =>
      writes.map((write) => {
        if (write.kind === "release") owners.splice(0);
        if (write.kind !== "claim") return { tag: "written" };
        if (owners.some((owner) => owner !== write.owner.kernel)) return { tag: "conflict" };
        owners.splice(0, 1, write.owner.kernel);
        return { tag: "written" };
      });
    const open = async () => {
      if (failing()) throw new FairleadError({ code: "internal", message: "no disk" });
      return [];
    };
    return {
      owners,
      store: { commit, open, find: async () => undefined, input: async () => null, list: async () => ({ runs: [] }) },
    };
  };

  const partsWith = (own: RunStore): Parameters<typeof openRuns>[0] => ({
    store: own,
    kernel: "one",
    claims: "yes",
    find: () => undefined,
    call: async () => ({ ok: true, value: null }),
    isClosing: () => false,
    isDraining: () => false,
    onState: () => undefined,
    uptime: () => 0,
    now: () => 0,
    random: () => 0,
  });

  it("are taken by a kernel that waits for them once the other one has ended", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { store: shared, owners } = store(() => false);
      const parts = partsWith(shared);
      const first = await openRuns(parts);
      const second = await openRuns({ ...parts, kernel: "two" });
      await expect(second.cancel("x", localPrincipal)).rejects.toMatchObject({ problem: "unknown" });
      await vi.advanceTimersByTimeAsync(20_000);
      expect(owners).toEqual(["one"]);
      await first.close();
      await vi.advanceTimersByTimeAsync(6_000);
      expect(owners).toEqual(["two"]);
      await second.close();
      expect(owners).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are let go by an opening that failed", async () => {
    const failures = [true, false];
    const { store: failing, owners } = store(() => failures.shift() ?? false);
    const parts = partsWith(failing);
    await expect(openRuns(parts)).rejects.toThrow("no disk");
    expect(owners).toEqual([]);
    const runs = await openRuns({ ...parts, kernel: "two" });
    expect(owners).toEqual(["two"]);
    await runs.close();
    expect(owners).toEqual([]);
  });

  it("are not for a kernel in memory that has no folder of its own", async () => {
    const home = mkdtempSync(join(tmpdir(), "fairlead-runs-"));
    const env = { XDG_STATE_HOME: home, HOME: home };
    const memory = openMemoryKernel([service], { env });
    try {
      expect(await memory.call("kernel.startRun", { procedure: "notes.export", input: {} })).toMatchObject({
        error: { code: "unavailable", hint: expect.stringContaining("stateDir") },
      });
      const kernel = await openKernel({ config: { log: { level: "error" } }, services: [service], env });
      try {
        expect(await kernel.connect().call("kernel.startRun", { procedure: "notes.export", input: {} })).toMatchObject({
          value: { created: true },
        });
      } finally {
        await kernel.close();
      }
    } finally {
      await memory.close();
      rmSync(home, { recursive: true, force: true });
    }
  });
});
