/**
 * Upstreams that are killed: how soon the calls under way fail, how soon the status says so, and how long until a call succeeds again.
 * In milliseconds from the signal, which a process takes some of to die by.
 */
import type { MemoryKernel } from "@fairlead/kernel/memory";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { freshMark, programOf } from "../faults/processes.ts";
import {
  call,
  follow,
  type Happening,
  kill,
  median,
  type PeerName,
  pause,
  program,
  serve,
  withKernel,
} from "./upstreams.ts";

const rounds = 7;

interface Loss {
  readonly call: number;
  readonly status: number;
  readonly back: number;
  /** What starting it costs whoever starts it; only for programs. */
  readonly alone?: number;
}

export const benchLosses = async (): Promise<void> => {
  console.log(
    `\n| killed, median of ${rounds} | its call fails, ms | status true, ms | back, ms | the SDK alone starts it in, ms |`,
  );
  console.log("|---|---|---|---|---|");
  for (const name of ["v1", "v2"] as const) {
    await byProcess(name);
    await byHttp(name);
  }
};

const byProcess = async (name: PeerName): Promise<void> => {
  const mark = freshMark();
  await withKernel({ up: { ...program(name), env: { MARK: mark } } }, async (kernel) => {
    const once = async (happened: readonly Happening[]): Promise<Loss> => {
      const lost = await lose(kernel, happened, () => process.kill(programOf(mark), "SIGKILL"));
      return { ...lost, back: await untilBack(kernel), alone: await aloneMs(name) };
    };
    row(`a program, ${name}; back with its own start`, await inTurn(kernel, once));
  });
};

const byHttp = async (name: PeerName): Promise<void> => {
  let { child, url } = await serve(name);
  await withKernel({ up: { url } }, async (kernel) => {
    const once = async (happened: readonly Happening[]): Promise<Loss> => {
      const lost = await lose(kernel, happened, () => child.kill("SIGKILL"));
      ({ child } = await serve(name, Number(new URL(url).port)));
      return { ...lost, back: await untilBack(kernel) };
    };
    row(`HTTP, ${name}; back from when it listens`, await inTurn(kernel, once));
  });
  await kill(child);
};

const inTurn = async (
  kernel: MemoryKernel,
  once: (happened: readonly Happening[]) => Promise<Loss>,
): Promise<readonly Loss[]> => {
  await call(kernel, "up__echo");
  const happened = await follow(kernel);
  const losses: Loss[] = [];
  for (let round = 0; round < rounds; round += 1) losses.push(await once(happened));
  return losses;
};

/** Kills it in the middle of a call. */
const lose = async (
  kernel: MemoryKernel,
  happened: readonly Happening[],
  strike: () => void,
): Promise<Omit<Loss, "back">> => {
  const before = happened.length;
  const hanging = kernel.call("connections.up__hang", {});
  await pause(100);
  const began = performance.now();
  strike();
  const { ok } = await hanging;
  if (ok) throw new Error("it was answered");
  const failed = performance.now() - began;
  const status = () => happened.slice(before).find(({ type }) => type === "Reconnecting");
  while (status() === undefined) await pause(1);
  return { call: failed, status: (status()?.at ?? 0) - began };
};

/** Calls until one succeeds, each as soon as the one before has failed. */
const untilBack = async (kernel: MemoryKernel): Promise<number> => {
  const began = performance.now();
  while (!(await kernel.call("connections.up__echo", { message: "x" })).ok) await pause(1);
  return performance.now() - began;
};

const aloneMs = async (name: PeerName): Promise<number> => {
  const began = performance.now();
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport(program(name)));
  await client.callTool({ name: "echo", arguments: { message: "x" } });
  const took = performance.now() - began;
  await client.close();
  return took;
};

const row = (name: string, losses: readonly Loss[]): void => {
  const of = (figure: keyof Loss): string => {
    const figures = losses.flatMap((each) => each[figure] ?? []);
    return figures.length === 0 ? "" : median(figures).toFixed(0);
  };
  console.log(`| ${name} | ${of("call")} | ${of("status")} | ${of("back")} | ${of("alone")} |`);
};
