/** The context of a call, which all that is done for it inherits: deadline, cancellation, principal and trace. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, fetchTransport } from "@fairlead/client";
import { type RulesTypes, rules } from "@fairlead/client/rules";
import { defineContract, error, mutation, query, subscription } from "@fairlead/contracts";
import { openMemoryKernel } from "@fairlead/kernel/memory";
import { type Call, defineService, detached, type Handlers, Peers } from "@fairlead/kernel/service";
import { lineProtocol, makeSubprocess, type Subprocess } from "@fairlead/kernel/subprocess";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { expect, onTestFinished, vi } from "vitest";
import * as z from "zod";
import type { SupervisionCase } from "./case.ts";

const nothing = z.object({});
const bank = defineContract({
  id: "bank",
  version: "1.0.0",
  summary: "Lends.",
  procedures: {
    rate: query({
      summary: "Says the rate.",
      input: nothing,
      output: z.int(),
      errors: {
        closed: error({ code: "failed_precondition", when: "at night" }),
        busy: error({ code: "unavailable", when: "at noon" }),
      },
    }),
  },
});
const shop = defineContract({
  id: "shop",
  version: "1.0.0",
  summary: "Sells.",
  procedures: {
    find: query({ summary: "Finds.", input: nothing, output: z.json(), policy: { deadlineMs: 5_000 } }),
    follow: subscription({ summary: "Follows.", input: nothing, output: z.json() }),
    stop: mutation({ summary: "Stops.", input: nothing, output: z.json(), retry: "idempotent" }),
  },
});

type Rate = Handlers<typeof bank>["rate"];
type Selling = Handlers<typeof shop>;
type Bank = { rate(input: object, options?: { readonly detached?: boolean }): Promise<number> };

const never = ({ signal }: Pick<Call, "signal">): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
const traceIdOf = ({ traceparent }: Pick<Call, "traceparent">): string => traceparent.split("-")[1] ?? "";
const trace = { traceparent: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01" };

/** A shop that calls a bank, and the lines of log of both. */
const open = (rate: Rate, selling: (bank: Bank) => Partial<Selling>) => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const unused = () => null;
  const kernel = openMemoryKernel(
    [
      defineService(bank, () => ({ handlers: { rate } })),
      defineService(shop, (host) => ({
        handlers: { find: unused, stop: unused, follow: async function* () {}, ...selling(host.peer(bank)) },
      })),
    ],
    { log: (level, message, fields) => lines.push({ ...fields, level, message }) },
  );
  onTestFinished(() => kernel.close());
  return { kernel, lines };
};

/** The calls that a bank gets. */
const recorded = (answer: (call: Call<never>) => number | Promise<number> = () => 3) => {
  const calls: Call<never>[] = [];
  const ended: string[] = [];
  const rate: Rate = (_, call) => {
    const one = call as unknown as Call<never>;
    calls.push(one);
    one.signal.addEventListener("abort", () => ended.push((one.signal.reason as { code?: string }).code ?? "over"));
    return answer(one);
  };
  return { calls, ended, rate };
};

/** A child of the line protocol that answers with what it was sent. */
const mirror = `
  const write = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
  write({ fairlead: "mirror", versions: [1] });
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.quit) process.exit(0);
    if (message.cancel !== undefined) seen.push(message.cancel);
    else if (message.call === "seen") write({ id: message.id, ok: true, value: seen });
    else if (message.call !== "silence") write({ id: message.id, ok: true, value: message });
  });
  const seen = [];
`;

const makeMirror = async (prepare?: () => Promise<void>): Promise<Subprocess> => {
  const scope = await Effect.runPromise(Scope.make());
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  const child = await Effect.runPromise(
    makeSubprocess({
      name: "mirror",
      command: process.execPath,
      args: ["-e", mirror],
      cwd: import.meta.dirname,
      dialect: lineProtocol({ protocol: "mirror", versions: [1], onTimeout: "drop" }),
      ...(prepare !== undefined && { prepare }),
    }).pipe(Scope.provide(scope)),
  );
  return child;
};

const startMirror = async (): Promise<Subprocess> => {
  const child = await makeMirror();
  await child.start();
  return child;
};

type Ambient = typeof globalThis & { [ambient]?: { getStore(): unknown } };
const ambient = Symbol.for("fairlead.call");

