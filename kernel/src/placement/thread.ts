/**
 * The placement `thread`, on the kernel's side: one run of a service in a thread of its own. What holds the thread up past a deadline is
 * ended with it; what ends the thread ends the run, and its supervisor starts another.
 *
 * Not here: what runs in the thread (`thread-entry.ts`), the decision that it is blocked (`blocked.ts`).
 */
import { getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { StreamItem } from "../call/call.ts";
import type { SelfCheck } from "../service/started-service.ts";
import { makeProcessEvent } from "../subprocess/spawn/process-event.ts";
import { findBlocking, lookEveryMs } from "./blocked.ts";
import { type LinkLost, makeLink } from "./link.ts";
import type { LostPlace, PlacedCall, PlacedDetails, Placement } from "./placement.ts";
import type { Ping, ThreadCall, ThreadStart } from "./thread-protocol.ts";
import { serveThread, type ThreadOptions, type ThreadWorkItem } from "./thread-relay.ts";

/** Starts the thread and the service in it. Fails as the service's start does. A run that ends by itself fails a fiber of the scope. */
export const openThread = Effect.fnUntraced(function* (
  options: ThreadOptions,
): Effect.fn.Return<Placement, FairleadError, Scope.Scope> {
  const { start, stopMs } = options;
  const ended = makeProcessEvent<never, Error>();
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => startWorker(start)),
    (started) => Effect.promise(() => started.terminate()),
  );
  const link = yield* makeLink((message) => worker.postMessage(message));
  const end = (error: Error): void => {
    link.lose(error.message);
    ended.fail(error);
  };
  worker.on("message", (message) => link.receive(message));
  // Judged at its exit: what it had sent before, such as that a call has begun, is read by then, and not always when its error comes.
  let uncaught: Error | undefined;
  worker.on("error", (cause) => {
    uncaught = cause instanceof Error ? cause : new Error(String(cause));
  });
  worker.on("exit", (code) =>
    end(uncaught ?? new Error(`the thread of ${start.service} has ended with exit code ${code}`)),
  );

  const work = new Map<number, ThreadWorkItem>();
  const watch = { unanswered: 0, details: noDetails };
  yield* Effect.forkScoped(
    link.serve(
      serveThread(options, {
        work,
        failed: end,
        pong: (details) => Object.assign(watch, { unanswered: 0, details }),
        note: (kind, body) => link.note(kind, body),
      }),
    ),
  );
  /** Waits at most so long for work that the thread does or that it is to end: it may answer never again. */
  const waitFor = (work: Fiber.Fiber<unknown, unknown>): Effect.Effect<unknown> =>
    Effect.timeoutOption(Effect.interruptible(Fiber.await(work)), stopMs);
  const started = Effect.forkDetach(link.request("start", { seq: options.events.seq } satisfies Ping)).pipe(
    Effect.flatMap((starting) =>
      Effect.onInterrupt(Fiber.join(starting), () =>
        Effect.andThen(Effect.forkDetach(Fiber.interrupt(starting)), waitFor(starting)),
      ),
    ),
    Effect.mapError((error) => startError(start.service, error)),
  );
  watch.details = (yield* started) as PlacedDetails;
  yield* Effect.forkScoped(ended.wait);

  const look = Effect.suspend(() => {
    const now = performance.now();
    const blocking = findBlocking([...work.values()], { unanswered: watch.unanswered, now });
    watch.unanswered += 1;
    link.note("ping", { seq: options.events.seq } satisfies Ping);
    if (blocking === undefined) return Effect.void;
    const names = [...new Set(blocking.map(({ call }) => call.procedure))];
    for (const { call } of blocking) call.onBlocked();
    options.log("error", "a handler blocked its thread past its deadline: the thread is ended", {
      service: start.service,
      procedures: names,
    });
    end(
      new Error(`the thread of ${start.service} was blocked past the deadline of ${names.join(", ") || "its calls"}`),
    );
    return Effect.promise(() => worker.terminate());
  });
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(lookEveryMs), look)));

  let nextId = 1;
  const begin = (call: PlacedCall): { readonly item: ThreadWorkItem; readonly message: ThreadCall } => {
    const id = nextId++;
    const item = { call, hasBegun: false, due: performance.now() + call.deadlineMs };
    work.set(id, item);
    const { onProgress, ask, onLog: ___, onBlocked: _, deadlineMs: __, ...rest } = call;
    return { item, message: { ...rest, id, progress: onProgress !== undefined, ask: ask !== undefined } };
  };
  return {
    call: (call) =>
      Effect.suspend(() => {
        const { item, message } = begin(call);
        return link.request("call", message).pipe(
          Effect.mapError((error) => toLost(item.hasBegun)(error)),
          Effect.ensuring(Effect.sync(() => work.delete(message.id))),
        );
      }),
    subscribe: (call) =>
      Stream.suspend(() => {
        const { item, message } = begin(call);
        return link.stream("subscribe", message).pipe(
          Stream.map((event) => event as StreamItem),
          Stream.mapError((error) => toLost(item.hasBegun)(error)),
          Stream.ensuring(Effect.sync(() => work.delete(message.id))),
        );
      }),
    drain: Effect.forkDetach(link.request("stop", undefined)).pipe(
      Effect.flatMap(waitFor),
      Effect.andThen(Effect.sync(() => link.lose(`the thread of ${start.service} was stopped`))),
    ),
    health: () => watch.details,
    checks: link.request("checks", undefined).pipe(
      Effect.map((checks) => checks as readonly SelfCheck[]),
      Effect.mapError(toLost(false)),
    ),
  };
});

const toLost =
  (sent: boolean) =>
  (error: FairleadError | LinkLost): FairleadError | LostPlace =>
    error instanceof FairleadError ? error : { _tag: "LostPlace", why: error.why, sent };

const noDetails: PlacedDetails = { condition: { state: "ready" }, off: {}, info: {}, children: [] };

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
const isLoadingFlag = (flag: string): boolean => /^--(?:conditions|import|require)=/.test(flag);

const startError = (service: string, error: FairleadError | LinkLost): FairleadError =>
  error instanceof FairleadError
    ? error
    : new FairleadError({ code: "unavailable", message: `${service} did not start: ${error.why}` });
