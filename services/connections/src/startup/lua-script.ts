/**
 * Runs a startup script in Lua in a worker thread, with bounds on time and memory, and answers its requests. Never blocks the kernel.
 */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import * as Effect from "effect/Effect";
import type { LuaAnswer, LuaMessage, LuaWork } from "./lua-worker.ts";
import type { ScriptTools } from "./script-tools.ts";

interface LuaScript {
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
export const runLua = (script: LuaScript): Promise<void> => {
  const { name, limits } = script;
  const { timeMs, memoryBytes } = { ...defaults, ...limits };
  const late = () => Effect.fail(new Error(`${name} ran for more than ${timeMs} ms`));
  return Effect.acquireUseRelease(
    Effect.sync(() => startWorker(script, memoryBytes)),
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

const startWorker = ({ source, name }: LuaScript, memoryBytes: number): RunningScript => {
  const { port1, port2 } = new MessageChannel();
  const bell = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const work: LuaWork = { source, name, port: port2, bell, memoryBytes };
  const worker = new Worker(workerFile, {
    workerData: work,
    transferList: [port2],
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  return { worker, port: port1, bell: new Int32Array(bell) };
};

/** Answers the script's requests until it ends. */
const untilEnded = (script: LuaScript, { worker, port, bell }: RunningScript): Effect.Effect<void, Error> =>
  Effect.callback((resume) => {
    const fail = (message: string): void => resume(Effect.fail(new Error(message)));
    const toAnswer = createAnswers(script);
    port.on("message", (message: LuaMessage) => {
      if (message.kind === "done") resume(Effect.void);
      if (message.kind === "failed") fail(message.message);
      if (message.kind !== "ask") return;
      port.postMessage(toAnswer(message));
      Atomics.store(bell, 0, 1);
      Atomics.notify(bell, 0);
    });
    worker.once("error", (error) => fail(`${script.name}: ${String(error)}`));
    worker.once("exit", () => fail(`${script.name} ended its worker`));
  });

const createAnswers = ({ tools, print }: LuaScript) => {
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
