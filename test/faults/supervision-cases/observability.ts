/** What can be seen of all this: figures, events that outlive a kernel, lines of log and spans. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, query, subscription } from "@fairlead/contracts";
import { type KernelOptions, openKernel } from "@fairlead/kernel";
import { defineService, FairleadError, type Handlers } from "@fairlead/kernel/service";
import { expect, onTestFinished, vi } from "vitest";
import * as z from "zod";
import type { SupervisionCase } from "./case.ts";

const empty = z.object({});
const common = { summary: "Answers.", input: empty, output: z.null() };
const contract = defineContract({
  id: "seen",
  version: "1.0.0",
  summary: "Is looked at.",
  procedures: {
    broken: query({ ...common, policy: { breaker: { failures: 1, openMs: 60_000 } } }),
    healing: query({ ...common, policy: { breaker: { failures: 1, openMs: 1 } } }),
    flaky: query({ ...common, policy: { retry: { attempts: 2, baseMs: 1 } } }),
    narrow: query({ ...common, policy: { concurrency: 1 } }),
    defective: query(common),
    choosy: query({ ...common, input: z.object({ name: z.string() }) }),
    follow: subscription(common),
  },
});

const down = (): never => {
  throw new FairleadError({ code: "unavailable", message: "down" });
};

/** A service that fails as its procedures say, and at its first start. */
const seen = () => {
  let attempts = 0;
  let healings = 0;
  let starts = 0;
  const handlers: Handlers<typeof contract> = {
    broken: down,
    healing: () => {
      healings += 1;
      return healings === 1 ? down() : null;
    },
    flaky: () => {
      attempts += 1;
      return attempts === 1 ? down() : null;
    },
    narrow: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return null;
    },
    defective: () => {
      throw new RangeError("the true reason");
    },
    choosy: () => null,
    follow: async function* (_, { signal }) {
      yield null;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  };
  return defineService(contract, () => {
    starts += 1;
    if (starts === 1) throw new FairleadError({ code: "unavailable", message: "not yet" });
    return { handlers };
  });
};

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "fairlead-seen-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

type Flags = NonNullable<KernelOptions["flags"]>;

const open = async (flags: Flags = {}) => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const kernel = await openKernel({
    services: [seen()],
    env: {},
    flags: { port: 0, lagMs: 60_000, stateDir: folder(), ...flags },
    log: (level, message, fields) => lines.push({ ...fields, level, message }),
  });
  onTestFinished(() => kernel.close());
  return { kernel, lines };
};

type Opened = Awaited<ReturnType<typeof open>>["kernel"];

/** Events of `kernel.events`, until one of that type has come. */
const readUntil = async (
  kernel: Opened,
  type: string,
  { input, lastEventId }: { readonly input: object; readonly lastEventId?: string },
) => {
  const opened = await kernel
    .connect()
    .subscribe("kernel.events", input, lastEventId === undefined ? {} : { lastEventId });
  if (!opened.ok) throw new Error(opened.error.message);
  const found: { readonly id: string; readonly type: string; readonly service: string; readonly data: unknown }[] = [];
  for await (const { id = "", value } of opened.items) {
    const event = value as { readonly type: string; readonly service: string; readonly data: unknown };
    found.push({ ...event, id });
    if (event.type === type) return found;
  }
  return found;
};

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
  readonly events: readonly { readonly name: string; readonly attributes: Span["attributes"] }[];
}

