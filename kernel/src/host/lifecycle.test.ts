import { defineContract, FairleadError, query } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openMemoryKernel } from "../memory.ts";
import { defineService } from "../service/service.ts";

const contractOf = (id: string) =>
  defineContract({
    id,
    version: "1.0.0",
    summary: "Answers.",
    procedures: { ask: query({ summary: "Answers.", input: z.object({}), output: z.int() }) },
  });

const answering = (id: string) => defineService(contractOf(id), () => ({ handlers: { ask: () => 1 } }));

const stateOf = async (kernel: ReturnType<typeof openMemoryKernel>, id: string): Promise<unknown> => {
  const reply = await kernel.call("kernel.services", {});
  if (!reply.ok) throw new Error(reply.error.message);
  return (reply.value as { services: { id: string }[] }).services.find((service) => service.id === id);
};

it("a service that hangs while it starts delays no other, and its callers wait for it", async () => {
  const opened = Promise.withResolvers<void>();
  const slow = defineService(contractOf("slow"), () =>
    Effect.promise(() => opened.promise).pipe(Effect.as({ handlers: { ask: () => 2 } })),
  );
  const kernel = openMemoryKernel([slow, answering("quick")], { env: {} });
  const waiting = kernel.call("slow.ask", {});
  expect(await kernel.call("quick.ask", {})).toEqual({ ok: true, value: 1 });
  expect(await stateOf(kernel, "slow")).toMatchObject({ state: "Starting" });
  opened.resolve();
  expect(await waiting).toEqual({ ok: true, value: 2 });
  await kernel.close();
});

it("a service that cannot start says why and what would fix it, and starts when it is asked to after that", async () => {
  let mended = false;
  const broken = defineService(contractOf("broken"), () => {
    if (mended) return { handlers: { ask: () => 3 } };
    throw new FairleadError({ code: "failed_precondition", message: "no engine", hint: "install the engine" });
  });
  const kernel = openMemoryKernel([broken, answering("quick")], { env: {} });
  expect(await kernel.call("broken.ask", {})).toMatchObject({
    ok: false,
    error: { code: "unavailable", hint: "install the engine" },
  });
  expect(await stateOf(kernel, "broken")).toMatchObject({
    state: "Failed",
    degraded: { why: "no engine", fix: "install the engine" },
  });
  expect(await kernel.call("quick.ask", {})).toMatchObject({ ok: true });
  mended = true;
  expect(await kernel.call("kernel.restart", { service: "broken" })).toMatchObject({ ok: true });
  await expect.poll(() => kernel.call("broken.ask", {})).toEqual({ ok: true, value: 3 });
  await kernel.close();
});

it("a defect of a start is logged with its stack, and a caller hears what starts the service again", async () => {
  const lines: { readonly message: string; readonly error: unknown }[] = [];
  const broken = defineService(
    contractOf("broken"),
    () => {
      throw new TypeError("no such column");
    },
    { supervision: { intensity: { restarts: 1 }, exceeded: "stay_down" } },
  );
  const kernel = openMemoryKernel([broken], {
    env: {},
    log: (_level, message, fields) => void lines.push({ message, error: fields?.error }),
  });
  const failed = {
    ok: false,
    error: { code: "unavailable", retryable: false, hint: expect.stringContaining("services restart broken") },
  };
  await expect.poll(() => kernel.call("broken.ask", {})).toMatchObject(failed);
  expect(lines).toContainEqual({
    message: "service did not start",
    error: expect.objectContaining({ stack: expect.stringContaining("lifecycle.test.ts") }),
  });
  await kernel.close();
});

it("what a service acquired is released on restart and at the end, in reverse", async () => {
  const log: string[] = [];
  const holding = (id: string) =>
    defineService(contractOf(id), () =>
      Effect.acquireRelease(
        Effect.sync(() => void log.push(`+${id}`)),
        () => Effect.sync(() => void log.push(`-${id}`)),
      ).pipe(Effect.as({ handlers: { ask: () => 1 } })),
    );
  const kernel = openMemoryKernel([holding("a"), holding("b")], { env: {} });
  await kernel.call("a.ask", {});
  await kernel.call("b.ask", {});
  await kernel.call("kernel.restart", { service: "a" });
  await expect.poll(() => log).toEqual(["+a", "+b", "-a", "+a"]);
  await kernel.close();
  expect(log.slice(4)).toEqual(["-b", "-a"]);
});

