/**
 * tRPC's own server and ours, side by side: the same client, links and cases, and what an app sees of each. The table of the results is
 * part of `docs/trpc.md`, written by this test (`-u` writes it again).
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import {
  createTRPCClient,
  createWSClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  loggerLink,
  retryLink,
  splitLink,
  TRPCClientError,
  type TRPCLink,
  wsLink,
} from "@trpc/client";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import { EventSource } from "eventsource";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { type RunningProject, startProject } from "../conformance/kernel.ts";
import type { AppRouter } from "../conformance/project/gen/app-router.ts";
import { reference } from "./reference.ts";

interface Served {
  readonly http: string;
  readonly ws: string;
}
const served: Record<"own" | "ours", Served> = { own: { http: "", ws: "" }, ours: { http: "", ws: "" } };
const closers: (() => unknown)[] = [];
let project: RunningProject;

beforeAll(async () => {
  project = await startProject();
  served.ours = { http: `${project.url}/trpc`, ws: `${project.url.replace("http", "ws")}/trpc` };
  const server = createHTTPServer({ router: reference, allowMethodOverride: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const wss = new WebSocketServer({ server });
  applyWSSHandler({ wss, router: reference });
  const { port } = server.address() as AddressInfo;
  served.own = { http: `http://127.0.0.1:${port}`, ws: `ws://127.0.0.1:${port}` };
  closers.push(() => {
    wss.close();
    server.close().closeAllConnections();
  });
});
afterAll(async () => {
  for (const close of closers) close();
  await project.kernel.close();
});

type Link = TRPCLink<AppRouter>;
const events = ({ http }: Served): Link => httpSubscriptionLink({ url: http, EventSource });
const withEvents = (at: Served, link: Link): Link[] => [
  splitLink({ condition: ({ type }) => type === "subscription", true: events(at), false: link }),
];
/** Loses the first answer of each client. */
const losing = (): typeof fetch => {
  let lost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (lost) return response;
    lost = true;
    throw new TypeError("terminated");
  };
};
const links: Readonly<Record<string, (at: Served) => Link[]>> = {
  httpLink: (at) => withEvents(at, httpLink({ url: at.http })),
  httpBatchLink: (at) => withEvents(at, httpBatchLink({ url: at.http })),
  httpBatchStreamLink: (at) => withEvents(at, httpBatchStreamLink({ url: at.http })),
  "splitLink by type": (at) => [
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: events(at),
      false: splitLink({
        condition: ({ type }) => type === "query",
        true: httpBatchLink({ url: at.http }),
        false: httpLink({ url: at.http, methodOverride: "POST" }),
      }),
    }),
  ],
  loggerLink: (at) => [
    loggerLink({ console: { log: () => {}, error: () => {} } }),
    ...withEvents(at, httpLink({ url: at.http })),
  ],
  "retryLink, an answer lost": (at) => {
    const request = losing();
    const link = httpLink({
      url: at.http,
      fetch: (input, init) => request(input, { ...init, signal: init?.signal ?? null }),
    });
    return [
      retryLink({ retry: ({ attempts, error }) => attempts < 3 && error.data === undefined }),
      ...withEvents(at, link),
    ];
  },
  wsLink: (at) => {
    const client = createWSClient({ url: at.ws });
    closers.push(() => client.close());
    return [wsLink({ client })];
  },
};

type Client = ReturnType<typeof createTRPCClient<AppRouter>>;

const subscribed = (client: Client, input: { to: number; lastEventId?: string }) =>
  new Promise((resolve, reject) => {
    const seen: unknown[] = [];
    client.probe.count.subscribe(input, {
      onData: ({ id, data }) => seen.push([id, data]),
      onComplete: () => resolve(seen),
      onError: reject,
    });
  });

/** A client that knows nothing of types: what an app of an older build may send. */
const loose = (client: Client) =>
  client.probe as unknown as Record<string, Record<"query" | "mutate", (input?: unknown) => Promise<unknown>>>;

