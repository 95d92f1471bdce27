/** A worker that hangs, ends or is not needed any more: its caller gets an answer, and the next question has a fresh one. */

import { Worker } from "node:worker_threads";
import { defaultLimits } from "@fairlead/linq";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorldPool, WorkerPool } from "./worker-pool.ts";

/** Answers with its number; waits for a gate, loops or sleeps for ever, or ends on request. */
const source = `
const { parentPort, threadId } = require("node:worker_threads");
parentPort.on("message", ({ kind, call }) => {
  if (kind === "drop") return;
  const { id, input } = call;
  while (input === "hang");
  if (input === "sleep") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (input === "end") process.exit(0);
  if (input === "fail") throw new Error("it broke");
  if (input instanceof Int32Array) Atomics.wait(input, 0, 0);
  parentPort.postMessage({ id, ok: true, value: threadId });
});`;

/** A question that is answered once its gate is open. */
const closedGate = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
const openGate = (gate: Int32Array): void => {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
};

const pools: WorkerPool[] = [];
// The pool's time is the test's; the workers are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

const startPool = (
  times: Partial<Record<"timeoutMs" | "startMs" | "waitMs", number>> = {},
): ((input: unknown, signal?: AbortSignal) => ReturnType<WorkerPool["ask"]>) => {
  const pool = new WorkerPool({
    timeoutMs: 1_000,
    waitMs: 1_000_000,
    ...times,
    hire: () => new Worker(source, { eval: true }),
  });
  pools.push(pool);
  return (input, signal = new AbortController().signal) => pool.ask("eval", input, signal);
};

const answered = { kind: "value", value: expect.any(Number) };
const late = { kind: "gone", why: "it did not answer in time" };

test("one worker answers question after question", async () => {
  const ask = startPool();
  const first = await ask("hello");
  expect(first).toEqual(answered);
  expect(await ask("hello")).toEqual(first);
});

test("a worker that hangs is replaced, and whoever waited behind it has the fresh one", async () => {
  const ask = startPool();
  const first = await ask("hello");
  const waiting = [ask("sleep"), ask("hello")];
  vi.advanceTimersByTime(1_000);
  const [hung, next] = await Promise.all(waiting);
  expect(hung).toEqual(late);
  expect(next).toEqual(answered);
  expect(next).not.toEqual(first);
});

test("a question's time does not run while others are before it", async () => {
  const ask = startPool();
  const gates = Array.from({ length: 8 }, closedGate);
  const all = gates.map((gate) => ask(gate));
  const answers: unknown[] = [];
  for (const [at, gate] of gates.entries()) {
    vi.advanceTimersByTime(999);
    openGate(gate);
    answers.push(await all[at]);
  }
  expect(answers).toEqual(gates.map(() => answered));
  expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
});

test("the start of a worker has a time beside the question's", async () => {
  const ask = startPool({ startMs: 500 });
  const gate = closedGate();
  const first = ask(gate);
  vi.advanceTimersByTime(1_499);
  openGate(gate);
  expect(await first).toEqual(answered);
  const second = ask("sleep");
  vi.advanceTimersByTime(1_000);
  expect(await second).toEqual(late);
});

test.each([
  ["end", "the worker ended"],
  ["fail", "it broke"],
])("a worker that comes to its %s is replaced", async (how, why) => {
  const ask = startPool();
  const first = await ask("hello");
  expect(await ask(how)).toEqual({ kind: "gone", why });
  const next = await ask("hello");
  expect(next).toEqual(answered);
  expect(next).not.toEqual(first);
});

test("a caller that gives up is answered at once; what no caller waits for is not asked, and the worker stays", async () => {
  const ask = startPool();
  const first = await ask("hello");
  const caller = new AbortController();
  const gate = closedGate();
  const waiting = [ask(gate, caller.signal), ask("end", caller.signal)];
  caller.abort();
  openGate(gate);
  const gone = { kind: "gone", why: "the caller gave up" };
  expect(await Promise.all(waiting)).toEqual([gone, gone]);
  expect(await ask("end", AbortSignal.abort())).toEqual(gone);
  expect(await ask("hello")).toEqual(first);
});

test("closing answers whoever waits", async () => {
  const ask = startPool();
  const waiting = [ask("hang"), ask("hello")];
  await pools[0]?.close();
  const gone = { kind: "gone", why: "the service is stopping" };
  expect(await Promise.all(waiting)).toEqual([gone, gone]);
});

test("who waits too long behind others is refused, and the others are answered", async () => {
  const ask = startPool({ waitMs: 100 });
  const gate = closedGate();
  const slow = ask(gate);
  const waiting = ask("hello");
  vi.advanceTimersByTime(100);
  expect(await waiting).toEqual({ kind: "busy", waitedMs: 100 });
  openGate(gate);
  expect(await slow).toEqual(answered);
  expect(await ask("hello")).toEqual(await slow);
});

test("a question that is refused after its first slice is forgotten by the worker", async () => {
  const dropped = Promise.withResolvers<unknown>();
  const slices = `
    const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ kind, id, call }) => {
      if (kind === "drop") return parentPort.postMessage({ dropped: id });
      if (call.input instanceof Int32Array) {
        parentPort.postMessage({ isGated: true });
        Atomics.wait(call.input, 0, 0);
      }
      parentPort.postMessage(call.input === "long" ? { id: call.id, isPaused: true } : { id: call.id, ok: true, value: 1 });
    });`;
  const gate = closedGate();
  const gateReached = Promise.withResolvers<void>();
  const hire = (): Worker => {
    const worker = new Worker(slices, { eval: true });
    worker.on("message", (message: { readonly dropped?: number; readonly isGated?: true }) => {
      if (message.dropped !== undefined) dropped.resolve(message.dropped);
      if (message.isGated) gateReached.resolve();
    });
    return worker;
  };
  const pool = new WorkerPool({ timeoutMs: 1_000_000, waitMs: 100, hire });
  pools.push(pool);
  const { signal } = new AbortController();
  const long = pool.ask("eval", "long", signal);
  const gated = pool.ask("eval", gate, signal);
  await gateReached.promise;
  vi.advanceTimersByTime(100);
  expect(await long).toEqual({ kind: "busy", waitedMs: 100 });
  openGate(gate);
  await gated;
  expect(await dropped.promise).toBe(1);
});

test("the world gives up a question whose caller left, and is the same world after it", async () => {
  const limits = { ...defaultLimits, wallMs: 600_000, fuelPerRow: 1e9, fuelPerQuery: 1e10 };
  const pool = createWorldPool({ seed: 1, entities: 1_500, tickMs: 0, limits });
  pools.push(pool);
  const caller = new AbortController();
  const endless = "Entities.Count(Entities.Any(Entities.Any(Id < 0)))";
  const left = pool.ask("eval", { expr: endless, depth: 1 }, caller.signal);
  const next = pool.ask("eval", { expr: "Entities.Any()", depth: 1 }, new AbortController().signal);
  caller.abort();
  expect(await left).toEqual({ kind: "gone", why: "the caller gave up" });
  expect(await next).toEqual({ kind: "value", value: true });
});