it("a service whose handlers do not match its contract is not run", async () => {
  const wrong = defineService(contractOf("wrong"), () => ({ handlers: {} as { ask: () => number } }));
  const kernel = openMemoryKernel([wrong], { env: {} });
  expect(await kernel.call("wrong.ask", {})).toMatchObject({
    ok: false,
    error: { code: "unavailable", message: expect.stringContaining("no handler for ask") },
  });
  await kernel.close();
});

describe("a service that reads its handlers late", () => {
  const late = (read: () => Promise<{ ask: () => number }>) =>
    defineService(contractOf("late"), () => ({ handlers: read }));

  it("is ready without them, and reads them once, at its first call that is let in", async () => {
    let reads = 0;
    const kernel = openMemoryKernel(
      [
        late(async () => {
          reads += 1;
          return { ask: () => 5 };
        }),
      ],
      { env: {} },
    );
    expect(await stateOf(kernel, "late")).toMatchObject({ state: "Ready", degraded: null });
    expect(await kernel.call("late.ask", "no object")).toMatchObject({
      ok: false,
      error: { code: "invalid_argument" },
    });
    expect(reads).toBe(0);
    const replies = await Promise.all([1, 2].map(() => kernel.call("late.ask", {})));
    expect(replies).toEqual([
      { ok: true, value: 5 },
      { ok: true, value: 5 },
    ]);
    expect(reads).toBe(1);
    await kernel.call("kernel.restart", { service: "late" });
    await expect.poll(() => kernel.call("late.ask", {})).toEqual({ ok: true, value: 5 });
    expect(reads).toBe(2);
    await kernel.close();
  });

  it("fails for all to see when they cannot be read, or are not what the contract says", async () => {
    const cases = [
      [() => Promise.reject(new SyntaxError("no such brace")), "no such brace"],
      [async () => ({}) as { ask: () => number }, "no handler for ask"],
    ] as const;
    for (const [read, why] of cases) {
      const kernel = openMemoryKernel([late(read)], { env: {} });
      expect(await kernel.call("late.ask", {})).toMatchObject({
        ok: false,
        error: { code: "unavailable", message: expect.stringContaining(why) },
      });
      await expect
        .poll(() => stateOf(kernel, "late"))
        .toMatchObject({
          state: "Failed",
          degraded: { why: expect.stringContaining(why) },
        });
      await kernel.close();
    }
  });
});

it("a service that fails when it reports about itself harms no other", async () => {
  const rude = defineService(contractOf("rude"), () => ({
    handlers: { ask: () => 4 },
    off: () => {
      throw new Error("no mood");
    },
  }));
  const kernel = openMemoryKernel([rude, answering("quick")], { env: {} });
  expect(await kernel.call("rude.ask", {})).toEqual({ ok: true, value: 4 });
  expect(await kernel.call("quick.ask", {})).toMatchObject({ ok: true });
  expect(await stateOf(kernel, "rude")).toMatchObject({ degraded: { why: expect.stringContaining("no mood") } });
  await kernel.close();
});

it("a service that cannot list its children is shown without them, in the list and at its stop", async () => {
  const rude = defineService(contractOf("rude"), () => ({
    handlers: { ask: () => 4 },
    children: () => {
      throw new Error("no list");
    },
  }));
  const kernel = openMemoryKernel([rude, answering("quick")], { env: {} });
  expect(await kernel.call("rude.ask", {})).toEqual({ ok: true, value: 4 });
  expect(await stateOf(kernel, "rude")).toMatchObject({
    state: "Ready",
    children: [],
    degraded: { why: expect.stringContaining("no list") },
  });
  expect(await stateOf(kernel, "quick")).toMatchObject({ state: "Ready" });
  await kernel.call("kernel.restart", { service: "rude" });
  await expect.poll(() => kernel.call("rude.ask", {})).toEqual({ ok: true, value: 4 });
  await kernel.close();
});

it("an event that cannot be written breaks no reader, and a reader from an earlier life gets all that is kept", async () => {
  const chatty = defineService(contractOf("chatty"), (host) => ({
    handlers: {
      ask: () => {
        host.event("odd", { big: 1n });
        return 1;
      },
    },
  }));
  const kernel = openMemoryKernel([chatty], { env: {} });
  await kernel.call("chatty.ask", {});
  const opened = await kernel.subscribe("kernel.events", { types: ["odd"] }, { lastEventId: "elsewhen-5000" });
  if (!opened.ok) throw new Error(opened.error.message);
  const items = opened.items[Symbol.asyncIterator]();
  expect((await items.next()).value.value).toMatchObject({ type: "events.dropped" });
  const { value } = await items.next();
  expect(value.value).toMatchObject({ type: "odd", data: { unwritable: expect.any(String) } });
  await kernel.close();
});
