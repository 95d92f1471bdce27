/** What must not be lost when things go wrong: places, keys, the breaker's opinion. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, FairleadError, mutation, query, subscription } from "@fairlead/contracts";
import { afterEach, expect, it } from "vitest";
import * as z from "zod";
import { type MemoryKernel, openMemoryKernel } from "../memory.ts";
import { defineService } from "../service/service.ts";

const probe = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Suffers.",
  procedures: {
    work: query({
      summary: "Works until it is told to stop working.",
      input: z.object({}),
      output: z.int(),
      policy: { concurrency: 1, queue: 0 },
    }),
    guarded: query({
      summary: "Answers behind a breaker.",
      input: z.object({}),
      output: z.int(),
      policy: { breaker: { failures: 1, openMs: 60_000 }, retry: { attempts: 3, baseMs: 1 } },
    }),
    pay: mutation({
      summary: "Pays when it is let.",
      retry: "keyed",
      input: z.object({ names: z.array(z.string()).transform((names) => new Set(names)) }),
      output: z.int(),
    }),
    payInTime: mutation({
      summary: "Pays when it is let, in a short time.",
      retry: "keyed",
      input: z.object({ names: z.array(z.string()) }),
      output: z.int(),
      policy: { deadlineMs: 100 },
    }),
    events: subscription({
      summary: "Waits.",
      input: z.object({}),
      output: z.int(),
      policy: { concurrency: 1, queue: 0 },
    }),
  },
});

const down = defineContract({
  id: "down",
  version: "1.0.0",
  summary: "Never starts.",
  procedures: {
    events: subscription({
      summary: "Never.",
      input: z.object({}),
      output: z.int(),
      policy: { concurrency: 1, queue: 0 },
    }),
  },
});

const make = () => {
  const seen = { working: 0, most: 0, paid: 0, guarded: 0 };
  let finish = Promise.withResolvers<number>();
  const state = { release: () => finish.resolve(1), failing: false };
  const service = defineService(probe, () => ({
    handlers: {
      work: async () => {
        seen.working += 1;
        seen.most = Math.max(seen.most, seen.working);
        await finish.promise;
        seen.working -= 1;
        return 1;
      },
      guarded: async (_, { signal }) => {
        seen.guarded += 1;
        if (state.failing) throw new FairleadError({ code: "unavailable", message: "down" });
        return new Promise<number>((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
      },
      pay: async () => {
        seen.paid += 1;
        if (state.failing) throw new FairleadError({ code: "failed_precondition", message: "no account" });
        return finish.promise;
      },
      payInTime: async () => {
        seen.paid += 1;
        return finish.promise;
      },
      events: async function* () {
        yield 1;
        await new Promise(() => {});
      },
    },
  }));
  const broken = defineService(down, () => {
    throw new FairleadError({ code: "failed_precondition", message: "no engine", hint: "install it" });
  });
  const kernel = openMemoryKernel([service, broken], { env: {}, stateDir: mkdtempSync(join(tmpdir(), "fairlead-")) });
  const again = (): void => {
    finish = Promise.withResolvers();
    state.release = () => finish.resolve(2);
  };
  return { kernel, seen, state, again };
};

let open: MemoryKernel | undefined;
afterEach(() => open?.close());
/** With its service started: the short deadlines of the tests are for calls. */
const start = async () => {
  const made = make();
  open = made.kernel;
  await made.kernel.call("kernel.ping", { service: "probe" });
  return made;
};

it("work that goes on past its deadline keeps its place until it ends", async () => {
  const { kernel, seen, state } = await start();
  expect(await kernel.call("probe.work", {}, { timeoutMs: 500 })).toMatchObject({
    error: { code: "deadline_exceeded" },
  });
  expect(await kernel.call("probe.work", {}, { timeoutMs: 500 })).toMatchObject({
    error: { code: "resource_exhausted" },
  });
  state.release();
  await expect.poll(() => kernel.call("probe.work", {})).toEqual({ ok: true, value: 1 });
  expect(seen.most).toBe(1);
});

