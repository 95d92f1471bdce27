/** What the cases of supervision are played with: a contract with a call of each kind, and a kernel that is closed with its test. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Contract } from "@fairlead/contracts";
import { defineContract, mutation, query, subscription } from "@fairlead/contracts";
import { type MemoryKernel, type MemoryKernelOptions, openMemoryKernel } from "@fairlead/kernel/memory";
import type { Service } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import * as z from "zod";

/** A service with a call that waits, one that answers at once, one that changes something, and a stream. */
export const contractOf = <Id extends string>(id: Id) =>
  defineContract({
    id,
    version: "1.0.0",
    summary: "Waits and answers.",
    procedures: {
      wait: query({ summary: "Waits.", input: z.object({}), output: z.string(), policy: { deadlineMs: 60_000 } }),
      ask: query({ summary: "Answers.", input: z.object({}), output: z.int(), policy: { deadlineMs: 60_000 } }),
      change: mutation({
        summary: "Changes something.",
        retry: "unsafe",
        input: z.object({}),
        output: z.int(),
        policy: { deadlineMs: 60_000 },
      }),
      follow: subscription({ summary: "Streams.", input: z.object({}), output: z.int() }),
    },
  });

/** What a handler of a service without work of its own does. */
export const idle = {
  wait: () => "",
  ask: () => 0,
  change: () => 0,
  follow: async function* () {},
};

export interface Line {
  readonly level: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const opened = new Set<MemoryKernel>();

/** Closes what a case has opened. */
export const closeAll = async (): Promise<void> => {
  await Promise.all([...opened].map((kernel) => kernel.close()));
  opened.clear();
};

/** A kernel that is closed after its case, and what it logs. */
export const open = (
  services: readonly Service[],
  options: Omit<MemoryKernelOptions, "log" | "env"> = {},
): { readonly kernel: MemoryKernel; readonly lines: readonly Line[] } => {
  const lines: Line[] = [];
  const log: MemoryKernelOptions["log"] = (level, message, fields = {}) => void lines.push({ level, message, fields });
  const kernel = openMemoryKernel(services, { ...options, env: {}, log });
  opened.add(kernel);
  return { kernel, lines };
};

export interface ServiceStatus {
  readonly id: string;
  readonly state: string;
  readonly restarts: number;
  readonly waitsFor: string | null;
  readonly degraded: { readonly why: string; readonly fix: string } | null;
}

/** A service as `kernel.services` shows it. */
export const status = async (kernel: MemoryKernel, id: string): Promise<ServiceStatus | undefined> => {
  const reply = await kernel.call("kernel.services", {});
  if (!reply.ok) throw new Error(reply.error.message);
  return (reply.value as { readonly services: readonly ServiceStatus[] }).services.find((service) => service.id === id);
};

export const restart = (kernel: MemoryKernel, { id }: Contract) => kernel.call("kernel.restart", { service: id });

/** The same in Effects. */
export const effectIdle = {
  wait: () => Effect.succeed(""),
  ask: () => Effect.succeed(0),
  change: () => Effect.succeed(0),
  follow: () => Stream.empty,
};

/** A manifest of services whose modules are files of that folder. */
export const manifestOf = (folder: string, services: readonly string[]) => ({
  version: 1 as const,
  url: pathToFileURL(join(folder, "manifest.ts")).href,
  services: services.map((id) => ({ id, module: `./${id}.mjs` })),
  tools: async () => [],
  openapi: async () => "",
  schema: async () => undefined,
  router: () => Promise.reject(new Error("no router")),
});

/** For kernels whose services are given as values. */
export const emptyManifest = manifestOf("", []);

/** Runs a file beside this one in a process of its own, and says how it ended. */
export const inProcess = async (file: string, ...args: readonly string[]) => {
  const child = fork(fileURLToPath(new URL(`./${file}`, import.meta.url)), args, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: ["--conditions=@fairlead/source"],
  });
  let out = "";
  child.stdout?.on("data", (text) => {
    out += text;
  });
  let err = "";
  child.stderr?.on("data", (text) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, out, err };
};
