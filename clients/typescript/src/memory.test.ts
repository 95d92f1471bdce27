import { expect, test } from "vitest";
import { createClient } from "./client.ts";
import { ClientError } from "./error.ts";
import { type MemoryKernel, type MemoryOptions, memoryTransport } from "./memory.ts";
import { type DiceTypes, dice } from "./testing/fixture.ts";

const kernel = (given: Partial<MemoryKernel>): MemoryKernel => ({
  call: async () => ({ ok: true, value: {} }),
  subscribe: async () => ({ ok: true, items: (async function* () {})() }),
  ...given,
});

const client = (given: Partial<MemoryKernel>) =>
  createClient<DiceTypes>(dice, memoryTransport(kernel(given)), { retry: false });

test("a call arrives with what the caller said", async () => {
  const seen: (MemoryOptions & { readonly procedure: string; readonly input: unknown })[] = [];
  const { book } = client({
    call: async (procedure, input, options) => {
      seen.push({ ...options, procedure, input });
      options.onProgress?.({ progress: 1, total: 2 });
      return { ok: true, value: { booking: "b1" } };
    },
  });
  const progress: number[] = [];
  const options = {
    timeoutMs: 60_000,
    idempotencyKey: "k",
    onProgress: (at: { progress: number }) => progress.push(at.progress),
  };
  expect(await book({ table: "t" }, options)).toEqual({ booking: "b1" });
  expect(seen[0]).toMatchObject({ procedure: "dice.book", input: { table: "t" }, idempotencyKey: "k" });
  expect(seen[0]?.timeoutMs).toBeLessThanOrEqual(60_000);
  expect(progress).toEqual([1]);
});

test("a refusal is a ClientError", async () => {
  const { roll } = client({
    call: async () => ({
      ok: false,
      error: { code: "not_found", reason: "no_such_die", message: "no", retryable: false },
    }),
  });
  const error = await roll({ sides: 7 }).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ClientError);
  expect(error).toMatchObject({ code: "not_found", reason: "no_such_die", procedure: "dice.roll" });
});

test("the caller's signal reaches the kernel", async () => {
  const controller = new AbortController();
  const { roll } = client({
    call: (_procedure, _input, { signal }) =>
      new Promise((resolve) => {
        const error = { code: "canceled", message: "stopped", retryable: false } as const;
        signal.addEventListener("abort", () => resolve({ ok: false, error }));
        controller.abort();
      }),
  });
  await expect(roll({ sides: 6 }, { signal: controller.signal })).rejects.toMatchObject({ code: "canceled" });
});

test("a stream gives its events, and its error in mid-stream as a ClientError", async () => {
  const { rolls } = client({
    subscribe: async () => ({
      ok: true,
      items: (async function* () {
        yield { id: "1", value: { total: 1 } };
        throw Object.assign(new Error("gone"), { code: "aborted", retryable: false });
      })(),
    }),
  });
  const seen: unknown[] = [];
  const reading = (async () => {
    for await (const event of rolls()) seen.push(event);
  })();
  await expect(reading).rejects.toMatchObject({ name: "ClientError", code: "aborted", message: "gone" });
  expect(seen).toEqual([{ total: 1 }]);
});

test("leaving the loop ends the kernel's stream", async () => {
  let ended = false;
  const { rolls } = client({
    subscribe: async () => ({
      ok: true,
      items: (async function* () {
        try {
          for (let total = 0; ; total += 1) yield { id: String(total), value: { total } };
        } finally {
          ended = true;
        }
      })(),
    }),
  });
  for await (const event of rolls()) if (event.total === 3) break;
  expect(ended).toBe(true);
});
