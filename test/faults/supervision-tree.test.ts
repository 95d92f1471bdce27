/** The processes of upstreams in the tree that `kernel.services` shows: killed for real, each in the supervisor's own terms. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";
import { expect, it, onTestFinished, vi } from "vitest";
import { calmTimes } from "./board.ts";
import { freshMark, marked, programOf } from "./processes.ts";

interface Child {
  readonly id: string;
  readonly state: string;
  readonly restarts: number;
  readonly pid: number | null;
}

const peer = fileURLToPath(new URL("./peers/v2.ts", import.meta.url));

const openKernel = (upstreams: Readonly<Record<string, unknown>>) => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-tree-"));
  const kernel = openMemoryKernel([connections], {
    stateDir,
    config: { connections: { times: calmTimes, upstreams } },
  });
  onTestFinished(async () => {
    await kernel.close();
    rmSync(stateDir, { recursive: true });
  });
  const children = async (): Promise<readonly Child[]> => {
    const reply = await kernel.call("kernel.services", {});
    if (!reply.ok) throw new Error(reply.error.message);
    const { services } = reply.value as { readonly services: readonly { id: string; children: readonly Child[] }[] };
    return services.find(({ id }) => id === "connections")?.children ?? [];
  };
  const becomes = (state: string, restarts: number): Promise<Child> =>
    vi.waitFor(
      async () => {
        const [child] = await children();
        if (child?.state !== state || child.restarts < restarts) throw new Error(JSON.stringify(child));
        return child;
      },
      { timeout: 60_000, interval: 5 },
    );
  return { kernel, children, becomes };
};

it("shows a process that is killed as restarted, under another number", async () => {
  const mark = freshMark();
  const args = ["--conditions=@fairlead/source", peer, "stdio"];
  const { kernel, children, becomes } = openKernel({
    up: { command: process.execPath, args, env: { MARK: mark } },
  });
  const first = await becomes("Ready", 0);
  expect(first).toMatchObject({ id: "up", restarts: 0 });
  expect(marked(mark)).toContain(first.pid);
  process.kill(programOf(mark), "SIGKILL");
  const second = await becomes("Ready", 1);
  expect(second).toMatchObject({ id: "up", restarts: 1 });
  expect(second.pid).not.toBe(first.pid);
  expect(marked(mark)).toContain(second.pid);
  await kernel.call("connections.remove", { name: "up" });
  await expect.poll(children).toEqual([]);
  await expect.poll(() => marked(mark)).toEqual([]);
});

it("shows one that cannot be started as waiting for its next start, and none for an address", async () => {
  const { children, becomes } = openKernel({
    missing: { command: "surely-not-there" },
    address: { url: "http://127.0.0.1:9/mcp" },
  });
  expect(await becomes("Backoff", 0)).toMatchObject({ id: "missing", restarts: 0, pid: null });
  expect((await children()).map(({ id }) => id)).toEqual(["missing"]);
});
