import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, error, FairleadError, mutation, query, subscription } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Composition, compose } from "../boot/composition.ts";
import { localPrincipal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { makeLog } from "../observe/log.ts";
import { tracked } from "../service/handler.ts";
import { defineService } from "../service/service.ts";

const probe = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Does what a test asks for.",
  procedures: {
    sum: query({
      summary: "Adds.",
      input: z.object({ a: z.int(), b: z.int() }),
      output: z.int(),
      errors: {
        too_big: error({ code: "out_of_range", when: "the sum is over 100", data: z.object({ limit: z.int() }) }),
      },
    }),
    effect: query({ summary: "Adds in an Effect.", input: z.object({ a: z.int() }), output: z.int() }),
    hang: query({
      summary: "Never answers.",
      input: z.object({}),
      output: z.int(),
      policy: { deadlineMs: 40, concurrency: 1, queue: 1 },
    }),
    linger: query({ summary: "Never answers, and has time.", input: z.object({}), output: z.int() }),
    crash: query({ summary: "Throws.", input: z.object({}), output: z.int() }),
    lie: query({ summary: "Returns what it must not.", input: z.object({}), output: z.int() }),
    rogue: query({ summary: "Throws an error it does not declare.", input: z.object({}), output: z.int() }),
    flaky: query({
      summary: "Fails twice, then answers.",
      input: z.object({}),
      output: z.int(),
      policy: { retry: { attempts: 3, baseMs: 1 } },
    }),
    broken: query({
      summary: "Is always down.",
      input: z.object({}),
      output: z.int(),
      policy: { breaker: { failures: 2, openMs: 60_000 } },
    }),
    pay: mutation({ summary: "Pays once.", retry: "keyed", input: z.object({ amount: z.int() }), output: z.int() }),
    admin: mutation({ summary: "For admins.", retry: "unsafe", access: "admin", input: z.object({}), output: z.int() }),
    off: query({ summary: "Is switched off.", input: z.object({}), output: z.int() }),
    count: subscription({ summary: "Counts.", input: z.object({ to: z.int() }), output: z.int() }),
    endless: subscription({ summary: "Waits for ever.", input: z.object({}), output: z.int() }),
    small: query({
      summary: "Takes little.",
      input: z.object({ text: z.string() }),
      output: z.int(),
      policy: { limits: { bytes: 20 } },
    }),
  },
});

