/**
 * Connections to upstream MCP servers: when the first tool of a live one answers with many dead ones around it, and what a connection
 * weighs. Then what a call costs (`calls.ts`), many dead ones (`storm.ts`) and killed ones (`losses.ts`).
 */
import { createServer } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { MemoryKernel } from "@fairlead/kernel/memory";
import { benchCalls } from "./calls.ts";
import { benchLosses } from "./losses.ts";
import { benchStorm } from "./storm.ts";
import { call, kill, median, program, serve, withKernel } from "./upstreams.ts";

const rounds = 9;

export const benchConnections = async (): Promise<void> => {
  await benchDead();
  await benchAdd();
  await benchCalls();
  await benchWeight();
  await benchStorm();
  await benchLosses();
};

const benchDead = async (): Promise<void> => {
  const hole = createServer(() => undefined);
  await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
  const address = hole.address();
  const swallowed = typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : "";
  const live = program("v1");
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
      await withKernel({ ...dead, live }, async (kernel) => {
        await call(kernel, "live__echo");
        const { user, system } = process.cpuUsage(before);
        if (round === 0) return;
        ms.push(performance.now() - began);
        cpu.push((user + system) / 1_000);
      });
    }
  }
  console.log(`\n| first tool of a live process (median of ${rounds}) | ms | CPU here, ms |\n|---|---|---|`);
  for (const { name, ms, cpu } of rows)
    console.log(`| ${name} | ${median(ms).toFixed(0)} | ${median(cpu).toFixed(0)} |`);
  hole.close();
};

/** How long a caller waits for `add`, which waits for nobody. */
const benchAdd = async (): Promise<void> => {
  await withKernel({}, async (kernel) => {
    const took: number[] = [];
    for (let at = 0; at < 200; at += 1) {
      const began = performance.now();
      await kernel.call("connections.add", { name: `up${at}`, url: "http://127.0.0.1:1/mcp" });
      took.push(performance.now() - began);
    }
    console.log(`\n\`add\` of an upstream that is not there returns in ${median(took).toFixed(2)} ms (median of 200)`);
  });
};

/** In bytes that are held, since the resident set grows in steps of its own: the heap and what lies outside of it. */
const benchWeight = async (): Promise<void> => {
  const count = 100;
  const tools = 30;
  const { child, url } = await serve("v1");
  await withKernel({}, async (kernel) => {
    const add = async (name: string): Promise<void> => {
      await kernel.call("connections.add", { name, url });
      await call(kernel, `${name}__echo`);
    };
    await add("first");
    const { tools: own } = await toolsOf(kernel);
    for (let at = own; at < tools; at += 1) await call(kernel, "first__grow");
    const before = held();
    for (let at = 0; at < count; at += 1) await add(`up${at}`);
    const after = held();
    const each = (figure: keyof typeof before): string =>
      ((after[figure] - before[figure]) / count / 2 ** 20).toFixed(2);
    console.log(
      `\nOne HTTP connection with ${tools} tools: ${each("bytes")} MB held, ${each("rss")} MB of RSS (mean of ${count})`,
    );
  });
  await kill(child);
};

const toolsOf = async (kernel: MemoryKernel): Promise<{ readonly tools: number }> => {
  const reply = await kernel.call("connections.status", { name: "first" });
  if (!reply.ok) throw new Error(reply.error.message);
  return reply.value as { readonly tools: number };
};

/** What is held once nothing is left to collect. */
const held = () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { bytes: heapUsed + external, rss };
};
