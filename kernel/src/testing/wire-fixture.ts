/**
 * For tests only: a real kernel with a service that does what tests ask for, behind the real server on a port of the system's
 * choice, and a bare HTTP client that sends exactly what a test says.
 */
import { mkdtempSync } from "node:fs";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect as connectSocket, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defineContract,
  error,
  FairleadError,
  mutation,
  type Procedure,
  query,
  subscription,
} from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { expect } from "vitest";
import * as z from "zod";
import { compose } from "../boot/composition.ts";
import { kernelFigures } from "../boot/figures.ts";
import { localPrincipal } from "../call/call.ts";
import { readConfig } from "../config/config.ts";
import type { ToolEntry } from "../host/manifest.ts";
import { makeEvents } from "../observe/events.ts";
import type { GuardRules } from "../server/guard.ts";
import type { Mount } from "../server/mount.ts";
import { OpenStreams } from "../server/open-streams.ts";
import { Revocations } from "../server/revocations.ts";
import { makeServer } from "../server/server.ts";
import type { ServerLimits, ServerTimes } from "../server/settings.ts";
import { tracked } from "../service/handler.ts";
import { defineService, type Service } from "../service/service.ts";
import { referenceViewer } from "../transport/console/shell.ts";
import { mountDocs } from "../transport/docs/mount.ts";
import { mount as mountHttp } from "../transport/http/mount.ts";
import { mount as mountMcp } from "../transport/mcp/mount.ts";
import type { Surroundings } from "../transport/transport.ts";
import { mount as mountTrpc } from "../transport/trpc/mount.ts";
import { defineRouter } from "../transport/trpc/router.ts";

/** What the schema of `counted` was given to decode. */
export const decodes: { readonly inputs: unknown[] } = { inputs: [] };
const countedInput = z.object({ n: z.int() }).refine((input) => decodes.inputs.push(input) > 0);

const wire = defineContract({
  id: "wire",
  version: "1.0.0",
  summary: "Does what a test asks for.",
  procedures: {
    sum: query({ summary: "Adds.", input: z.strictObject({ a: z.int(), b: z.int() }), output: z.int() }),
    list: query({ summary: "Counts items.", input: z.object({ items: z.array(z.int()) }), output: z.int() }),
    counted: query({ summary: "Counts its decodes.", input: countedInput, output: z.int() }),
    strict: query({
      summary: "Takes nothing else.",
      input: z.strictObject({ items: z.array(z.int()) }),
      output: z.int(),
    }),
    loud: mutation({ summary: "Fails at length.", retry: "unsafe", input: z.object({}), output: z.int() }),
    small: query({
      summary: "Takes forty bytes.",
      input: z.object({ text: z.array(z.string()) }),
      output: z.int(),
      policy: { limits: { bytes: 40 } },
    }),
    renamed: query({ summary: "Elsewhere.", input: z.object({}), output: z.int(), http: { path: "/else/where" } }),
    slow: query({ summary: "Never answers.", input: z.object({}), output: z.int() }),
    work: mutation({
      summary: "Tells how far it is.",
      retry: "unsafe",
      input: z.object({ fail: z.boolean() }),
      output: z.int(),
    }),
    pay: mutation({ summary: "Once per key.", retry: "keyed", input: z.object({}), output: z.int() }),
    crash: query({ summary: "Throws.", input: z.object({}), output: z.int() }),
    busy: query({
      summary: "Is busy.",
      input: z.object({}),
      output: z.int(),
      errors: { full: error({ code: "resource_exhausted", when: "always", data: z.object({ seats: z.int() }) }) },
    }),
    off: query({ summary: "Is switched off.", input: z.object({}), output: z.int() }),
    count: subscription({ summary: "Counts.", input: z.object({ to: z.int() }), output: z.int() }),
    endless: subscription({ summary: "Waits.", input: z.object({}), output: z.int() }),
    flood: subscription({ summary: "Sends without end.", input: z.object({}), output: z.string() }),
    breaks: subscription({ summary: "Fails after one.", input: z.object({}), output: z.int() }),
  },
});