const make = () => {
  const seen = { hanging: 0, onHang: (): void => undefined, interrupted: 0, paid: 0, flaky: 0, broken: 0 };
  const hanging = (signal: AbortSignal): Promise<never> => {
    const { promise, reject } = Promise.withResolvers<never>();
    seen.hanging += 1;
    signal.addEventListener("abort", () => {
      seen.interrupted += 1;
      reject(new Error("stopped"));
    });
    seen.onHang();
    return promise;
  };
  const service = defineService(probe, () => ({
    off: () => ({ off: "the test says so" }),
    handlers: {
      sum: ({ a, b }, call) => {
        if (a + b > 100) throw call.fail("too_big", { message: "over 100" }, { limit: 100 });
        return a + b;
      },
      effect: ({ a }) => Effect.succeed(a + 1).pipe(Effect.delay("1 millis")),
      hang: (_, { signal }) => hanging(signal),
      linger: (_, { signal }) => hanging(signal),
      crash: () => {
        throw new TypeError("secret detail");
      },
      lie: () => "text" as unknown as number,
      rogue: () => {
        throw new FairleadError({ code: "not_found", reason: "made_up", message: "?" });
      },
      flaky: () => {
        seen.flaky += 1;
        if (seen.flaky < 3) throw new FairleadError({ code: "unavailable", message: "not yet" });
        return seen.flaky;
      },
      broken: () => {
        seen.broken += 1;
        throw new FairleadError({ code: "unavailable", message: "down" });
      },
      pay: async ({ amount }) => {
        seen.paid += 1;
        await Promise.resolve();
        return amount;
      },
      admin: () => 1,
      off: () => 1,
      count: async function* ({ to }, call) {
        const from = call.lastEventId === undefined ? 1 : Number(call.lastEventId) + 1;
        for (let value = from; value <= to; value += 1) yield tracked(String(value), value);
      },
      endless: async function* (_, call) {
        await new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve()));
        seen.interrupted += 1;
        yield 1;
      },
      small: () => 1,
    },
  }));
  const logged: string[] = [];
  const composition = compose({
    config: readConfig({ flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-")) } }),
    services: [service],
    env: {},
    events: makeEvents(),
    log: makeLog({ level: "debug", write: (line) => void logged.push(line) }),
    schema: async () => undefined,
  });
  return { composition, memory: connect(composition.dispatch), seen, logged };
};

let open: Composition | undefined;
afterEach(() => open?.close());

const start = () => {
  const made = make();
  open = made.composition;
  return made;
};

const errorOf = (reply: { readonly ok: boolean; readonly error?: unknown }) => {
  expect(reply.ok).toBe(false);
  return reply.error as Record<string, unknown>;
};

describe("a call", () => {
  it("is decoded, handled, checked and answered", async () => {
    const { memory } = start();
    expect(await memory.call("probe.sum", { a: 1, b: 2 })).toEqual({ ok: true, value: 3 });
    expect(await memory.call("probe.effect", { a: 1 })).toEqual({ ok: true, value: 2 });
  });

  it("is refused with the path of every wrong field", async () => {
    const { memory } = start();
    const error = errorOf(await memory.call("probe.sum", { a: "one" }));
    expect(error).toMatchObject({ code: "invalid_argument", retryable: false });
    expect(error.issues).toEqual([
      { path: "a", expected: "a number", fix: "give `a` a number" },
      { path: "b", expected: "a number", fix: "`b` is missing: give it a number" },
    ]);
  });

  it("carries a declared error with its data, and hides an undeclared one", async () => {
    const { memory, logged } = start();
    expect(errorOf(await memory.call("probe.sum", { a: 99, b: 2 }))).toEqual({
      code: "out_of_range",
      reason: "too_big",
      message: "over 100",
      data: { limit: 100 },
      retryable: false,
    });
    expect(errorOf(await memory.call("probe.rogue", {}))).toMatchObject({ code: "internal" });
    expect(logged.join()).toContain("made_up");
  });

  it("of a subscription, or a subscription of a call, says which of the two to use", async () => {
    const { memory } = start();
    expect(errorOf(await memory.call("probe.count", { to: 1 }))).toMatchObject({ hint: "subscribe to it" });
    expect(errorOf(await memory.subscribe("probe.sum", { a: 1, b: 2 }))).toMatchObject({ hint: "call it" });
  });

  it("redacts a defect to an id that finds the log line", async () => {
    const { memory, logged } = start();
    for (const name of ["probe.crash", "probe.lie"]) {
      const error = errorOf(await memory.call(name, {}));
      expect(error.code).toBe("internal");
      expect(JSON.stringify(error)).not.toContain("secret detail");
      expect(logged.some((line) => line.includes(String(error.id)))).toBe(true);
    }
  });

  it("ends at its deadline, at the caller's own, and when the caller gives up", async () => {
    const { memory, seen } = start();
    expect(errorOf(await memory.call("probe.hang", {}))).toMatchObject({ code: "deadline_exceeded", retryable: true });
    expect(errorOf(await memory.call("probe.hang", {}, { timeoutMs: 1 }))).toMatchObject({ code: "deadline_exceeded" });
    const controller = new AbortController();
    const begun = Promise.withResolvers<void>();
    seen.onHang = begun.resolve;
    const reply = memory.call("probe.linger", {}, { signal: controller.signal });
    await begun.promise;
    controller.abort();
    expect(errorOf(await reply)).toMatchObject({ code: "canceled" });
    expect(errorOf(await memory.call("probe.sum", {}, { signal: AbortSignal.abort() }))).toMatchObject({
      code: "canceled",
    });
    // A busy machine may be over a short deadline before the handler begins.
    expect(seen.hanging).toBeGreaterThanOrEqual(1);
    expect(seen.interrupted).toBe(seen.hanging);
  });

  it("waits for its turn, and is refused when too many wait", async () => {
    const { memory } = start();
    // Its deadline is for the call, not for the service to start.
    await memory.call("probe.sum", { a: 1, b: 1 });
    const replies = await Promise.all([1, 2, 3].map(() => memory.call("probe.hang", {})));
    const got = replies.map((reply) => (reply.ok ? "ok" : reply.error.code));
    expect(got.toSorted()).toEqual(["deadline_exceeded", "deadline_exceeded", "resource_exhausted"]);
    expect(errorOf(await memory.call("probe.hang", {}))).toMatchObject({ code: "deadline_exceeded" });
  });

  it("is repeated only as the contract allows, and not while the breaker is open", async () => {
    const { memory, seen } = start();
    expect(await memory.call("probe.flaky", {})).toEqual({ ok: true, value: 3 });
    for (let i = 0; i < 4; i += 1) errorOf(await memory.call("probe.broken", {}));
    expect(seen.broken).toBe(2);
  });

  it("with an idempotency key runs once; the stored answer is replayed, another input refused", async () => {
    const { memory, seen } = start();
    const idempotencyKey = "key-1";
    const [first, second] = await Promise.all(
      [1, 2].map(() => memory.call("probe.pay", { amount: 5 }, { idempotencyKey })),
    );
    expect(first).toEqual({ ok: true, value: 5 });
    expect(second).toEqual(first);
    expect(await memory.call("probe.pay", { amount: 5 }, { idempotencyKey })).toEqual(first);
    expect(seen.paid).toBe(1);
    expect(errorOf(await memory.call("probe.pay", { amount: 6 }, { idempotencyKey }))).toMatchObject({
      code: "failed_precondition",
    });
    await memory.call("probe.pay", { amount: 5 });
    expect(seen.paid).toBe(2);
  });

  it("with an idempotency key for what is unsafe is refused with the reason, and runs nothing", async () => {
    const { memory } = start();
    expect(errorOf(await memory.call("probe.admin", {}, { idempotencyKey: "key-2" }))).toMatchObject({
      code: "invalid_argument",
      message: "probe.admin takes no idempotency key: it is unsafe, so a repeat has its effect twice",
      issues: [{ path: "idempotency-key" }],
      retryable: false,
    });
    expect(await memory.call("probe.admin", {})).toEqual({ ok: true, value: 1 });
    // Its client makes one for every mutation, and no caller counts on it.
    expect(await memory.call("probe.admin", {}, { idempotencyKey: "auto:1" })).toEqual({ ok: true, value: 1 });
    expect(await memory.call("probe.sum", { a: 1, b: 2 }, { idempotencyKey: "key-2" })).toEqual({ ok: true, value: 3 });
  });

  it("is authorised by access and service", async () => {
    const { composition } = start();
    const reader = connect(composition.dispatch, { id: "reader", access: ["read"] });
    const elsewhere = connect(composition.dispatch, { ...localPrincipal, services: ["rules"] });
    expect(errorOf(await reader.call("probe.admin", {}))).toMatchObject({ code: "permission_denied" });
    expect(errorOf(await elsewhere.call("probe.sum", { a: 1, b: 1 }))).toMatchObject({ code: "permission_denied" });
  });

  it("counts against its principal's rate", async () => {
    const { composition } = start();
    const slow = connect(composition.dispatch, { id: "slow", access: ["read"], rate: { perSecond: 2, concurrent: 1 } });
    const replies = [];
    for (let i = 0; i < 3; i += 1) replies.push(await slow.call("probe.sum", { a: 1, b: 1 }));
    expect(replies.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(errorOf(replies[2] ?? { ok: true })).toMatchObject({ code: "resource_exhausted", retryable: true });
  });

  it("to an unknown, switched off or oversized procedure is refused helpfully", async () => {
    const { memory } = start();
    expect(errorOf(await memory.call("probe.sun", {}))).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("probe.sum"),
    });
    expect(errorOf(await memory.call("probe.off", {}))).toMatchObject({ code: "unimplemented" });
    expect(errorOf(await memory.call("probe.count", { to: 1 }))).toMatchObject({ code: "unimplemented" });
    expect(await memory.call("probe.small", { text: "123456789" })).toMatchObject({ ok: true });
    expect(errorOf(await memory.call("probe.small", { text: "1234567890" }))).toMatchObject({
      code: "resource_exhausted",
    });
  });

  it("hears a foreign name in what is too deep where its caller is in this process, and nowhere else", async () => {
    const { composition } = start();
    const foreign: unknown = JSON.parse("[".repeat(100) + "]".repeat(100));
    const input = { foreign };
    const refusalOver = async (transport: "memory" | "http") =>
      errorOf(await composition.dispatch.call({ procedure: "probe.sum", input, principal: localPrincipal, transport }));
    const pathThat = (pattern: RegExp) => ({ issues: [{ path: expect.stringMatching(pattern) }] });
    expect(await refusalOver("memory")).toMatchObject(pathThat(/^foreign\[0\]/));
    expect(await refusalOver("http")).toMatchObject(pathThat(/^\*\[0\]/));
  });
});