/** A collector of OTLP over HTTP. */
const startCollector = async () => {
  const spans: Span[] = [];
  const server = createServer(async (incoming, response) => {
    const text = (await Array.fromAsync(incoming)).join("");
    const { resourceSpans } = JSON.parse(text) as {
      readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
    };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { spans, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

const attribute = ({ attributes }: Pick<Span, "attributes">, key: string): string | undefined =>
  attributes.find((one) => one.key === key)?.value.stringValue;

const statusError = 2;

export const observabilityCases: readonly SupervisionCase[] = [
  {
    name: "a service fails to start, calls are repeated, wait and meet an open breaker, and a stream is open",
    trusted: "resilience4j: metrics for state, retries, waiting; Kubernetes: restarts as a counter",
    ours: "all of it is at `/metrics`, by Prometheus' conventions",
    check: async () => {
      const { kernel } = await open();
      const { http } = await kernel.serve();
      const caller = kernel.connect();
      await caller.call("seen.flaky", {});
      await caller.call("seen.broken", {});
      await caller.call("seen.broken", {});
      await Promise.all([0, 1].map(() => caller.call("seen.narrow", {})));
      const opened = await caller.subscribe("seen.follow", {});
      if (opened.ok) await opened.items[Symbol.asyncIterator]().next();
      const text = await (await fetch(http.replace("/api", "/metrics"))).text();
      for (const line of [
        'fairlead_service_state{service="seen",state="Ready"} 1',
        'fairlead_service_restarts_total{service="seen"} 1',
        'fairlead_call_attempts_total{procedure="seen.flaky"} 2',
        'fairlead_call_retries_total{procedure="seen.flaky"} 1',
        'fairlead_breaker_state{procedure="seen.broken",state="Open"} 1',
        'fairlead_breaker_openings_total{procedure="seen.broken"} 1',
        'fairlead_call_queue_wait_seconds_count{procedure="seen.narrow"} 1',
        'fairlead_streams_open{procedure="seen.follow"} 1',
        "fairlead_events_dropped_total 0",
      ])
        expect(text.split("\n")).toContain(line);
    },
  },
  {
    name: "a child is restarted, and then the service that it belongs to",
    trusted: "Kubernetes: the restarts of a container are a counter, which goes on over all of them",
    ours: "`fairlead_child_restarts_total` has the restarts of every run of the service, also where it was not read meanwhile",
    check: async () => {
      const down = (): never => {
        throw new FairleadError({ code: "unavailable", message: "down" });
      };
      const idle = { broken: down, healing: down, flaky: down, narrow: down, defective: down, choosy: () => null };
      const state = { tag: "Ready", since: 0, life: 1 } as const;
      let runs = 0;
      const service = defineService(contract, () => {
        runs += 1;
        const restarts = runs === 1 ? 3 : 1;
        return {
          handlers: { ...idle, follow: async function* () {} },
          children: () => [{ id: "worker", restart: "permanent", state, restarts }],
        };
      });
      const kernel = await openKernel({
        services: [service],
        env: {},
        flags: { port: 0, lagMs: 60_000, stateDir: folder() },
        log: () => {},
      });
      onTestFinished(() => kernel.close());
      const { http } = await kernel.serve();
      const caller = kernel.connect();
      await caller.call("kernel.restart", { service: "seen" });
      // Waits until it is ready again.
      await caller.call("seen.choosy", { name: "" });
      const text = await (await fetch(http.replace("/api", "/metrics"))).text();
      expect(text.split("\n")).toContain('fairlead_child_restarts_total{service="seen",child="worker"} 4');
    },
  },
  {
    name: "a breaker opens, and an attempt is repeated",
    trusted: "resilience4j: an event for each transition and each retry",
    ours: "events `breaker.state` and `call.retry`",
    check: async () => {
      const { kernel } = await open();
      await kernel.connect().call("seen.flaky", {});
      await kernel.connect().call("seen.broken", {});
      expect(await readUntil(kernel, "breaker.state", { input: { after: 0 } })).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: "call.retry",
            data: { procedure: "seen.flaky", attempt: 2, code: "unavailable" },
          }),
          expect.objectContaining({
            type: "breaker.state",
            data: { procedure: "seen.broken", state: "Open", from: "Closed" },
          }),
        ]),
      );
    },
  },
  {
    name: "a call waits for a place, and a stream is opened",
    trusted: "resilience4j: an event for each call that a bulkhead permits",
    ours: "`waitedMs` in the call's event, and an event `stream.opened`",
    check: async () => {
      const { kernel } = await open();
      const caller = kernel.connect();
      await Promise.all([0, 1].map(() => caller.call("seen.narrow", {})));
      await caller.subscribe("seen.follow", {});
      const found = await readUntil(kernel, "stream.opened", { input: { after: 0, service: "seen" } });
      expect(found.at(-1)).toMatchObject({ data: { procedure: "seen.follow", transport: "memory" } });
      const waits = found
        .filter(({ type }) => type === "call")
        .map(({ data }) => (data as { waitedMs?: number }).waitedMs);
      expect(waits).toEqual([undefined, expect.any(Number)]);
    },
  },
  {
    name: "a kernel restarts, and a reader of its events comes back",
    trusted: "systemd: the journal has what led to a restart",
    ours: "what is stored of the kernel before, then a note that the number of missing ones is not known, then this kernel's",
    check: async () => {
      const stateDir = folder();
      const { kernel: before } = await open({ stateDir });
      await before.serve();
      await before.connect().call("seen.broken", {});
      const last = (await readUntil(before, "breaker.state", { input: { after: 0 } })).at(-2);
      await before.close();
      const { kernel } = await open({ stateDir });
      await kernel.serve();
      const [first, ...rest] = await readUntil(kernel, "events.dropped", { input: {}, lastEventId: last?.id ?? "" });
      expect([first, ...rest].map((event) => event?.type)).toContain("breaker.state");
      expect(rest.at(-1)).toMatchObject({ type: "events.dropped", data: { count: null } });
      const history = await readUntil(kernel, "events.dropped", { input: { history: true, types: ["service.state"] } });
      expect(history).toContainEqual(
        expect.objectContaining({
          service: "seen",
          data: expect.objectContaining({ state: "Backoff", error: expect.objectContaining({ message: "not yet" }) }),
        }),
      );
    },
  },
  {
    name: "calls, a repeat and an open stream lead to the end of a kernel, and somebody reads them in the next one",
    trusted: "systemd: the journal has every line of the boot before; Envoy: the access log outlives the process",
    ours: "stored as all other events are, in their order among them",
    check: async () => {
      const stateDir = folder();
      const { kernel: before } = await open({ stateDir });
      await before.serve();
      const caller = before.connect();
      await caller.call("seen.flaky", {});
      await caller.call("seen.broken", {});
      const opened = await caller.subscribe("seen.follow", {});
      if (opened.ok) await opened.items[Symbol.asyncIterator]().next();
      await before.close();
      const { kernel } = await open({ stateDir });
      await kernel.serve();
      const found = await readUntil(kernel, "events.dropped", { input: { history: true, service: "seen" } });
      expect(found.filter(({ type }) => type !== "service.state" && type !== "log")).toMatchObject([
        { type: "call.retry", data: { procedure: "seen.flaky", attempt: 2 } },
        { type: "call", data: { procedure: "seen.flaky", outcome: "ok" } },
        { type: "breaker.state", data: { procedure: "seen.broken", state: "Open" } },
        { type: "call", data: { procedure: "seen.broken", outcome: "unavailable" } },
        { type: "stream.opened", data: { procedure: "seen.follow" } },
        { type: "call", data: { procedure: "seen.follow", outcome: "unavailable" } },
        { type: "events.dropped", data: { count: null } },
      ]);
    },
  },
  {
    name: "a reader comes back to a kernel that has stored nothing",
    trusted: "Kafka: an offset out of range is an error, and no count is made up",
    ours: "a note whose count is null, and then all of this kernel",
    check: async () => {
      const { kernel } = await open();
      const found = await readUntil(kernel, "events.dropped", { input: { after: 900_000 } });
      expect(found).toMatchObject([{ type: "events.dropped", data: { count: null } }]);
    },
  },
  {
    name: "a handler has a defect",
    trusted: "OpenTelemetry: a line of log carries the trace's id, the span the exception; gRPC: the wire has neither",
    ours: "the same, and the caller gets the id of the line",
    check: async () => {
      const { spans, url } = await startCollector();
      const { kernel, lines } = await open({ otlp: { url } });
      const reply = await kernel.connect().call("seen.defective", {});
      await kernel.connect().call("seen.choosy", {});
      await kernel.close();
      expect(JSON.stringify(reply)).not.toContain("true reason");
      const span = await vi.waitFor(
        () => {
          const found = spans.find(({ name }) => name === "seen.defective");
          if (found === undefined) throw new Error("no span");
          return found;
        },
        { timeout: 60_000 },
      );
      expect(span.status.code).toBe(statusError);
      expect([attribute(span, "rpc.service"), attribute(span, "rpc.method")]).toEqual(["seen", "defective"]);
      const [exception = { name: "", attributes: [] }] = span.events.filter(({ name }) => name === "exception");
      expect(attribute(exception, "exception.type")).toBe("RangeError");
      expect(attribute(exception, "exception.message")).toBe("the true reason");
      expect(lines).toContainEqual(expect.objectContaining({ message: "defect", trace_id: span.traceId }));
      const refused = spans.find(({ name }) => name === "seen.choosy");
      expect(refused?.status.code).not.toBe(statusError);
      expect(refused && attribute(refused, "rpc.response.status_code")).toBe("invalid_argument");
    },
  },
  {
    name: "a call waits for a place, and its attempt is repeated",
    trusted: "gRPC with OpenTelemetry: a span for each attempt below the call's",
    ours: "spans `attempt` and `queue` below the call's; what the breaker refuses is an event of it",
    check: async () => {
      const { spans, url } = await startCollector();
      const { kernel } = await open({ otlp: { url } });
      const caller = kernel.connect();
      await caller.call("seen.flaky", {});
      await Promise.all([0, 1].map(() => caller.call("seen.narrow", {})));
      await caller.call("seen.broken", {});
      await caller.call("seen.broken", {});
      await kernel.close();
      await vi.waitFor(() => expect(spans.filter(({ name }) => name === "seen.broken")).toHaveLength(2), {
        timeout: 60_000,
      });
      const below = (name: string) =>
        spans.filter(({ parentSpanId }) => parentSpanId === spans.find((one) => one.name === name)?.spanId);
      expect(below("seen.flaky").map(({ name, status }) => [name, status.code === statusError])).toEqual([
        ["attempt", true],
        ["attempt", false],
      ]);
      expect(spans.filter(({ name }) => name === "queue")).toHaveLength(1);
      const happened = spans.filter(({ name }) => name === "seen.broken").flatMap(({ events }) => events);
      expect(happened.map(({ name }) => name)).toContain("breaker refused");
    },
  },
  {
    name: "a breaker refuses a call, and lets another through as its probe",
    trusted: "resilience4j: an event for the call that is not permitted, and for the transition to half open",
    ours: "a span `breaker` below the call's, with the state; it covers the probe, and has failed for the refusal",
    check: async () => {
      const { spans, url } = await startCollector();
      const { kernel } = await open({ otlp: { url } });
      const caller = kernel.connect();
      for (const _ of [1, 2]) await caller.call("seen.broken", {});
      await caller.call("seen.healing", {});
      await expect.poll(() => caller.call("seen.healing", {})).toEqual({ ok: true, value: null });
      await kernel.close();
      const breakers = (procedure: string) => {
        const calls = spans.filter(({ name }) => name === procedure).map(({ spanId }) => spanId);
        return spans.filter(({ name, parentSpanId = "" }) => name === "breaker" && calls.includes(parentSpanId));
      };
      await vi.waitFor(() => expect(breakers("seen.broken")).toHaveLength(1), { timeout: 60_000 });
      expect(breakers("seen.broken").map((span) => attribute(span, "fairlead.breaker.state"))).toEqual(["Open"]);
      expect(breakers("seen.healing").map((span) => attribute(span, "fairlead.breaker.state"))).toContain("HalfOpen");
    },
  },
];
