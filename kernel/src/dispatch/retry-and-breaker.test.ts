/** What retries and the breaker make of deadlines: a pause that cannot fit is not begun, and only a contract's own deadline is a failure. */
import { defineContract, FairleadError, query } from "@fairlead/contracts";
import { afterEach, expect, it } from "vitest";
import * as z from "zod";
import { type MemoryKernel, openMemoryKernel } from "../memory.ts";
import { defineService } from "../service/service.ts";

const input = z.object({});
const output = z.int();

const probe = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Fails as it is told to.",
  procedures: {
    busy: query({
      summary: "Is down, and says for how long.",
      input: z.object({ retryAfterMs: z.int() }),
      output,
      policy: { deadlineMs: 5_000, retry: { attempts: 3, baseMs: 1 } },
    }),
    slow: query({
      summary: "Never answers in time.",
      input,
      output,
      policy: { deadlineMs: 400, breaker: { failures: 1, openMs: 60_000 } },
    }),
  },
});

let kernel: MemoryKernel | undefined;
afterEach(() => kernel?.close());

/** With its service started: the short deadlines of the tests are for calls. */
const start = async () => {
  const calls = { busy: 0, slow: 0 };
  const service = defineService(probe, () => ({
    handlers: {
      busy: async ({ retryAfterMs }) => {
        calls.busy += 1;
        throw new FairleadError({ code: "unavailable", message: "down", retryAfterMs });
      },
      slow: (_, { signal }) => {
        calls.slow += 1;
        const { promise, reject } = Promise.withResolvers<number>();
        signal.addEventListener("abort", () => reject(new Error("stopped")));
        return promise;
      },
    },
  }));
  kernel = openMemoryKernel([service], { env: {} });
  await kernel.call("kernel.ping", { service: "probe" });
  return { kernel, calls };
};

it("a retry that cannot fit before the deadline is not waited for: the failure is the answer, at once", async () => {
  const { kernel, calls } = await start();
  const reply = await kernel.call("probe.busy", { retryAfterMs: 60_000 });
  expect(reply).toMatchObject({ ok: false, error: { code: "unavailable", message: "down" } });
  expect(calls.busy).toBe(1);
});

it("neither is one that a caller in a hurry left no time for", async () => {
  const { kernel, calls } = await start();
  const reply = await kernel.call("probe.busy", { retryAfterMs: 4_500 }, { timeoutMs: 4_000 });
  expect(reply).toMatchObject({ ok: false, error: { code: "unavailable" } });
  expect(calls.busy).toBe(1);
});

it("one that fits is made", async () => {
  const { kernel, calls } = await start();
  expect(await kernel.call("probe.busy", { retryAfterMs: 1 })).toMatchObject({ error: { code: "unavailable" } });
  expect(calls.busy).toBe(3);
});

it("none is made of an attempt of a run: the run is tried again by its own rules", async () => {
  const { kernel, calls } = await start();
  // More than a caller may send: the runner's calls have it.
  const options = { onProgress: () => {}, run: { id: "r", attempt: 1, deadlineMs: 5_000 } };
  expect(await kernel.call("probe.busy", { retryAfterMs: 1 }, options)).toMatchObject({
    error: { code: "unavailable" },
  });
  expect(calls.busy).toBe(1);
});

it.each([
  ["without a timeout of the caller's", undefined],
  ["with a longer one", 10_000],
  ["with the same one", 400],
])("the contract's own deadline opens the breaker, %s", async (_, timeoutMs) => {
  const { kernel, calls } = await start();
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  expect(await kernel.call("probe.slow", {}, options)).toMatchObject({ error: { code: "deadline_exceeded" } });
  expect(await kernel.call("probe.slow", {}, options)).toMatchObject({ error: { code: "unavailable" } });
  expect(calls.slow).toBe(1);
});

it("a shorter one of the caller's leaves it closed", async () => {
  const { kernel, calls } = await start();
  for (let round = 0; round < 2; round += 1)
    expect(await kernel.call("probe.slow", {}, { timeoutMs: 300 })).toMatchObject({
      error: { code: "deadline_exceeded" },
    });
  expect(calls.slow).toBe(2);
});

it("a caller that gives up leaves it closed", async () => {
  const { kernel, calls } = await start();
  for (let round = 1; round <= 2; round += 1) {
    const controller = new AbortController();
    const reply = kernel.call("probe.slow", {}, { signal: controller.signal });
    await expect.poll(() => calls.slow).toBe(round);
    controller.abort();
    expect(await reply).toMatchObject({ error: { code: "canceled" } });
  }
});
