/** A service in a thread of its own: what it sees of the kernel, and what its faults cost. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Kernel, openKernel } from "../boot/kernel.ts";
import type { Progress } from "../call/call.ts";
import { defineService } from "../service/service.ts";
import service, { other } from "../testing/threaded.fixture.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let kernel: Kernel;
/** Also what a kernel logs while it is opened, which is before the first `beforeEach`. */
let lines: { readonly message: string; readonly [field: string]: unknown }[] = [];
let hanging: PromiseWithResolvers<void>;
let hangEnded: PromiseWithResolvers<void>;

const module = new URL("../testing/threaded.fixture.ts", import.meta.url).href;

const neighbour = defineService(other, () => ({
  handlers: {
    double: ({ value }, call) => {
      if (value > 10) throw call.fail("too_big", { message: "it is over 10" });
      const { principal, traceparent, deadline } = call;
      const trace = traceparent.split("-")[1] ?? "";
      return { value: value * 2, caller: `${principal.id} via ${principal.via}`, trace, leftMs: deadline - Date.now() };
    },
    numbers: async function* () {
      yield* [1, 2, 3];
    },
    hang: (_, { signal }) => {
      const ended = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => {
        hangEnded.resolve();
        ended.reject(signal.reason);
      });
      hanging.resolve();
      return ended.promise;
    },
  },
}));

const open = (config: object = {}): Promise<Kernel> =>
  openKernel({
    services: [{ ...service, module } as typeof service, neighbour],
    config: { services: { box: { since: "2026-01-02T00:00:00.000Z" } }, ...config },
    flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-thread-")) },
    env: { BOX: "seen", FAIRLEAD_TOKEN: "a secret that no service sees" },
    log: (level, message, fields) => void lines.push({ level, message, ...fields }),
  });

const openStarted = async (config?: object): Promise<void> => {
  kernel = await open(config);
  await kernel.started();
};

beforeEach(() => {
  lines = [];
  hanging = Promise.withResolvers();
  hangEnded = Promise.withResolvers();
});

const call = (name: string, input: object = {}, options: object = {}) =>
  kernel.connect().call(`box.${name}`, input, options);

const state = async (): Promise<unknown> => {
  const reply = await kernel.connect().call("kernel.services", {});
  return reply.ok ? (reply.value as { services: { id: string }[] }).services.find(({ id }) => id === "box") : reply;
};

/** A call that blocks its thread by now. On a busy machine one may be late before it begins. */
const untilBegun = async (): Promise<ReturnType<typeof call>[]> => {
  // Whatever an earlier attempt has blocked is over when this is answered.
  await call("where");
  const blocking = event("blocking");
  const blocked = call("block");
  const isBegun = await Promise.race([blocking.then(() => true), blocked.then(() => false)]);
  return isBegun ? [blocked] : untilBegun();
};

/** Resolves at the first event of that type. */
const event = (wanted: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  kernel.events.onEvent(({ type }) => {
    if (type === wanted) resolve();
  });
  return promise;
};

