/**
 * Connections to upstream MCP servers: when the first tool of a live one answers with many dead ones around it, what relaying a call
 * costs against calling directly, what a connection weighs, and how long one that was killed is away.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MemoryKernel, openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { freshMark, programOf } from "../faults/processes.ts";

const peer = (name: string): string => fileURLToPath(new URL(`../faults/peers/${name}.ts`, import.meta.url));
const flags = "--conditions=@fairlead/source";
const stateDir = mkdtempSync(join(tmpdir(), "fairlead-bench-"));

/** A peer in a process of its own, so that its CPU is not ours. */
const serve = async (name: string, port = 0): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
  const child = spawn(process.execPath, [flags, peer(name), "http", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve) => child.stdout.once("data", (text) => resolve(String(text).trim())));
  return { child, url };
};

const open = (upstreams: Readonly<Record<string, unknown>>): MemoryKernel =>
  openMemoryKernel([connections], {
    stateDir,
    config: { connections: { upstreams } },
    env: { PATH: process.env.PATH },
  });

const call = async (kernel: MemoryKernel, tool: string): Promise<void> => {
  const reply = await kernel.call(`connections.${tool}`, { message: "x" });
  if (!reply.ok) throw new Error(reply.error.message);
};

const rounds = 9;

const median = (figures: readonly number[]): number => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;

export const benchConnections = async (): Promise<void> => {
  await benchDead();
  await benchStorm();
  await benchRelay();
  await benchWeight();
  await benchReconnect();
  rmSync(stateDir, { recursive: true });
};

const benchDead = async (): Promise<void> => {
  const hole = createServer(() => undefined);
  await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
  const address = hole.address();
  const swallowed = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
  const live = { command: process.execPath, args: [flags, peer("v1"), "stdio"] };
  const many = (count: number, name: string, upstream: unknown): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, upstream]));
  const worlds = {
    "none dead": {},
    "20 refused": many(20, "refused", { url: "http://127.0.0.1:1/" }),
    "20 black holes": many(20, "hole", { url: swallowed }),
    "5 hung programs": many(5, "hung", { command: "sleep", args: ["600"] }),
  };
  const all = { ...worlds["20 refused"], ...worlds["20 black holes"], ...worlds["5 hung programs"] };
  const rows = Object.entries({ ...worlds, "all of them": all }).map(([name, dead]) => ({
    name,
    dead,
    ms: [] as number[],
    cpu: [] as number[],
  }));
  // In turns, so that what else the machine does is shared by all; the first turn pays for what is read and compiled.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { dead, ms, cpu } of rows) {
      const began = performance.now();
      const before = process.cpuUsage();
      const kernel = open({ ...dead, live });
      await call(kernel, "live__echo");
      const { user, system } = process.cpuUsage(before);
      if (round > 0) {
        ms.push(performance.now() - began);
        cpu.push((user + system) / 1_000);
      }
      await kernel.close();
    }
  }
  console.log(`\n| first tool of a live process (median of ${rounds}) | ms | CPU here, ms |\n|---|---|---|`);
  for (const { name, ms, cpu } of rows)
    console.log(`| ${name} | ${median(ms).toFixed(0)} | ${median(cpu).toFixed(0)} |`);
  hole.close();
};

/** What it costs to go on trying for many that are not there, once their pauses have grown. */
const benchStorm = async (): Promise<void> => {
  const count = 200;
  const kernel = open(
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`refused${at}`, { url: "http://127.0.0.1:1/" }])),
  );
  await kernel.call("connections.list", {});
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const began = performance.now();
  const before = process.cpuUsage();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const { user, system } = process.cpuUsage(before);
  const each = (user + system) / (performance.now() - began) / count;
  console.log(`\n${count} refused upstreams: ${each.toFixed(2)} ms of CPU a second each`);
  await kernel.close();
};

const benchRelay = async (): Promise<void> => {
  const calls = 2_000;
  console.log("\n| one call of echo | p50, ms | CPU here, µs |\n|---|---|---|");
  for (const [era, name] of [
    ["session era", "v1"],
    ["stateless era", "v2"],
  ] as const) {
    const { child, url } = await serve(name);
    const mode = name === "v2" ? { pin: "2026-07-28" } : "legacy";
    const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    await report(`SDK client, ${era}, HTTP`, calls, async () => {
      await client.callTool({ name: "echo", arguments: { message: "x" } });
    });
    const kernel = open({ up: { url } });
    await report(`Fairlead in memory, ${era}, HTTP`, calls, () => call(kernel, "up__echo"));
    await kernel.close();
    await client.close();
    child.kill("SIGKILL");
  }
  const command = { command: process.execPath, args: [flags, peer("v1"), "stdio"] };
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport(command));
  await report("SDK client, session era, process", calls, async () => {
    await client.callTool({ name: "echo", arguments: { message: "x" } });
  });
  await client.close();
  const kernel = open({ up: command });
  await report("Fairlead in memory, session era, process", calls, () => call(kernel, "up__echo"));
  await kernel.close();
};

const report = async (name: string, calls: number, once: () => Promise<void>): Promise<void> => {
  for (let at = 0; at < calls / 4; at += 1) await once();
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let at = 0; at < calls; at += 1) {
    const began = performance.now();
    await once();
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(before);
  console.log(`| ${name} | ${median(times).toFixed(2)} | ${((user + system) / calls).toFixed(0)} |`);
};

const benchWeight = async (): Promise<void> => {
  const { child, url } = await serve("v1");
  const count = 50;
  const kernel = open({});
  global.gc?.();
  const before = process.memoryUsage.rss();
  for (let at = 0; at < count; at += 1) await kernel.call("connections.add", { name: `up${at}`, url });
  for (let at = 0; at < count; at += 1) await call(kernel, `up${at}__echo`);
  global.gc?.();
  const each = (process.memoryUsage.rss() - before) / count / 1_024 / 1_024;
  console.log(`\nOne HTTP connection with 13 tools: ${each.toFixed(2)} MB of RSS (mean of ${count})`);
  await kernel.close();
  child.kill("SIGKILL");
};

const benchReconnect = async (): Promise<void> => {
  console.log("\n| away after a SIGKILL, until a call succeeds, ms (median of 7) | |\n|---|---|");
  const mark = freshMark();
  const program = { command: process.execPath, args: [flags, peer("v1"), "stdio"], env: { MARK: mark } };
  const byProcess = open({ up: program });
  await call(byProcess, "up__echo");
  const figures: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    process.kill(programOf(mark), "SIGKILL");
    figures.push(await away(byProcess));
  }
  console.log(`| process, its own start included | ${median(figures).toFixed(0)} |`);
  await byProcess.close();

  let { child, url } = await serve("v1");
  const byHttp = open({ up: { url } });
  await call(byHttp, "up__echo");
  const httpFigures: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("exit", resolve));
    ({ child } = await serve("v1", Number(new URL(url).port)));
    httpFigures.push(await away(byHttp));
  }
  console.log(`| HTTP, from the moment it listens again | ${median(httpFigures).toFixed(0)} |`);
  await byHttp.close();
  child.kill("SIGKILL");
};

const away = async (kernel: MemoryKernel): Promise<number> => {
  const began = performance.now();
  while (!(await kernel.call("connections.up__echo", { message: "x" })).ok) await new Promise(setImmediate);
  return performance.now() - began;
};
