/**
 * Runs a startup script, in Lua or a module, in a worker thread, with bounds on time and on memory (of a module: its heap, not its buffers), and answers its requests. Never blocks the kernel.
 */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import * as Effect from "effect/Effect";
import type { LuaAnswer, LuaMessage, LuaWork } from "./lua-worker.ts";
import type { ModuleFailure, ModuleWork } from "./module-worker.ts";
import { type ScriptTools, scriptFunctions } from "./script-tools.ts";

interface Script {
  /** For error messages. */
  readonly name: string;
  readonly tools: ScriptTools;
  readonly print: (text: string) => void;
  readonly limits?: Partial<LuaLimits>;
}

interface LuaScript extends Script {
  readonly source: string;
}

interface ModuleScript extends Script {
  /** The script's address. */
  readonly url: string;
}

export interface LuaLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
}

const defaults: LuaLimits = { timeMs: 5_000, memoryBytes: 32 * 1024 * 1024 };
/** A module may import others, and wait for something. The bytes are of its heap: buffers are not counted. */
const moduleDefaults: LuaLimits = { timeMs: 30_000, memoryBytes: 256 * 1024 * 1024 };

/** What it may print; each line is one of the kernel's log. */
const mostLines = 1_000;
const longestLine = 2_000;

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
const workerFile = (kind: "lua" | "module"): URL => new URL(`./${kind}-worker.${extension}`, import.meta.url);

/** Resolves when the script has ended; rejects with its error, or when a bound is passed. */
export const runLua = (script: LuaScript): Promise<void> => {
  const limits = { ...defaults, ...script.limits };
  return run(script, limits.timeMs, () => startLua(script, limits.memoryBytes));
};

/** The same for a module. Its error has the module's stack. */
export const runModule = (script: ModuleScript): Promise<void> => {
  const limits = { ...moduleDefaults, ...script.limits };
  return run(script, limits.timeMs, () => startModule(script, limits.memoryBytes));
};

const run = (script: Script, timeMs: number, start: () => RunningScript): Promise<void> => {
  const late = () => Effect.fail(new Error(`${script.name} ran for more than ${timeMs} ms`));
  return Effect.acquireUseRelease(
    Effect.sync(start),
    (running) => Effect.timeoutOrElse(untilEnded(script, running), { duration: timeMs, orElse: late }),
    ({ worker, port }) =>
      Effect.promise(() => {
        port.close();
        return worker.terminate();
      }),
  ).pipe(Effect.runPromise);
};

interface RunningScript {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** Wakes the worker, which waits for each answer. */
  readonly bell: Int32Array<SharedArrayBuffer>;
}

const startLua = ({ source, name }: LuaScript, memoryBytes: number): RunningScript => {
  const { port1, port2 } = new MessageChannel();
  const bell = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const work: LuaWork = { source, name, port: port2, bell, memoryBytes };
  const worker = new Worker(workerFile("lua"), {
    workerData: work,
    transferList: [port2],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  return { worker, port: port1, bell: new Int32Array(bell) };
};

/** It has the environment of the kernel, and its output is the kernel's log. */
const startModule = ({ url, name, print }: ModuleScript, memoryBytes: number): RunningScript => {
  const { port1, port2 } = new MessageChannel();
  const bell = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const work: ModuleWork = { url, name, functions: scriptFunctions, port: port2, bell };
  const worker = new Worker(workerFile("module"), {
    workerData: work,
    transferList: [port2],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryBytes / 2 ** 20 },
  });
  let lines = 0;
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n")) {
        if (line === "" || lines === mostLines) continue;
        lines += 1;
        print(line.slice(0, longestLine));
      }
    });
  }
  return { worker, port: port1, bell: new Int32Array(bell) };
};

/** Answers the script's requests until it ends. */
const untilEnded = (script: Script, { worker, port, bell }: RunningScript): Effect.Effect<void, Error> =>
  Effect.callback((resume) => {
    const fail = (message: string): void => resume(Effect.fail(new Error(message)));
    const hasThrown = ({ message, stack, code }: ModuleFailure): void => {
      const error = Object.assign(new Error(message), code !== undefined && { code });
      if (stack !== undefined) error.stack = stack;
      resume(Effect.fail(error));
    };
    const toAnswer = createAnswers(script);
    port.on("message", (message: LuaMessage | ModuleFailure) => {
      if (message.kind === "done") resume(Effect.void);
      if (message.kind === "failed") fail(message.message);
      if (message.kind === "threw") hasThrown(message);
      if (message.kind !== "ask") return;
      port.postMessage(toAnswer(message));
      Atomics.store(bell, 0, 1);
      Atomics.notify(bell, 0);
    });
    worker.once("error", (error) =>
      fail(
        `${script.name}: ${isOutOfMemory(error) ? "it takes more memory than a startup script may" : String(error)}`,
      ),
    );
    worker.once("exit", () => fail(`${script.name} ended its worker`));
  });

const createAnswers = ({ tools, print }: Script) => {
  let lines = 0;
  return ({ name, args }: Extract<LuaMessage, { kind: "ask" }>): LuaAnswer => {
    try {
      if (name !== "print") return { ok: true, value: tools.call(name, args) ?? null };
      lines += 1;
      if (lines > mostLines) return { ok: false, message: `it prints more than ${mostLines} lines` };
      print(String(args[0]).slice(0, longestLine));
      return { ok: true, value: null };
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  };
};

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
