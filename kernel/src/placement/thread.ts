/**
 * The placement `thread`: a service in a worker thread of its own. What ends the thread ends the run.
 *
 * Not here: the run itself (`remote-run.ts`), what runs in the thread (`thread-entry.ts`).
 */
import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { StartCarrier } from "./carrier.ts";
import type { Placement } from "./placement.ts";
import { openRemoteRun } from "./remote-run.ts";
import type { ThreadStart } from "./thread-protocol.ts";
import type { ThreadOptions } from "./thread-relay.ts";

/** Starts the thread and the service in it. Fails as the service's start does. A run that ends by itself fails a fiber of the scope. */
export const openThread = Effect.fnUntraced(function* (
  options: ThreadOptions,
): Effect.fn.Return<Placement, FairleadError, Scope.Scope> {
  const { placement, ended } = yield* openRemoteRun(options, startThread);
  yield* Effect.forkScoped(ended);
  return placement;
});

const startThread: StartCarrier = (start, listener) => {
  const worker = startWorker(start);
  const name = `the thread of ${start.service}`;
  worker.on("message", listener.message);
  // Judged at its exit: what it had sent before, such as that a call has begun, is read by then, and not always when its error comes.
  let uncaught: Error | undefined;
  worker.on("error", (cause) => {
    uncaught = cause instanceof Error ? cause : new Error(String(cause));
  });
  worker.on("exit", (code) => listener.ended(uncaught ?? new Error(`${name} has ended with exit code ${code}`)));
  return {
    kind: "thread",
    name,
    pid: undefined,
    post: (message) => worker.postMessage(message),
    kill: Effect.promise(() => worker.terminate()),
  };
};

const startWorker = (start: ThreadStart): Worker => {
  const inSource = import.meta.url.endsWith(".ts");
  const cache = getCompileCacheDir();
  const env = Object.fromEntries(Object.entries(start.env).filter(([, value]) => value !== undefined));
  return new Worker(new URL(`./thread-entry.${inSource ? "ts" : "js"}`, import.meta.url), {
    workerData: start,
    execArgv: inSource ? ["--conditions=@fairlead/source"] : process.execArgv.filter(isLoadingFlag),
    // The modules that were compiled for an earlier run, where this process has such a cache.
    env: { ...env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
    name: start.service,
  });
};

/** Flags by which modules are found and read. */
export const isLoadingFlag = (flag: string): boolean => /^--(?:conditions|import|require)=/.test(flag);