it("a subscription to a service that is down costs no place", async () => {
  const { kernel } = await start();
  for (let i = 0; i < 5; i += 1) {
    expect(await kernel.subscribe("down.events", {})).toMatchObject({ ok: false, error: { code: "unavailable" } });
  }
});

it("a subscription without a reader gives its place back when it ends", async () => {
  const { kernel } = await start();
  for (let i = 0; i < 3; i += 1) {
    const opened = await kernel.subscribe("probe.events", {});
    if (!opened.ok) throw new Error(opened.error.message);
    await opened.items[Symbol.asyncIterator]().return?.();
  }
});

const key = { idempotencyKey: "k" };

it("a keyed call whose caller left runs once, and its true answer is replayed", async () => {
  const { kernel, seen, state } = await start();
  const controller = new AbortController();
  const left = kernel.call("probe.pay", { names: ["a"] }, { ...key, signal: controller.signal });
  const stayed = kernel.call("probe.pay", { names: ["a"] }, key);
  const hurried = kernel.call("probe.pay", { names: ["a"] }, { ...key, timeoutMs: 20 });
  await expect.poll(() => seen.paid, { interval: 1 }).toBe(1);
  controller.abort();
  expect(await left).toMatchObject({ error: { code: "canceled" } });
  expect(await hurried).toMatchObject({ error: { code: "deadline_exceeded" } });
  state.release();
  expect(await stayed).toEqual({ ok: true, value: 1 });
  expect(await kernel.call("probe.pay", { names: ["a"] }, key)).toEqual({ ok: true, value: 1 });
  expect(seen.paid).toBe(1);
});

it("a keyed call past its deadline is never run again, and its late answer is kept", async () => {
  const { kernel, seen, state } = await start();
  expect(await kernel.call("probe.payInTime", { names: [] }, key)).toMatchObject({
    error: { code: "deadline_exceeded" },
  });
  expect(await kernel.call("probe.payInTime", { names: [] }, key)).toMatchObject({
    error: { code: "deadline_exceeded" },
  });
  state.release();
  await expect.poll(() => kernel.call("probe.payInTime", { names: [] }, key)).toEqual({ ok: true, value: 1 });
  expect(seen.paid).toBe(1);
});

it("a key knows its input as it was sent, not as it was decoded", async () => {
  const { kernel, state } = await start();
  state.release();
  expect(await kernel.call("probe.pay", { names: ["a"] }, key)).toMatchObject({ ok: true });
  expect(await kernel.call("probe.pay", { names: ["a", "b"] }, key)).toMatchObject({
    error: { code: "failed_precondition" },
  });
});

it("a keyed call that fails is a failure, also the second time", async () => {
  const { kernel, seen, state } = await start();
  state.failing = true;
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await kernel.call("probe.pay", { names: [] }, key)).toEqual({
      ok: false,
      error: expect.objectContaining({ code: "failed_precondition" }),
    });
  expect(seen.paid).toBe(1);
});

it("a short deadline of a caller does not count for the breaker", async () => {
  const { kernel, seen } = await start();
  for (let i = 0; i < 3; i += 1) {
    expect(await kernel.call("probe.guarded", {}, { timeoutMs: 200 })).toMatchObject({
      error: { code: "deadline_exceeded" },
    });
  }
  expect(seen.guarded).toBe(3);
});

it("the breaker is around the retries: one verdict a call, and no waiting while it is open", async () => {
  const { kernel, seen, state } = await start();
  state.failing = true;
  expect(await kernel.call("probe.guarded", {})).toMatchObject({ error: { code: "unavailable" } });
  expect(seen.guarded).toBe(3);
  const refused = await kernel.call("probe.guarded", {});
  expect(refused).toMatchObject({ error: { code: "unavailable", retryable: true, retryAfterMs: expect.any(Number) } });
  expect(seen.guarded).toBe(3);
});
