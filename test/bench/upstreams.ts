/** What the benches of connections share: peers in processes of their own, a kernel in this one, and medians. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MemoryKernel, openMemoryKernel } from "@fairlead/kernel/memory";
import connections from "@fairlead/service-connections";

const peer = (name: string): string => fileURLToPath(new URL(`../faults/peers/${name}.ts`, import.meta.url));
const flags = "--conditions=@fairlead/source";

export type PeerName = "v1" | "v2";

/** A peer as a program over a process. */
export const program = (name: PeerName) => ({ command: process.execPath, args: [flags, peer(name), "stdio"] });

/** A peer over HTTP, listening; its CPU is not ours. */
export const serve = async (
  name: PeerName,
  port = 0,
): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
  const child = spawn(process.execPath, [flags, peer(name), "http", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve) => child.stdout.once("data", (text) => resolve(String(text).trim())));
  return { child, url };
};

/** Kills it, and waits until it is gone. */
export const kill = async (child: ChildProcess): Promise<void> => {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
};

/** Runs with a kernel that connects to these; the kernel and its state are gone afterwards. */
export const withKernel = async <T>(
  upstreams: Readonly<Record<string, unknown>>,
  work: (kernel: MemoryKernel) => Promise<T>,
): Promise<T> => {
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const kernel = openMemoryKernel([connections], {
    stateDir,
    config: { connections: { upstreams } },
    env: { PATH: process.env.PATH },
    // Calls fail here by intent.
    log: () => undefined,
  });
  try {
    return await work(kernel);
  } finally {
    await kernel.close();
    rmSync(stateDir, { recursive: true });
  }
};

export const call = async (kernel: MemoryKernel, tool: string): Promise<void> => {
  const reply = await kernel.call(`connections.${tool}`, { message: "x" });
  if (!reply.ok) throw new Error(reply.error.message);
};

export interface Happening {
  /** When it was heard of, in this process's milliseconds. */
  readonly at: number;
  readonly type: string;
  readonly name: string;
  readonly attempt?: number;
}

/** Keeps what happens to the connections from now on, until the kernel closes. */
export const follow = async (kernel: MemoryKernel): Promise<readonly Happening[]> => {
  const happened: Happening[] = [];
  const opened = await kernel.subscribe("connections.events", {}, { signal: new AbortController().signal });
  if (!opened.ok) throw new Error(opened.error.message);
  const { items } = opened;
  const hear = async (): Promise<void> => {
    for await (const { value } of items) {
      const { event } = value as { readonly event: Omit<Happening, "at"> };
      happened.push({ at: performance.now(), ...event });
    }
  };
  hear().catch(() => undefined);
  return happened;
};

export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? 0;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