const cases: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  "a query": (client) => client.probe.sum.query({ a: 1, b: 2 }),
  "defaults of the input": (client) => client.probe.echo.query({ text: "é\u2028\u{1F600}" }),
  "30 queries in one tick": (client) =>
    Promise.all(Array.from({ length: 30 }, (_, a) => client.probe.sum.query({ a }))),
  "a mutation": async (client) => (await client.probe.pay.mutate({ amount: 7 })).amount,
  "a good and a bad call in one tick": (client) =>
    Promise.all([client.probe.sum.query({ a: 1 }), loose(client).sum?.query({ a: "x" }).catch(seenOf)]),
  "an input that does not fit": (client) => loose(client).sum?.query({ a: "x" }) ?? Promise.resolve(),
  "no input": (client) => loose(client).sum?.query() ?? Promise.resolve(),
  "an unknown procedure": (client) => loose(client).nothing?.query({}) ?? Promise.resolve(),
  "a handler that throws": (client) => client.probe.crash.query({}),
  "a mutation called as a query": (client) => loose(client).pay?.query({ amount: 1 }) ?? Promise.resolve(),
  "an aborted call": (client) => {
    const controller = new AbortController();
    const waiting = client.probe.wait.query({ name: "side by side" }, { signal: controller.signal });
    controller.abort();
    return waiting;
  },
  "a subscription": (client) => subscribed(client, { to: 3 }),
  "a subscription from an event on": (client) => subscribed(client, { to: 4, lastEventId: "2" }),
  "a subscription that is refused": (client) => subscribed(client, { to: 1_000 }),
};

/** What an app can see of a failure: its code and status, or that the call was aborted. */
const seenOf = (cause: unknown): unknown => {
  if (!(cause instanceof TRPCClientError)) return String(cause);
  const { data, shape } = cause as TRPCClientError<AppRouter>;
  if (data === undefined || data === null) return /abort/i.test(cause.message) ? "aborted" : cause.message;
  return { code: data.code, httpStatus: data.httpStatus, number: shape?.code, path: data.path };
};

interface Outcome {
  readonly value?: unknown;
  readonly error?: unknown;
}

const run = async (name: string, link: string, at: Served): Promise<Outcome> => {
  const client = createTRPCClient<AppRouter>({ links: links[link]?.(at) ?? [] });
  try {
    return { value: await cases[name]?.(client) };
  } catch (cause) {
    return { error: seenOf(cause) };
  }
};

/** A name that there is no procedure of is not repeated: it is something that the caller sent. */
const withoutUnknownPath = ({ value, error }: Outcome): Outcome =>
  isRecord(error) && error.code === "NOT_FOUND" ? { error: { ...error, path: undefined } } : { value, error };

const isRecord = (seen: unknown): seen is Readonly<Record<string, unknown>> =>
  typeof seen === "object" && seen !== null;

const results = new Map<string, string>();

describe.each(Object.keys(links))("%s", (link) => {
  it.each(Object.keys(cases))("%s", async (name) => {
    const [own, ours] = await Promise.all([run(name, link, served.own), run(name, link, served.ours)]);
    const isSame = JSON.stringify(own) === JSON.stringify(ours);
    results.set(`${name}|${link}`, isSame ? "same" : "no path");
    expect(isSame ? ours : withoutUnknownPath(ours)).toEqual(isSame ? own : withoutUnknownPath(own));
  });
});

it("the table in docs/trpc.md says so", async () => {
  const path = fileURLToPath(new URL("../../docs/trpc.md", import.meta.url));
  const names = Object.keys(links);
  const table = [
    `| | ${names.join(" | ")} |`,
    `|---${"|---".repeat(names.length)}|`,
    ...Object.keys(cases).map(
      (name) => `| ${name} | ${names.map((link) => results.get(`${name}|${link}`)).join(" | ")} |`,
    ),
  ].join("\n");
  const text = readFileSync(path, "utf8");
  const marked = /(<!-- side by side -->\n)[\s\S]*?(<!-- end -->)/;
  await expect(text.replace(marked, (_, before, after) => `${before}${table}\n${after}`)).toMatchFileSnapshot(path);
});