/** A server that keeps what it is sent, and answers nothing. */
const startDeafServer = async () => {
  const requests: { readonly headers: NodeJS.Dict<string | string[]>; readonly closed: Promise<void> }[] = [];
  const server = createServer(({ headers }, response) => {
    requests.push({ headers, closed: new Promise((resolve) => response.once("close", () => resolve())) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

export const contextCases: readonly SupervisionCase[] = [
  {
    name: "a plain handler calls a peer, and its caller's time is over",
    trusted: "gRPC: the deadline goes on to the outgoing call, which ends with it",
    ours: "the peer's call ends with its caller's",
    check: async () => {
      const { rate, calls, ended } = recorded(never);
      const { kernel } = open(rate, (peer) => ({
        find: async () => {
          await Promise.resolve();
          return peer.rate({});
        },
      }));
      await kernel.call("kernel.ping", { service: "shop" });
      expect(await kernel.call("shop.find", {}, { timeoutMs: 2_000 })).toMatchObject({
        error: { code: "deadline_exceeded" },
      });
      await vi.waitFor(() => expect(ended).toHaveLength(1), { timeout: 60_000 });
      expect((calls[0]?.deadline ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(2_001);
    },
  },
  {
    name: "a plain handler calls a peer, and its caller gives up",
    trusted: "gRPC: cancellation goes on to the outgoing call",
    ours: "the peer's call is cancelled",
    check: async () => {
      const { rate, calls, ended } = recorded(never);
      const { kernel } = open(rate, (peer) => ({ find: () => peer.rate({}) }));
      const caller = new AbortController();
      const reply = kernel.call("shop.find", {}, { signal: caller.signal });
      await vi.waitFor(() => expect(calls).toHaveLength(1), { timeout: 60_000 });
      caller.abort();
      expect(await reply).toMatchObject({ error: { code: "canceled" } });
      await vi.waitFor(() => expect(ended).toEqual(["canceled"]), { timeout: 60_000 });
    },
  },
  {
    name: "a call, and the peer's call that it makes, in traces and logs",
    trusted: "gRPC with OpenTelemetry: one trace, the outgoing call below the incoming one",
    ours: "the same trace, for the same principal by way of the service; lines of log carry the trace's id",
    check: async () => {
      const { rate, calls } = recorded();
      const { kernel, lines } = open(rate, (peer) => ({ stop: async () => await peer.rate({}) }));
      expect(await kernel.call("shop.stop", {}, { trace })).toMatchObject({ value: 3 });
      const [one] = calls;
      expect(one === undefined ? "" : traceIdOf(one)).toBe("0123456789abcdef0123456789abcdef");
      expect(one?.principal).toEqual({ id: "local", via: "shop", access: ["read", "call"] });
      expect(lines).toContainEqual(
        expect.objectContaining({
          message: "call",
          procedure: "shop.stop",
          trace_id: "0123456789abcdef0123456789abcdef",
        }),
      );
    },
  },
  {
    name: "a handler goes on after its answer without saying so",
    trusted: "gRPC: the context of a finished call is cancelled",
    ours: "a peer that it calls then refuses, and the hint says how to detach",
    check: async () => {
      const { rate, calls } = recorded();
      const late = Promise.withResolvers<unknown>();
      const go = Promise.withResolvers<void>();
      const { kernel } = open(rate, (peer) => ({
        find: () => {
          late.resolve(go.promise.then(() => peer.rate({})).catch((cause: unknown) => cause));
          return null;
        },
      }));
      await kernel.call("shop.find", {});
      go.resolve();
      expect(await late.promise).toMatchObject({ code: "canceled", hint: expect.stringContaining("detached") });
      expect(calls).toEqual([]);
    },
  },
  {
    name: "a handler detaches work from its call",
    trusted: "Go: context.WithoutCancel; gRPC-Java: Context.fork",
    ours: "it goes on, as the service itself and in a trace of its own",
    check: async () => {
      const { rate, calls } = recorded();
      const late: Promise<unknown>[] = [];
      const go = Promise.withResolvers<void>();
      const { kernel } = open(rate, (peer) => ({
        find: () => {
          late.push(go.promise.then(() => peer.rate({}, { detached: true })));
          late.push(detached(() => go.promise.then(() => peer.rate({}))));
          return null;
        },
      }));
      await kernel.call("shop.find", {}, { trace });
      go.resolve();
      expect(await Promise.all(late)).toEqual([3, 3]);
      expect(calls.map(({ principal }) => principal.id)).toEqual(["service:shop", "service:shop"]);
      expect(calls.map(traceIdOf)).not.toContain("0123456789abcdef0123456789abcdef");
    },
  },
  {
    name: "two calls' fibers wake each other",
    trusted: "OTP: a process has its own dictionary, whoever sends it a message",
    ours: "each keeps its own context",
    check: async () => {
      const { rate, calls } = recorded();
      const [met, woken] = [Deferred.makeUnsafe<void>(), Deferred.makeUnsafe<void>()];
      const kernel = openMemoryKernel([
        defineService(bank, () => ({ handlers: { rate } })),
        defineService(shop, {
          handlers: {
            find: () =>
              Effect.gen(function* () {
                const { client } = yield* Peers;
                yield* Deferred.succeed(met, undefined);
                yield* Deferred.await(woken);
                return yield* Effect.orDie(client(bank).rate({}));
              }),
            stop: () => Effect.andThen(Deferred.await(met), Effect.as(Deferred.succeed(woken, undefined), null)),
            follow: () => Effect.never as never,
          },
        }),
      ]);
      onTestFinished(() => kernel.close());
      const other = { traceparent: trace.traceparent.replaceAll("0123", "3210") };
      await Promise.all([kernel.call("shop.find", {}, { trace }), kernel.call("shop.stop", {}, { trace: other })]);
      expect(calls.map(traceIdOf)).toEqual(["0123456789abcdef0123456789abcdef"]);
    },
  },
  {
    name: "a stream's handler calls a peer at every event",
    trusted: "gRPC: the context of the stream, whoever reads it",
    ours: "the context of the subscription, also when the reader serves another call",
    check: async () => {
      const { rate, calls } = recorded();
      const { kernel } = open(rate, (peer) => ({
        follow: async function* () {
          yield await peer.rate({});
          yield await peer.rate({});
        },
      }));
      const opened = await kernel.subscribe("shop.follow", {}, { trace });
      if (!opened.ok) throw new Error(opened.error.message);
      expect(await Array.fromAsync(opened.items, ({ value }) => value)).toEqual([3, 3]);
      expect(calls.map(traceIdOf)).toEqual(Array(2).fill("0123456789abcdef0123456789abcdef"));
    },
  },
  {
    name: "a peer answers with an error that the handler does not handle",
    trusted: "gRPC: UNKNOWN for a status of an error space that is not known here",
    ours: "`unknown`, or the peer's code where a repeat may help; reason and data stay inside; the log has the rest",
    check: async () => {
      for (const [reason, code] of [
        ["closed", "unknown"],
        ["busy", "unavailable"],
      ] as const) {
        const { kernel, lines } = open(
          (_, call) => {
            throw call.fail(reason, { message: "the vault's number is 7" });
          },
          (peer) => ({ find: () => peer.rate({}) }),
        );
        const reply = await kernel.call("shop.find", {});
        expect(reply).toMatchObject({
          error: { code, message: expect.stringContaining(`bank.rate answered ${reason}`) },
        });
        expect(JSON.stringify(reply)).not.toContain("vault");
        const { id } = (reply as { readonly error: { readonly id: string } }).error;
        expect(lines).toContainEqual(expect.objectContaining({ id, peer: "bank.rate", level: "warn" }));
      }
    },
  },
  {
    name: "a request to a child inside of a call",
    trusted: "gRPC: an outgoing call to a sidecar carries deadline and trace",
    ours: "it ends with the call, is cancelled at the child, and carries `traceparent`",
    check: async () => {
      const child = await startMirror();
      const failures: unknown[] = [];
      const { kernel } = open(recorded().rate, () => ({
        find: async () => (await child.ask({ call: "echo", params: {} })) as never,
        stop: () => child.ask({ call: "silence", params: {} }).catch((cause) => failures.push(cause)) as never,
      }));
      expect(await kernel.call("shop.find", {}, { trace })).toMatchObject({
        value: { value: { traceparent: expect.stringContaining("0123456789abcdef0123456789abcdef") } },
      });
      expect(await kernel.call("shop.stop", {}, { timeoutMs: 2_000 })).toMatchObject({
        error: { code: "deadline_exceeded" },
      });
      await vi.waitFor(() => expect(failures).toHaveLength(1), { timeout: 60_000 });
      await vi.waitFor(
        async () => expect(await child.ask({ call: "seen", params: {} })).toMatchObject({ value: [2] }),
        { timeout: 60_000 },
      );
    },
  },
  {
    name: "the first request to a child starts it",
    trusted: "OTP: a child belongs to its supervisor, whoever asked for it",
    ours: "what prepares it inherits nothing of the call, which may be over by then",
    check: async () => {
      const inherited: unknown[] = [];
      const child = await makeMirror(async () => {
        inherited.push((globalThis as Ambient)[ambient]?.getStore());
      });
      const { kernel } = open(recorded().rate, () => ({
        find: async () => (await child.ask({ call: "echo", params: {} })) as never,
      }));
      expect(await kernel.call("shop.find", {})).toMatchObject({ ok: true });
      expect(inherited).toEqual([undefined]);
    },
  },
  {
    name: "a handler calls another kernel with the client package",
    trusted: "gRPC: deadline, cancellation and trace go on to the next host",
    ours: "so they do, as `fairlead-timeout-ms`, `traceparent` and a closed connection, without an import of the kernel; so does how often it may be tried, as `fairlead-attempts` (`fairlead/attempts` over MCP, `call.innerAttempts` for what a service sends in its own way): whoever repeats, repeats alone ([ADR 0227](adr/0227-whoever-repeats-a-call-repeats-alone.md))",
    check: async () => {
      const { requests, url } = await startDeafServer();
      const remote = createClient<RulesTypes>(rules, fetchTransport({ url }), { retry: false });
      const { kernel } = open(recorded().rate, () => ({
        find: async () => (await remote.roll({ notation: "1d6" })) as never,
      }));
      const reply = kernel.call("shop.find", {}, { trace, timeoutMs: 5_000, attempts: 1 });
      await vi.waitFor(() => expect(requests).toHaveLength(1), { timeout: 60_000 });
      const [{ headers, closed } = { headers: {}, closed: Promise.resolve() }] = requests;
      expect(Number(headers["fairlead-timeout-ms"])).toBeLessThanOrEqual(5_000);
      expect(headers.traceparent).toContain("0123456789abcdef0123456789abcdef");
      expect(headers["fairlead-attempts"]).toBe("1");
      expect(await reply).toMatchObject({ error: { code: "deadline_exceeded" } });
      await closed;
    },
  },
];
