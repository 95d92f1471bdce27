/**
 * Two hundred upstreams that are of no use: how often they are tried, what that costs, and how they come back when all are there again.
 * That no more than eight are busy at once is for a test to say (`machine.test.ts`).
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import type { MemoryKernel } from "@fairlead/kernel/memory";
import { follow, kill, pause, serve, withKernel } from "./upstreams.ts";

const count = 200;
/** Until the pauses have grown to their cap. */
const settleMs = 8_000;
const watchedMs = 10_000;

export const benchStorm = async (): Promise<void> => {
  console.log(`\n| ${count} upstreams | attempts in the busiest second | CPU a second each, ms |\n|---|---|---|`);
  await withKernel(all("http://127.0.0.1:1/mcp"), async () => report("refused", await watch(), []));
  for (const [name, mode] of [
    ["broken at once", "break"],
    ["black holes", "keep"],
  ] as const) {
    const turnstile = fork(new URL("./turnstile.ts", import.meta.url), [mode]);
    const [port] = await once(turnstile, "message");
    await withKernel(all(`http://127.0.0.1:${port}/mcp`), async () => {
      const cpu = await watch();
      turnstile.send("when?");
      const [arrivals] = await once(turnstile, "message");
      report(name, cpu, arrivals);
    });
    turnstile.disconnect();
  }
  await comeBack();
};

const all = (url: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`up${at}`, { url }]));

/** Milliseconds of CPU a second and upstream. */
const watch = async (): Promise<number> => {
  await pause(settleMs);
  const began = performance.now();
  const before = process.cpuUsage();
  await pause(watchedMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (performance.now() - began) / count;
};

const report = (name: string, cpu: number, arrivals: readonly number[]): void =>
  console.log(
    `| ${name} | ${arrivals.length === 0 ? "nobody sees them" : most(arrivals, 1_000)} | ${cpu.toFixed(2)} |`,
  );

/** All of them are one address, where nobody listens for a while. */
const comeBack = async (): Promise<void> => {
  const { child, url } = await serve("v1");
  await kill(child);
  await withKernel(all(url), async (kernel: MemoryKernel) => {
    await pause(settleMs);
    const happened = await follow(kernel);
    const again = await serve("v1", Number(new URL(url).port));
    const listens = performance.now();
    const back = () => happened.filter(({ type }) => type === "Connected").map(({ at }) => at);
    while (back().length < count) await pause(5);
    const took = (Math.max(...back()) - listens) / 1_000;
    console.log(
      `\nAfter a common outage all ${count} are back ${took.toFixed(2)} s after they listen again, at most ${most(back(), 100)} within 100 ms.`,
    );
    await kill(again.child);
  });
};

/** How many there are in the busiest span. */
const most = (times: readonly number[], spanMs: number): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + spanMs).length));
