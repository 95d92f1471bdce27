/** Each part of a kernel can be replaced by a fake, and what is acquired is released in order. */

import { defineContract, query, subscription } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { localPrincipal } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import type { OpenSpan } from "../call/span.ts";
import { LiveCatalog } from "../catalog/catalog.ts";
import { readConfig } from "../config/config.ts";
import { Relays } from "../dispatch/relays.ts";
import { makeEvents } from "../observe/events.ts";
import { makeMetrics } from "../observe/metrics.ts";
import type { Mount } from "../server/mount.ts";
import { OpenStreams } from "../server/open-streams.ts";
import { defineService } from "../service/service.ts";
import { memoryRunStore } from "../testing/memory-run-store.ts";
import { type Composition, type KernelLayers, kernelLayers, launch } from "./composition.ts";
import * as Network from "./network.ts";
import * as Parts from "./parts.ts";

const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Does what a test asks for.",
  procedures: {
    ask: query({ summary: "Answers.", input: z.object({}), output: z.int() }),
    hang: subscription({ summary: "Waits.", input: z.object({}), output: z.int() }),
  },
});

const open = (fakes: (order: string[]) => Partial<KernelLayers> = () => ({})) => {
  const order: string[] = [];
  const hanging = Promise.withResolvers<void>();
  const service = defineService(contract, () => ({
    handlers: {
      ask: () => 1,
      hang: async function* (_, { signal }) {
        const ended = Promise.withResolvers<number>();
        signal.addEventListener("abort", () => ended.resolve(order.push("call")));
        hanging.resolve();
        yield await ended.promise;
      },
    },
    stop: () => void order.push("service"),
  }));
  const options = {
    config: readConfig({ flags: { port: 0 } }),
    services: [service],
    env: {},
    events: makeEvents(),
    log: () => {},
    schema: async () => undefined,
  };
  const kernel = launch({ ...kernelLayers(options), ...fakes(order) }, options);
  return { kernel, order, hanging, ask: () => connect(kernel.dispatch).call("probe.ask", {}) };
};

const noRuns = { runs: memoryRunStore(), isThere: () => false };

const neverReached = (): never => {
  throw new Error("none");
};