export const fixtureOpenApi = JSON.stringify({
  openapi: "3.1.0",
  paths: {
    "/api/wire/sum": {
      get: { operationId: "wire.sum_get" },
      post: {
        operationId: "wire.sum",
        summary: "Adds up.",
        responses: { "200": { content: { "application/json": { schema: { type: "object" } } } } },
        "x-fairlead": { kind: "query", retry: "safe", access: "read" },
      },
    },
  },
  tags: [{ name: "wire", description: "What tests ask." }],
  components: {},
});

/** What the handlers saw, and what was logged as an error. */
interface SeenCalls {
  paid: number;
  flooded: number;
  interruptions: number;
  readonly logged: { readonly message: string; readonly fields: unknown }[];
}

export interface Fixture {
  readonly port: number;
  readonly url: string;
  readonly seen: SeenCalls;
  readonly surroundings: Surroundings;
  /** Requests that were refused before a transport had them, by why. */
  readonly refusals: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly rules?: Partial<GuardRules>;
  readonly times?: Partial<ServerTimes>;
  readonly limits?: Partial<ServerLimits>;
  readonly keepAlive?: number;
  readonly streams?: number;
  readonly mounts?: readonly Mount[];
  /** Beside the one that does what tests ask for. */
  readonly services?: readonly Service[];
}

export const startFixture = async (options: FixtureOptions = {}): Promise<Fixture> => {
  const seen: SeenCalls = { paid: 0, flooded: 0, interruptions: 0, logged: [] };
  const log: Surroundings["log"] = (level, message, fields) => {
    if (level === "error") seen.logged.push({ message, fields });
  };
  const composition = compose({
    config: readConfig({ flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-")) } }),
    services: [serviceSeenBy(seen), ...(options.services ?? [])],
    env: {},
    events: makeEvents(),
    log,
    schema: async () => undefined,
  });
  const surroundings: Surroundings = {
    dispatch: composition.dispatch,
    catalog: composition.catalog,
    server: { name: "fairlead", version: "0.0.0-test" },
    log,
    manifest: {
      version: 1,
      url: import.meta.url,
      services: [],
      tools: async () => Object.entries(wire.procedures).flatMap(findTool),
      openapi: async () => fixtureOpenApi,
      schema: async (service) => (service === "wire" ? '{"$id":"wire"}' : undefined),
      router: async () =>
        defineRouter((parts) => ({
          wire: Object.fromEntries(
            Object.entries(wire.procedures).map(([name, { kind }]) => [name, parts[kind](`wire.${name}`)]),
          ),
        })),
    },
  };
  const authenticate = options.rules?.authenticate ?? (() => localPrincipal);
  const revocations = new Revocations(authenticate, { everyMs: 10 });
  const streams = new OpenStreams({ most: options.streams, revocations });
  const { metrics, instances, events } = composition;
  const figures = kernelFigures({ metrics, instances, events, subscriptions: new Set() });
  const server = makeServer({
    mounts: [
      mountHttp(surroundings, { streams, keepAlive: options.keepAlive }),
      mountTrpc(surroundings, { streams, authenticate, identity: options.rules?.identity }),
      mountMcp(surroundings, { streams }),
      ...mountDocs(surroundings, {
        ready: () => ({ ready: true, services: [{ id: "wire" }] }),
        metrics: (services) => (services === undefined ? "up 1\n" : figures(services)),
        viewer: referenceViewer(undefined),
      }),
      ...(options.mounts ?? []),
    ],
    rules: { hosts: [], origins: [], ...options.rules, authenticate },
    log,
    // A busy machine is not an overload of ours, and no slow client; the tests of these set their own bounds.
    times: { lag: 60_000, headers: 120_000, request: 120_000, ...options.times },
    limits: options.limits ?? {},
    onRefused: metrics.countRefusal,
  });
  const { port, url } = await Effect.runPromise(server.listen({ port: 0, host: "127.0.0.1" }));
  const close = async (): Promise<void> => {
    await Effect.runPromise(server.close);
    await composition.close();
  };
  return { port, url, seen, surroundings, refusals: metrics.refusals, close };
};

const findTool = ([name, { kind }]: readonly [string, Procedure]): readonly ToolEntry[] =>
  kind === "subscription"
    ? []
    : [
        {
          procedure: `wire.${name}`,
          wrapped: true,
          tool: { name, description: name, inputSchema: { type: "object" } },
        },
      ];

const serviceSeenBy = (seen: SeenCalls) => {
  const interrupted = (): void => {
    seen.interruptions += 1;
  };
  return defineService(wire, () => ({
    off: () => ({ off: "the test says so" }),
    handlers: {
      sum: ({ a, b }) => a + b,
      list: ({ items }) => items.length,
      counted: ({ n }) => 40 + n,
      strict: ({ items }) => items.length,
      loud: () => {
        const endless = '"\u0001é'.repeat(20_000);
        throw new FairleadError({ code: "failed_precondition", message: endless, hint: endless });
      },
      small: ({ text }) => text.length,
      renamed: () => 1,
      slow: (_, { signal }) =>
        new Promise<number>((_resolve, reject) => {
          const end = (): void => {
            interrupted();
            // A call that goes on would hold up the fixture's end for as long as a kernel waits for one.
            reject(signal.reason);
          };
          signal.addEventListener("abort", end, { once: true });
        }),
      work: async ({ fail }, call) => {
        call.progress({ progress: 1, total: 2 });
        await new Promise((resolve) => setImmediate(resolve));
        call.progress({ progress: 2, total: 2 });
        if (fail) throw new TypeError("secret detail");
        return 42;
      },
      pay: () => {
        seen.paid += 1;
        return seen.paid;
      },
      crash: () => {
        throw new TypeError("secret detail");
      },
      busy: (_, call) => {
        throw Object.assign(call.fail("full", { message: "no seat is free" }, { seats: 0 }), { retryAfterMs: 1_500 });
      },
      off: () => 1,
      count: async function* ({ to }, call) {
        const from = call.lastEventId === undefined ? 1 : Number(call.lastEventId) + 1;
        for (let value = from; value <= to; value += 1) yield tracked(String(value), value);
      },
      endless: async function* (_, { signal }) {
        yield 1;
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
        interrupted();
      },
      flood: async function* () {
        try {
          for (;;) {
            seen.flooded += 1;
            yield "x".repeat(65_536);
          }
        } finally {
          interrupted();
        }
      },
      breaks: async function* () {
        yield 1;
        throw new TypeError("secret detail");
      },
    },
  }));
};

export interface SendOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; `undefined` when it is none. */
  readonly json: unknown;
}

/** Sends one request on a connection of its own, with just these headers. */
export const send = (
  port: number,
  { method = "GET", path = "/", headers = {}, body }: SendOptions,
): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const sending = httpRequest(
      { host: "127.0.0.1", port, method, path, agent: false, headers: { ...headers } as Record<string, string> },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parseReply(text) });
        });
        response.on("error", reject);
      },
    );
    sending.on("error", reject);
    sending.end(body);
  });

