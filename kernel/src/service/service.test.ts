import { defineContract, error, FairleadError, query, subscription } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Stream from "effect/Stream";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { openMemoryKernel } from "../memory.ts";
import { declaredErrors, InfrastructureError } from "./errors.ts";
import { Call, tracked } from "./handler.ts";
import { Host, Peers } from "./host.ts";
import { defineService, type Service } from "./service.ts";

const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  procedures: {
    find: query({
      summary: "Finds.",
      input: z.object({ name: z.string() }),
      output: z.string(),
      errors: {
        sold_out: error({ code: "not_found", when: "none is left", data: z.object({ until: z.int() }), hint: "wait" }),
      },
    }),
    watch: subscription({ summary: "Watches.", input: z.object({}), output: z.int() }),
  },
});
const bank = defineContract({
  id: "bank",
  version: "1.0.0",
  summary: "Lends.",
  procedures: {
    rate: query({
      summary: "Says the rate.",
      input: z.object({}),
      output: z.int(),
      errors: { closed: error({ code: "failed_precondition", when: "at night" }) },
    }),
  },
});
const { sold_out } = declaredErrors(shop.procedures.find);

const quiet = () => {};
const open = (...services: readonly Service[]) => openMemoryKernel(services, { env: { NAME: "lamp" }, log: quiet });
const raise = (why: string): never => {
  throw new Error(why);
};
const find = (kernel: ReturnType<typeof open>, name: string) => kernel.call("shop.find", { name });
const soldOut = {
  code: "not_found",
  reason: "sold_out",
  message: "no lamp",
  hint: "wait",
  data: { until: 5 },
  retryable: false,
};

const eventsOf = async (kernel: ReturnType<typeof open>): Promise<unknown[]> => {
  const opened = await kernel.subscribe("shop.watch", {});
  if (!opened.ok) throw new Error(opened.error.message);
  return Array.fromAsync(opened.items);
};

describe("the plain shape", () => {
  const watch = async function* () {
    yield 1;
    yield tracked("b", 2);
  };

  it("starts in a promise, fails as declared, and stops", async () => {
    const seen: string[] = [];
    const kernel = open(
      defineService(shop, async (host) => {
        await Promise.resolve();
        seen.push("open");
        return {
          handlers: {
            find: async ({ name }, call) => {
              if (name === "lamp") throw call.fail("sold_out", { message: "no lamp" }, { until: 5 });
              return `${name} ${host.env.NAME}`;
            },
            watch,
          },
          stop: async () => {
            await Promise.resolve();
            seen.push("closed");
          },
        };
      }),
    );
    expect(await find(kernel, "a")).toEqual({ ok: true, value: "a lamp" });
    expect(await find(kernel, "lamp")).toEqual({ ok: false, error: soldOut });
    expect(await eventsOf(kernel)).toEqual([{ value: 1 }, { id: "b", value: 2 }]);
    await kernel.call("kernel.restart", { service: "shop" });
    await expect.poll(() => seen).toEqual(["open", "closed", "open"]);
    await kernel.close();
    expect(seen).toEqual(["open", "closed", "open", "closed"]);
  });

  it("says why a promised start failed", async () => {
    const broken = new FairleadError({ code: "failed_precondition", message: "no stock", hint: "buy some" });
    const kernel = open(defineService(shop, () => Promise.reject(broken)));
    expect(await find(kernel, "a")).toMatchObject({ ok: false, error: { code: "unavailable", hint: "buy some" } });
    await kernel.close();
  });

  it("stops what started after it was given up", async () => {
    const opened = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const kernel = open(
      defineService(shop, async () => {
        await opened.promise;
        return { handlers: { find: () => "a", watch }, stop: () => stopped.resolve() };
      }),
    );
    await kernel.close();
    opened.resolve();
    await stopped.promise;
  });

  it("logs a stop that throws, and stops the others", async () => {
    const lines: string[] = [];
    const failing = defineService(shop, () => ({
      handlers: { find: () => "a", watch },
      stop: () => {
        throw new Error("stuck");
      },
    }));
    const kernel = openMemoryKernel([failing], { env: {}, log: (_, message) => void lines.push(message) });
    await find(kernel, "a");
    await kernel.close();
    expect(lines).toContain("service did not stop cleanly");
  });
});

