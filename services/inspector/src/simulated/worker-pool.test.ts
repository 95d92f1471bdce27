/** A worker that hangs, ends or is not needed any more: its caller gets an answer, and the next question has a fresh one. */

import { Worker } from "node:worker_threads";
import { defaultLimits } from "@fairlead/linq";
import { afterEach, expect, test } from "vitest";
import { createWorldPool, WorkerPool } from "./worker-pool.ts";

/** Answers with its number; takes half a second, loops or sleeps for ever, or ends on request. */
const source = `
const { parentPort, threadId } = require("node:worker_threads");
parentPort.on("message", ({ id, input }) => {
  while (input === "hang");
  if (input === "sleep") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (input === "end") process.exit(0);
  if (input === "fail") throw new Error("it broke");
  if (input === "slow") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  parentPort.postMessage({ id, ok: true, value: threadId });
});`;

const crews: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(crews.splice(0).map((crew) => crew.close()));
});

const crewFor = (
  timeoutMs: number,
  waitMs = 600_000,
): ((input: unknown, signal?: AbortSignal) => ReturnType<WorkerPool["ask"]>) => {
  const crew = new WorkerPool({
    timeoutMs,
    waitMs,
    abandon: () => undefined,
    hire: () => new Worker(source, { eval: true }),
  });
  crews.push(crew);
  return (input, signal = new AbortController().signal) => crew.ask("eval", input, signal);
};

const answered = { kind: "value", value: expect.any(Number) };

test("one worker answers question after question", async () => {
  const ask = crewFor(60_000);
  const first = await ask("hello");
  expect(first).toEqual(answered);
  expect(await ask("hello")).toEqual(first);
});

test("a worker that hangs is replaced, and whoever waited behind it has the fresh one", async () => {
  const ask = crewFor(8_000);
  const first = await ask("hello");
  const [hung, next] = await Promise.all([ask("sleep"), ask("hello")]);
  expect(hung).toEqual({ kind: "gone", why: "it did not answer in time" });
  expect(next).toEqual(answered);
  expect(next).not.toEqual(first);
});

test("a question's time does not run while others are before it", async () => {
  const ask = crewFor(3_900);
  const all = await Promise.all(Array.from({ length: 8 }, () => ask("slow")));
  expect(all).toEqual(all.map(() => answered));
  expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1);
});

test.each([
  ["end", "the worker ended"],
  ["fail", "it broke"],
])("a worker that comes to its %s is replaced", async (how, why) => {
  const ask = crewFor(60_000);
  const first = await ask("hello");
  expect(await ask(how)).toEqual({ kind: "gone", why });
  const next = await ask("hello");
  expect(next).toEqual(answered);
  expect(next).not.toEqual(first);
});

test("a caller that gives up is answered at once; what no caller waits for is not asked, and the worker stays", async () => {
  const ask = crewFor(60_000);
  const first = await ask("hello");
  const caller = new AbortController();
  const waiting = [ask("slow", caller.signal), ask("end", caller.signal)];
  caller.abort();
  const gone = { kind: "gone", why: "the caller gave up" };
  expect(await Promise.all(waiting)).toEqual([gone, gone]);
  expect(await ask("end", AbortSignal.abort())).toEqual(gone);
  expect(await ask("hello")).toEqual(first);
});

test("closing answers whoever waits", async () => {
  const ask = crewFor(60_000);
  const waiting = [ask("hang"), ask("hello")];
  await crews[0]?.close();
  const gone = { kind: "gone", why: "the service is stopping" };
  expect(await Promise.all(waiting)).toEqual([gone, gone]);
});

test("who waits too long behind others is refused, and the others are answered", async () => {
  const ask = crewFor(60_000, 100);
  const [slow, waiting] = await Promise.all([ask("slow"), ask("hello")]);
  expect(slow).toEqual(answered);
  expect(waiting).toEqual({ kind: "busy", waitedMs: 100 });
  expect(await ask("hello")).toEqual(slow);
});

test("the world gives up a question whose caller left, and is the same world after it", async () => {
  const limits = { ...defaultLimits, wallMs: 600_000, fuelPerRow: 1e9, fuelPerQuery: 1e10 };
  const crew = createWorldPool({ seed: 1, entities: 1_500, tickMs: 0, limits });
  crews.push(crew);
  const caller = new AbortController();
  const endless = "Entities.Count(Entities.Any(Entities.Any(Id < 0)))";
  const left = crew.ask("eval", { expr: endless, depth: 1 }, caller.signal);
  const next = crew.ask("eval", { expr: "Entities.Any()", depth: 1 }, new AbortController().signal);
  caller.abort();
  expect(await left).toEqual({ kind: "gone", why: "the caller gave up" });
  expect(await next).toEqual({ kind: "value", value: true });
});