describe("a kernel", () => {
  it("ends its calls, then its services, then its state", async () => {
    const { kernel, order, hanging } = open((seen) => ({
      state: Layer.effect(
        Parts.KernelState,
        Effect.acquireRelease(
          Effect.succeed({
            answers: async () => Promise.reject(new Error("none")),
            problem: () => undefined,
            events: async () => Promise.reject(new Error("none")),
            ...noRuns,
            close: async () => {},
            scope: Scope.makeUnsafe(),
          }),
          () => Effect.sync(() => seen.push("state")),
        ),
      ),
      tracer: Layer.succeed(Parts.KernelTracer, { open: undefined }),
    }));
    const opened = await connect(kernel.dispatch).subscribe("probe.hang", {});
    if (!opened.ok) throw new Error(opened.error.message);
    const ended = opened.items[Symbol.asyncIterator]().next();
    const refused = expect(ended).rejects.toMatchObject({
      code: "unavailable",
      message: "the kernel is shutting down",
    });
    await hanging.promise;
    await kernel.close();
    await refused;
    expect(order).toEqual(["call", "service", "state"]);
  });

  const noted: string[] = [];
  const note = <A>(name: string, value: A): A => {
    noted.push(name);
    return value;
  };
  const openSpan = (traceparent: string): OpenSpan => ({
    traceparent,
    child: () => openSpan(traceparent),
    event: () => {},
    end: () => {},
  });
  const reply = { ok: true as const, value: 2 };
  const fakes: { readonly [N in keyof KernelLayers]?: Pick<KernelLayers, N> } = {
    config: { config: Layer.succeed(Parts.KernelConfig, readConfig({ flags: { log: { level: "debug" } } })) },
    log: { log: Layer.succeed(Parts.KernelLog, (_, message) => note(message, undefined)) },
    events: { events: Layer.succeed(Parts.KernelEvents, { ...makeEvents(), emit: (type) => note(type, undefined) }) },
    metrics: { metrics: Layer.sync(Parts.KernelMetrics, () => note("metrics", makeMetrics())) },
    tracer: {
      tracer: Layer.succeed(Parts.KernelTracer, {
        open: {
          start: () => openSpan(note("span", "00-0-0-00")),
          close: async () => {},
        },
      }),
    },
    state: {
      state: Layer.sync(Parts.KernelState, () =>
        note("state", {
          answers: async () => Promise.reject(new Error("none")),
          problem: () => undefined,
          events: async () => Promise.reject(new Error("none")),
          ...noRuns,
          close: async () => {},
          scope: Scope.makeUnsafe(),
        }),
      ),
    },
    dispatch: {
      dispatch: Layer.succeed(Parts.KernelDispatch, {
        call: async () => note("dispatch", reply),
        subscribe: async () => ({ ok: true, items: (async function* () {})() }),
        open: { calls: new Set<never>(), listeners: new Set<never>(), closing: undefined },
        endWaiting: () => {},
        reportDelay: () => undefined,
        endAll: () => {},
      }),
    },
    services: {
      services: Layer.sync(Parts.KernelSources, () =>
        note("services", { sources: new Map(), hostWith: () => neverReached() }),
      ),
    },
  };
  const seen: Readonly<Record<string, string>> = { config: "", log: "call", events: "call", tracer: "span" };

  it.for(Object.entries(fakes))("takes a fake for its %s", async ([name, fake]) => {
    noted.length = 0;
    const { kernel, ask } = open(() => (name === "log" ? { ...fakes.config, ...fake } : fake));
    if (name !== "services") expect(await ask()).toEqual(name === "dispatch" ? reply : { ok: true, value: 1 });
    await kernel.close();
    if (seen[name] !== "") expect(noted).toContain(seen[name] ?? name);
  });

  it("takes a fake for its registry", async () => {
    const [instances, procedures] = [new Map(), new Map()];
    const relays = new Relays(instances, procedures);
    const registry = {
      instances,
      procedures,
      relays,
      adopt: () => undefined,
      catalog: new LiveCatalog(procedures, relays),
    };
    const { kernel, ask } = open(() => ({ registry: Layer.succeed(Parts.KernelRegistry, registry) }));
    expect(await ask()).toMatchObject({ ok: false, error: { code: "not_found" } });
    expect([...kernel.instances]).toEqual([]);
    await kernel.close();
  });

  it("takes a fake for its supervision", async () => {
    const { kernel } = open(() => ({
      supervision: Layer.effect(
        Parts.KernelSupervision,
        Effect.map(Effect.scoped(Layer.build(kernelSupervision)), (built) =>
          Object.assign(Context.get(built, Parts.KernelSupervision), {
            add: ({ id }: { readonly id: string }) => note(`add ${id}`, undefined),
            start: () => {},
          }),
        ),
      ),
    }));
    expect(noted).toContain("add probe");
    await kernel.close();
  });

  it("takes a fake for who is let in", async () => {
    const { kernel } = open();
    const authenticate = (sent: string | undefined) => (sent === "fake" ? localPrincipal : undefined);
    const access = Layer.succeed(Network.KernelAccess, {
      authenticate,
      identity: undefined,
      streams: new OpenStreams(),
    });
    const layers = { ...Network.networkLayers, access };
    const asked = Effect.gen(function* () {
      const { http } = yield* Network.KernelServer;
      const answers = [{}, { authorization: "fake" }].map((headers) => fetch(`${http}/probe/ask`, { headers }));
      return yield* Effect.promise(() => Promise.all(answers));
    });
    const network = Network.networkLayer(layers).pipe(Layer.provide(surroundings(kernel)));
    const statuses = (await Effect.runPromise(Effect.scoped(Effect.provide(asked, network)))).map(
      ({ status }) => status,
    );
    expect(statuses).toEqual([401, 200]);
    await kernel.close();
  });

  it("serves fakes in place of its transports, its tokens, its listeners and its history", async () => {
    noted.length = 0;
    const { kernel } = open();
    const fake = (prefix: string): Mount => ({
      prefix,
      handle: async (_, response) => void response.end(prefix),
      close: async () => {},
    });
    const layers = {
      ...Network.networkLayers,
      tokens: Layer.succeed(Network.KernelTokens, { list: () => [], mayBeAbsent: () => true }),
      http: Layer.succeed(Network.HttpTransport, fake("/api")),
      trpc: Layer.succeed(Network.TrpcTransport, fake("/trpc")),
      mcp: Layer.succeed(Network.McpTransport, fake("/mcp")),
      console: Layer.succeed(Network.ConsolePages, fake("/console")),
      docs: Layer.succeed(Network.DocsPages, [fake("/openapi.json")]),
      admin: Layer.succeed(Network.KernelAdmin, { port: 7 }),
      history: Layer.effectDiscard(Effect.sync(() => note("history", undefined))),
    };
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { http, trpc, mcp, openapi, console: page, admin } = yield* Network.KernelServer;
          expect(admin).toEqual({ port: 7 });
          expect(noted).toContain("history");
          const texts = [http, trpc, mcp, openapi, page].map(async (url) => (await fetch(url)).text());
          expect(yield* Effect.promise(async () => Promise.all(texts))).toEqual([
            "/api",
            "/trpc",
            "/mcp",
            "/openapi.json",
            "/console",
          ]);
        }).pipe(Effect.provide(Network.networkLayer(layers).pipe(Layer.provide(surroundings(kernel))))),
      ),
    );
    const elsewhere = { http: "a", trpc: "b", mcp: "c", openapi: "d", console: "e", port: 1, admin: {} };
    const server = { ...layers, server: Layer.succeed(Network.KernelServer, elsewhere) };
    const parts = Network.networkLayer(server).pipe(Layer.provide(surroundings(kernel)));
    expect(await Effect.runPromise(Effect.provide(Network.KernelServer, parts))).toEqual(elsewhere);
    await kernel.close();
  });
});

const kernelSupervision = kernelLayers({
  config: readConfig({}),
  services: [],
  env: {},
  events: makeEvents(),
  log: () => {},
  schema: async () => undefined,
}).supervision;

const surroundings = ({
  parts,
  dispatch,
  catalog,
}: Composition): Layer.Layer<
  Parts.KernelParts | Network.KernelSurroundings | Network.KernelStop | Network.KernelConsole
> =>
  Layer.succeedContext(
    Context.add(
      parts.pipe(
        Context.add(Network.KernelStop, { request: () => {}, isRequested: () => false }),
        Context.add(Network.KernelConsole, Network.openConsole(undefined)),
      ),
      Network.KernelSurroundings,
      {
        dispatch,
        catalog,
        manifest: {
          version: 1,
          url: import.meta.url,
          services: [],
          tools: async () => [],
          openapi: async () => "{}",
          schema: async () => undefined,
          router: async () => {
            throw new Error("none");
          },
        },
        server: { name: localPrincipal.id, version: "1" },
        log: () => {},
      },
    ),
  );