describe("the Effect shape", () => {
  class Stock extends Context.Service<Stock, { readonly find: (name: string) => Effect.Effect<string | undefined> }>()(
    "test/Stock",
  ) {}

  const stockLayer = (seen: string[]) =>
    Layer.effect(
      Stock,
      Effect.gen(function* () {
        const { env } = yield* Host;
        seen.push("open");
        yield* Effect.addFinalizer(() => Effect.sync(() => seen.push("closed")));
        return { find: (name) => Effect.succeed(name === "lamp" ? undefined : `${name} ${env.NAME}`) };
      }),
    );

  const handlers = {
    find: ({ name }: { readonly name: string }) =>
      Effect.gen(function* () {
        const found = yield* (yield* Stock).find(name);
        return found ?? (yield* sold_out({ message: "no lamp" }, { until: 5 }));
      }),
    watch: () =>
      Stream.fromIterable(["a", "b"]).pipe(
        Stream.mapEffect((name) => Effect.flatMap(Stock, (stock) => stock.find(name))),
        Stream.map((found) => tracked(found ?? "", 1)),
      ),
  };

  it("gives its handlers what its layer gives, and releases it", async () => {
    const seen: string[] = [];
    const kernel = open(defineService(shop, { layer: stockLayer(seen), handlers }));
    expect(await find(kernel, "a")).toEqual({ ok: true, value: "a lamp" });
    expect(await find(kernel, "lamp")).toEqual({ ok: false, error: soldOut });
    expect(await eventsOf(kernel)).toEqual([
      { id: "a lamp", value: 1 },
      { id: "b lamp", value: 1 },
    ]);
    await kernel.call("kernel.restart", { service: "shop" });
    await expect.poll(() => seen).toEqual(["open", "closed", "open"]);
    await kernel.close();
    expect(seen).toEqual(["open", "closed", "open", "closed"]);
  });

  it("takes a fake in the layer's place, settings, and handlers that are read late", async () => {
    const config = z.object({ suffix: z.string() });
    const service = defineService(shop, {
      config,
      layer: (host) => Layer.succeed(Stock, { find: (name) => Effect.succeed(name + host.config.suffix) }),
      handlers: async () => handlers,
      details: Effect.map(Host, ({ env }) => ({ info: () => ({ name: env.NAME }) })),
    });
    const kernel = openMemoryKernel([service], { config: { shop: { suffix: "!" } }, env: { NAME: "x" }, log: quiet });
    expect(await find(kernel, "a")).toEqual({ ok: true, value: "a!" });
    expect(await kernel.call("kernel.info", { service: "shop" })).toMatchObject({ value: { details: { name: "x" } } });
    await kernel.close();
  });

  it.each<[string, object, readonly object[]]>([
    [
      "info",
      { info: () => raise("no disk"), checks: () => [{ name: "a", ok: true, detail: "there" }] },
      [{ name: "a" }],
    ],
    ["info", { info: () => ({ size: 1n }) }, []],
    ["checks", { info: () => ({ name: "x" }), checks: () => raise("no disk") }, []],
    ["checks", { info: () => ({ name: "x" }), checks: async () => raise("no disk") }, []],
  ])(
    "a service whose `%s` fails is reported with a failed check, beside all else (%#)",
    async (name, details, others) => {
      const service = defineService(shop, {
        layer: Layer.succeed(Stock, { find: Effect.succeed }),
        handlers,
        details: Effect.succeed(details),
      });
      const kernel = open(service);
      await find(kernel, "a");
      const failed = { name, ok: false, detail: expect.stringContaining("throws: "), fix: "fix the service" };
      expect(await kernel.call("kernel.info", { service: "shop" })).toMatchObject({
        ok: true,
        value: {
          service: { id: "shop" },
          details: { ...(name === "checks" && { name: "x" }), checks: [...others, failed] },
        },
      });
      await kernel.close();
    },
  );

  it("says why a layer could not be built", async () => {
    const layer = Layer.effect(
      Stock,
      Effect.fail(new InfrastructureError("failed_precondition", { message: "", hint: "buy" })),
    );
    const kernel = open(defineService(shop, { layer, handlers }));
    expect(await find(kernel, "a")).toMatchObject({ ok: false, error: { code: "unavailable", hint: "buy" } });
    await kernel.close();
  });

  it("keeps an infrastructure error's code and redacts a defect", async () => {
    const kernel = open(
      defineService(shop, {
        handlers: {
          find: ({ name }) =>
            name === "defect"
              ? Effect.die(new Error("a secret"))
              : Effect.fail(new InfrastructureError("unavailable", { message: "no stock", retryAfterMs: 7 })),
          watch: () => Stream.fail(new InfrastructureError("aborted", { message: "over" })),
        },
      }),
    );
    const unavailable = { code: "unavailable", message: "no stock", retryAfterMs: 7, retryable: true };
    expect(await find(kernel, "a")).toEqual({ ok: false, error: unavailable });
    const defect = await find(kernel, "defect");
    expect(defect).toMatchObject({ ok: false, error: { code: "internal" } });
    expect(JSON.stringify(defect)).not.toContain("secret");
    await expect(eventsOf(kernel)).rejects.toMatchObject({ code: "aborted", message: "over" });
    await kernel.close();
  });

  it("calls peers with their errors in the type, and with the time and the trace of its own call", async () => {
    const calls: { readonly deadline: number; readonly trace: string }[] = [];
    const lending = defineService(bank, {
      handlers: {
        rate: () =>
          Effect.gen(function* () {
            const { deadline, traceparent } = yield* Call;
            calls.push({ deadline, trace: traceparent.split("-")[1] ?? "" });
            if (calls.length === 1) return 3;
            return yield* declaredErrors(bank.procedures.rate).closed({ message: "night" });
          }),
      },
    });
    const selling = defineService(shop, {
      handlers: {
        find: () =>
          Effect.gen(function* () {
            const { client } = yield* Peers;
            const { rate } = client(bank);
            const { traceparent, deadline } = yield* Call;
            const first = yield* rate({}).pipe(Effect.catchTag("closed", () => Effect.succeed(0)));
            const second = yield* rate({}).pipe(Effect.catchTag("closed", ({ message }) => Effect.succeed(message)));
            return [first, second, traceparent.split("-")[1], deadline].join();
          }),
        watch: () => Stream.empty,
      },
    });
    const kernel = open(selling, lending);
    const reply = await kernel.call("shop.find", { name: "a" }, { timeoutMs: 5_000 });
    const [one] = calls;
    expect(reply).toMatchObject({ ok: true, value: expect.stringMatching(`^3,night,${one?.trace}`) });
    expect((one?.deadline ?? 0) - Date.now()).toBeLessThan(5_001);
    await kernel.close();
  });

  it("interrupts a handler and its peer's call when the caller gives up", async () => {
    const ended: string[] = [];
    const waiting = Promise.withResolvers<void>();
    const lending = defineService(bank, {
      handlers: {
        rate: () =>
          Effect.andThen(
            Effect.sync(() => waiting.resolve()),
            Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.push("bank"))),
          ),
      },
    });
    const selling = defineService(shop, {
      handlers: {
        find: () =>
          Effect.gen(function* () {
            const { client } = yield* Peers;
            return String(yield* Effect.orDie(client(bank).rate({})));
          }).pipe(Effect.onInterrupt(() => Effect.sync(() => ended.push("shop")))),
        watch: () => Stream.never,
      },
    });
    const kernel = open(selling, lending);
    const caller = new AbortController();
    const reply = kernel.call("shop.find", { name: "a" }, { signal: caller.signal });
    await waiting.promise;
    caller.abort();
    expect(await reply).toMatchObject({ ok: false, error: { code: "canceled" } });
    await expect.poll(() => ended.toSorted()).toEqual(["bank", "shop"]);
    await kernel.close();
  });
});
