/**
 * The worker that runs a startup script in TypeScript or JavaScript: code of the project's own, with a thread, a time and a memory of its own, so
 * that it cannot stop the kernel. What it does to the connections are questions to the main thread, each answered before it goes on.
 *
 * A bound on time is the main thread's: it ends the worker. Not here: what the functions do (`script-tools.ts`).
 */
import { type MessagePort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { LuaAnswer, LuaMessage } from "./lua-worker.ts";

/** What the main thread hands over. */
export interface ModuleWork {
  /** The script's address. */
  readonly url: string;
  /** For error messages. */
  readonly name: string;
  readonly functions: readonly string[];
  readonly port: MessagePort;
  /** One cell that turns 1 when an answer is there. */
  readonly bell: SharedArrayBuffer;
}

/** What the script has thrown, as far as it crosses the thread. */
export interface ModuleFailure {
  readonly kind: "threw";
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
}

const { url, name: file, functions, port, bell } = workerData as ModuleWork;
const cell = new Int32Array(bell);

const ask = (name: string, values: readonly unknown[]): unknown => {
  Atomics.store(cell, 0, 0);
  port.postMessage({ kind: "ask", name, args: JSON.parse(JSON.stringify(values)) } satisfies LuaMessage);
  Atomics.wait(cell, 0, 0);
  const answer: LuaAnswer | undefined = receiveMessageOnPort(port)?.message;
  if (answer === undefined) throw new Error(`${name} was not answered`);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value ?? undefined;
};

const run = async (): Promise<LuaMessage> => {
  const { default: main }: { readonly default?: unknown } = await import(url);
  if (typeof main !== "function")
    return { kind: "failed", message: `${file}: it has no function as its default export` };
  await main(Object.fromEntries(functions.map((name) => [name, (...args: unknown[]) => ask(name, args)])));
  // What it has printed is on its way until this comes back; the main thread ends this one when it hears of the end.
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  return { kind: "done" };
};

const toFailure = (cause: unknown): ModuleFailure => ({
  kind: "threw",
  message: cause instanceof Error ? cause.message : String(cause),
  stack: cause instanceof Error ? cause.stack : undefined,
  code: cause instanceof Error && "code" in cause ? String(cause.code) : undefined,
});

// The main thread ends this one when it has the result; until then it must not end by itself.
setInterval(() => undefined, 60_000);

run().then(
  (end) => port.postMessage(end),
  (cause: unknown) => port.postMessage(toFailure(cause)),
);