describe("a subscription", () => {
  const collect = async (opened: Awaited<ReturnType<ReturnType<typeof connect>["subscribe"]>>) => {
    if (!opened.ok) throw new FairleadError(opened.error);
    return Array.fromAsync(opened.items);
  };

  it("streams, and resumes after the last event seen", async () => {
    const { memory } = start();
    expect(await collect(await memory.subscribe("probe.count", { to: 2 }))).toEqual([
      { id: "1", value: 1 },
      { id: "2", value: 2 },
    ]);
    expect(await collect(await memory.subscribe("probe.count", { to: 3 }, { lastEventId: "2" }))).toEqual([
      { id: "3", value: 3 },
    ]);
  });

  it("ends its handler when the caller leaves, and gives its place back", async () => {
    const { memory, seen, composition } = start();
    const controller = new AbortController();
    const opened = await memory.subscribe("probe.endless", {}, { signal: controller.signal });
    if (!opened.ok) throw new Error("refused");
    const next = opened.items[Symbol.asyncIterator]().next();
    await new Promise(setImmediate);
    controller.abort();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(seen.interrupted).toBe(1);
    const stats = composition.metrics.list().find(({ procedure }) => procedure === "probe.endless");
    await expect.poll(() => stats?.running).toBe(0);
  });

  it("is refused like a call", async () => {
    const { memory } = start();
    expect(errorOf(await memory.subscribe("probe.count", { to: "many" }))).toMatchObject({ code: "invalid_argument" });
    expect(errorOf(await memory.subscribe("probe.sum", { a: 1, b: 1 }))).toMatchObject({ code: "unimplemented" });
  });
});

describe("the kernel's own service", () => {
  it("shows services, counts and events", async () => {
    const { memory } = start();
    await memory.call("probe.sum", { a: 1, b: 1 });
    const services = await memory.call("kernel.services", {});
    expect(services).toMatchObject({
      ok: true,
      value: {
        services: [{ id: "kernel" }, { id: "probe", state: "Ready", procedures: 14 }],
      },
    });
    const stats = await memory.call("kernel.stats", { service: "probe" });
    expect(stats).toMatchObject({
      ok: true,
      value: { procedures: [{ procedure: "probe.sum", calls: 1, failures: 0 }] },
    });
    expect(errorOf(await memory.call("kernel.ping", { service: "prob" }))).toMatchObject({ reason: "unknown_service" });
    const opened = await memory.subscribe("kernel.events", { after: 0, types: ["service.state"] });
    if (!opened.ok) throw new Error("refused");
    const { value } = await opened.items[Symbol.asyncIterator]().next();
    expect(value).toMatchObject({
      id: expect.stringMatching(/-1$/),
      value: { seq: 1, type: "service.state", data: { state: "Starting" } },
    });
  });
});
