/**
 * Runs a startup script in Lua in a worker thread, with bounds on time and memory, and answers its requests. Never blocks the kernel.
 */
import { MessageChannel, Worker } from "node:worker_threads";
import type { LuaAnswer, LuaMessage, LuaWork } from "./lua-worker.ts";
import type { ScriptTools } from "./script-tools.ts";

export interface LuaScript {
  readonly source: string;
  /** For error messages. */
  readonly name: string;
  readonly tools: ScriptTools;
  readonly print: (text: string) => void;
  readonly limits?: Partial<LuaLimits>;
}

export interface LuaLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
}

const defaults: LuaLimits = { timeMs: 5_000, memoryBytes: 32 * 1024 * 1024 };

/** What it may print; each line is one of the kernel's log. */
const mostLines = 1_000;
const longestLine = 2_000;

const workerFile = new URL(import.meta.url.endsWith(".ts") ? "./lua-worker.ts" : "./lua-worker.js", import.meta.url);

/** Resolves when the script has ended; rejects with its error, or when a bound is passed. */
export const runLua = async ({ source, name, tools, print, limits }: LuaScript): Promise<void> => {
  const { timeMs, memoryBytes } = { ...defaults, ...limits };
  const { port1, port2 } = new MessageChannel();
  const bell = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const cell = new Int32Array(bell);
  const work: LuaWork = { source, name, port: port2, bell, memoryBytes };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const worker = new Worker(workerFile, {
    workerData: work,
    transferList: [port2],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  const timer = setTimeout(() => reject(new Error(`${name} ran for more than ${timeMs} ms`)), timeMs);
  const answer = (message: LuaAnswer): void => {
    port1.postMessage(message);
    Atomics.store(cell, 0, 1);
    Atomics.notify(cell, 0);
  };
  let lines = 0;
  const toAnswer = ({ name: requested, args }: Extract<LuaMessage, { kind: "ask" }>): LuaAnswer => {
    try {
      if (requested !== "print") return { ok: true, value: tools.call(requested, args) ?? null };
      lines += 1;
      if (lines > mostLines) return { ok: false, message: `it prints more than ${mostLines} lines` };
      print(String(args[0]).slice(0, longestLine));
      return { ok: true, value: null };
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  };
  port1.on("message", (message: LuaMessage) => {
    switch (message.kind) {
      case "ask":
        answer(toAnswer(message));
        return;
      case "done":
        resolve();
        return;
      case "failed":
        reject(new Error(message.message));
    }
  });
  worker.once("error", (error) => reject(new Error(`${name}: ${String(error)}`)));
  worker.once("exit", () => reject(new Error(`${name} ended its worker`)));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    port1.close();
    await worker.terminate();
  }
};