/** A POST of JSON. */
export const post = (
  port: number,
  path: string,
  body: string,
  headers: SendOptions["headers"] = {},
): Promise<WireAnswer> =>
  send(port, { method: "POST", path, body, headers: { "content-type": "application/json", ...headers } });

const parseReply = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A bare connection: `text` grows as the server sends; `ended` resolves with all of it when the server closes. */
export interface Raw {
  readonly socket: Socket;
  readonly ended: Promise<string>;
  /** Resolves once what came so far satisfies the test; rejects when the server closes before. */
  until(satisfied: (text: string) => boolean): Promise<string>;
}

export const raw = (port: number, text: string): Raw => {
  const socket = connectSocket(port, "127.0.0.1");
  let received = "";
  const watchers = new Set<() => void>();
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
    for (const watch of watchers) watch();
  });
  socket.on("error", () => undefined);
  socket.write(text);
  return {
    socket,
    ended: new Promise((resolve) => socket.once("close", () => resolve(received))),
    until: (satisfied) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          if (!satisfied(received)) return;
          watchers.delete(watch);
          resolve(received);
        };
        watchers.add(watch);
        watch();
        const refuse = (): void => reject(new Error(`closed before it came: ${received.slice(0, 500)}`));
        if (socket.closed) refuse();
        else socket.once("close", refuse);
      }),
  };
};

/** Waits for a condition that some event will make true; fails with the bound of polls. */
export const eventually = (condition: () => boolean): Promise<void> =>
  expect.poll(condition, { interval: 10 }).toBe(true);
