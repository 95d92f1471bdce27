/**
 * What a durable answer costs: keyed calls beside the same calls without a key, by 64 callers, in process and over HTTP; and how late the event loop
 * runs meanwhile. Wall time, since a commit waits for the disk: other work on the machine shows.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { defineContract, mutation } from "@fairlead/contracts";
import { makeLog, openKernel } from "@fairlead/kernel";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { defineService } from "@fairlead/kernel/service";
import { KeepAliveLane } from "./keyed-lane.ts";
import { sumInput, sumOutput, sumValue } from "./payload.ts";

const callers = 64;
const roundMs = 2_000;
const rounds = 5;

const contract = defineContract({
  id: "keyed",
  version: "1.0.0",
  summary: "Answers benches.",
  procedures: {
    add: mutation({
      summary: "Adds.",
      retry: "keyed",
      input: sumInput,
      output: sumOutput,
      policy: { concurrency: 1_000 },
    }),
  },
});

const service = defineService(contract, () => ({ handlers: { add: ({ a, b }) => ({ sum: a + b }) } }));

export const benchKeyed = async (): Promise<void> => {
  console.log(
    `\n| ${callers} callers | calls a second, best of ${rounds} | median | CPU, µs a call | event loop p99, ms |\n|---|---|---|---|---|`,
  );
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const log = makeLog({ level: "error" });
  const memory = openMemoryKernel([service], { stateDir, log });
  await report("in process, without a key", () => memory.call("keyed.add", sumValue));
  await report("in process, keyed", () => memory.call("keyed.add", sumValue, { idempotencyKey: randomUUID() }));
  await memory.close();
  const kernel = await openKernel({
    env: {},
    flags: { port: 0, stateDir: join(stateDir, "http") },
    log,
    services: [service],
    manifest: {
      version: 1,
      url: import.meta.url,
      services: [],
      tools: async () => [],
      openapi: async () => "{}",
      schema: async () => undefined,
      router: async () => {
        throw new Error("not used");
      },
    },
  });
  const { port } = await kernel.serve();
  const lanes = Array.from({ length: callers }, () => new KeepAliveLane(port, "/api/keyed/add"));
  await report("HTTP, without a key", (at) => lanes[at]?.post(sumValue));
  await report("HTTP, keyed", (at) => lanes[at]?.post(sumValue, randomUUID()));
  for (const lane of lanes) lane.close();
  await kernel.close();
  rmSync(stateDir, { recursive: true });
};

const report = async (name: string, once: (caller: number) => unknown): Promise<void> => {
  const rates: number[] = [];
  const costs: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (let round = 0; round < rounds; round += 1) {
    if (round === 1) delay.enable();
    const { perSecond, micros } = await measure(once);
    rates.push(perSecond);
    costs.push(micros);
  }
  delay.disable();
  const sorted = rates.toSorted((a, b) => b - a);
  const figures = [sorted[0], sorted[Math.floor(rounds / 2)]].map((figure) => Math.round(figure ?? 0));
  console.log(
    `| ${name} | ${figures.join(" | ")} | ${Math.min(...costs).toFixed(1)} | ${(delay.percentile(99) / 1e6).toFixed(1)} |`,
  );
};

/** Calls of one round, each caller's one after the other. */
const measure = async (
  once: (caller: number) => unknown,
): Promise<{ readonly perSecond: number; readonly micros: number }> => {
  const before = process.cpuUsage();
  const began = performance.now();
  let calls = 0;
  const caller = async (_: unknown, at: number): Promise<void> => {
    while (performance.now() - began < roundMs) {
      await once(at);
      calls += 1;
      // A caller in process never waits for a turn of the event loop where nothing else does.
      if (calls % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (calls / (performance.now() - began)) * 1_000, micros: (user + system) / calls };
};