describe("a service in a thread", () => {
  beforeAll(() => openStarted());
  afterAll(() => kernel.close());

  it("carries values and declared errors that have a wire side of their own", async () => {
    expect(await call("nextDay", { day: "2026-01-02T00:00:00.000Z" })).toEqual({
      ok: true,
      value: { day: "2026-01-03T00:00:00.000Z" },
    });
    expect(await call("nextDay", { day: "2101-01-01T00:00:00.000Z" })).toMatchObject({
      ok: false,
      error: { code: "out_of_range", reason: "too_late", data: { last: "2100-01-01T00:00:00.000Z" }, retryable: false },
    });
  });

  it("gives it its settings, its folder and its variables, without the kernel's secrets", async () => {
    const reply = await call("surroundings");
    expect(reply).toMatchObject({ ok: true, value: { variable: "seen", own: "seen" } });
    expect(JSON.stringify(reply)).toContain("2026-01-02");
    expect(JSON.stringify(reply)).not.toContain("secret");
  });

  it("takes its log and its events, also what no message can carry", async () => {
    const said = event("said");
    await call("say");
    await said;
    const line = lines.find(({ message }) => message === "said in a thread");
    expect(line).toMatchObject({ level: "warn", service: "box", odd: null });
    expect(line?.error).toMatchObject({ message: "with a stack" });
  });

  it("gives it its own events to read", async () => {
    const opened = await kernel.connect().subscribe("box.own", {});
    if (!opened.ok) throw new Error(opened.error.message);
    let isFound = false;
    const reading = (async () => {
      for await (const { value } of opened.items) if (value === "said") break;
      isFound = true;
    })();
    const say = async (): Promise<boolean> => (await call("say")).ok && isFound;
    await expect.poll(say).toBe(true);
    await reading;
  });

  it("carries a peer's calls for the caller, in its trace and within its deadline, and their errors", async () => {
    const trace = { traceparent: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01" };
    const reply = await call("double", { value: 4 }, { trace, timeoutMs: 20_000 });
    expect(reply).toMatchObject({
      ok: true,
      value: { value: 8, caller: "local via box", trace: "0123456789abcdef0123456789abcdef" },
    });
    expect((reply as { value: { leftMs: number } }).value.leftMs).toBeLessThanOrEqual(20_000);
    expect(await call("double", { value: 40 })).toMatchObject({
      ok: false,
      error: { code: "unknown", message: expect.stringContaining("other.double answered too_big") },
    });
  });

  it("carries a peer's stream, and cancels a peer's call with its own", async () => {
    const opened = await kernel.connect().subscribe("box.relayed", {});
    if (!opened.ok) throw new Error(opened.error.message);
    const values: unknown[] = [];
    for await (const { value } of opened.items) values.push(value);
    expect(values).toEqual([1, 2, 3]);
    const caller = new AbortController();
    const reply = call("hangThere", {}, { signal: caller.signal });
    await hanging.promise;
    caller.abort();
    expect(await reply).toMatchObject({ ok: false, error: { code: "canceled" } });
    await hangEnded.promise;
  });

  it("carries progress to the caller and questions with their answers", async () => {
    const seen: Progress[] = [];
    const onProgress = (progress: Progress): void => void seen.push(progress);
    expect(await call("steps", {}, { onProgress, ask: async () => 7 })).toEqual({ ok: true, value: 7 });
    expect(seen.map(({ progress }) => progress)).toEqual([1, 2, 3]);
  });

  it("lets a stream be no further than its reader, and ends it when that leaves", async () => {
    const opened = await kernel.connect().subscribe("box.count", {});
    if (!opened.ok) throw new Error(opened.error.message);
    const read = opened.items[Symbol.asyncIterator]();
    expect(await read.next()).toMatchObject({ value: { id: "1", value: 1 } });
    expect(await read.next()).toMatchObject({ value: { id: "2", value: 2 } });
    expect(await call("counted")).toEqual({ ok: true, value: { at: 2, open: true } });
    await read.return?.();
    await expect.poll(() => call("counted")).toMatchObject({ value: { open: false } });
  });

  it("shows what the service says about itself", async () => {
    expect(await call("off")).toMatchObject({ ok: false, error: { code: "unimplemented" } });
    for (let times = 0; times < 3; times += 1) await call("poke");
    await expect.poll(state).toMatchObject({ degraded: { why: "poked too often" } });
  });

  it("harms no thread for the impatience of a caller", async () => {
    await call("poke");
    const before = await call("pokes");
    const caller = new AbortController();
    const reply = call("hangThere", {}, { signal: caller.signal, timeoutMs: 1 });
    expect(await reply).toMatchObject({ ok: false, error: { code: "deadline_exceeded" } });
    expect(before).toMatchObject({ ok: true, value: expect.toSatisfy((pokes: number) => pokes > 0) });
    expect(await call("pokes")).toEqual(before);
  });
});

describe("the thread of a service", () => {
  beforeEach(() => openStarted());
  afterEach(() => kernel.close());

  it("runs in a thread, and is stopped with the kernel", async () => {
    expect(await call("where")).toMatchObject({ ok: true, value: { main: false } });
    const stopped = event("stopped");
    await kernel.close();
    await stopped;
  });

  if (inLongTier) {
    it("ends a thread that is blocked past the deadline of its call, names the procedure and starts it again", async () => {
      const [blocked] = await untilBegun();
      const behind = call("poke");
      expect(await blocked).toMatchObject({ ok: false, error: { code: "deadline_exceeded" } });
      // It had not begun: it may be sent again, though its procedure is not repeatable.
      expect(await behind).toMatchObject({ ok: false, error: { code: "unavailable", retryable: true } });
      expect(lines).toContainEqual(
        expect.objectContaining({
          message: expect.stringContaining("blocked its thread"),
          service: "box",
          procedures: ["block"],
        }),
      );
      const stats = await kernel.connect().call("kernel.stats", {});
      expect(JSON.stringify(stats)).toContain('"procedure":"box.block"');
      expect(await call("where")).toMatchObject({ ok: true, value: { main: false } });
      // Of the old run nothing is left.
      expect(await call("pokes")).toEqual({ ok: true, value: 0 });
    });
  }

  it("survives a service that ends its process, which loses only its own calls", async () => {
    const caller = new AbortController();
    const waiting = kernel.connect().call("other.hang", {}, { signal: caller.signal });
    await hanging.promise;
    // It had begun, and may have done something.
    expect(await call("exit")).toMatchObject({ ok: false, error: { code: "unavailable", retryable: false } });
    expect(await call("where")).toMatchObject({ ok: true, value: { main: false } });
    expect(await kernel.connect().call("other.double", { value: 1 })).toMatchObject({ ok: true });
    caller.abort();
    expect(await waiting).toMatchObject({ ok: false, error: { code: "canceled" } });
  });

  if (inLongTier) {
    it("starts it again after an error that nothing caught, and logs that with its stack", async () => {
      expect(await call("fault")).toMatchObject({ ok: false, error: { code: "unavailable", retryable: false } });
      expect(await call("where")).toMatchObject({ ok: true });
      const line = lines.find(({ message }) => message === "service failed while it ran");
      expect(line?.error).toMatchObject({
        message: "no handler catches this",
        stack: expect.stringContaining("threaded.fixture"),
      });
    });
  }
});

describe("no thread", () => {
  afterEach(() => kernel.close());

  it("is local where the operator wants it", async () => {
    await openStarted({ placement: { box: "local" } });
    expect(await call("where")).toMatchObject({ ok: true, value: { main: true } });
  });

  it("refuses a service that has no module, and one that the kernel must be able to ask at once", async () => {
    kernel = await openKernel({
      services: [service],
      flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-thread-")) },
      env: {},
      log: () => {},
    });
    await kernel.started();
    expect(await call("where")).toMatchObject({
      ok: false,
      error: { code: "unavailable", message: expect.stringContaining("given as a value") },
    });
  });
});
