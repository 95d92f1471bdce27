/** Requests that are refused before tRPC sees them, read by tRPC's own client: each link has to find code, status and envelope. */
import {
  createTRPCUntypedClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  TRPCClientError,
} from "@trpc/client";
import { EventSource } from "eventsource";
import { describe, expect, test } from "vitest";
import { localPrincipal } from "../../call/call.ts";
import { post, raw, send } from "../../testing/wire-fixture.ts";
import { fixturePerTest } from "../../testing/wire-test.ts";

const start = fixturePerTest();

type Headers = Readonly<Record<string, string>>;
const links = {
  http: (url: string, headers: Headers) => httpLink({ url, headers }),
  batch: (url: string, headers: Headers) => httpBatchLink({ url, headers }),
  "batch-stream": (url: string, headers: Headers) => httpBatchStreamLink({ url, headers }),
};

/** Resolves once the server sheds. */
const overloaded = async (url: string): Promise<void> => {
  while ((await fetch(`${url}/api/wire/sum?a=1&b=2`)).status !== 503);
};

/** What a call of `wire.sum` is refused with, once for each call of the batch. */
const refusalsOf = async (kind: keyof typeof links, url: string, headers: Headers = {}, calls = 1) => {
  const client = createTRPCUntypedClient({ links: [links[kind](`${url}/trpc`, headers)] });
  const settled = await Promise.allSettled(
    Array.from({ length: calls }, () => client.query("wire.sum", { a: 1, b: 2 })),
  );
  return settled.map((each) => {
    if (each.status === "fulfilled") throw new Error(`answered ${each.value}`);
    expect(each.reason).toBeInstanceOf(TRPCClientError);
    return each.reason;
  });
};

const noToken = {
  data: {
    code: "UNAUTHORIZED",
    httpStatus: 401,
    error: { code: "unauthenticated", hint: expect.stringContaining("authorization"), retryable: false },
  },
  shape: { code: -32001 },
};

describe.each(["http", "batch", "batch-stream"] as const)("by the %s link", (kind) => {
  test("401 without a token", async () => {
    const { url } = await start({ rules: { authenticate: () => undefined } });
    const [error] = await refusalsOf(kind, url);
    expect(error).toMatchObject(noToken);
    expect(error).toMatchObject({ data: { path: "wire.sum" } });
    for (const each of await refusalsOf(kind, url, {}, 3)) expect(each).toMatchObject(noToken);
  });

  test("403 for a page of another origin", async () => {
    const { url } = await start();
    const [error] = await refusalsOf(kind, url, { origin: "http://evil.test" });
    expect(error).toMatchObject({ data: { code: "FORBIDDEN", httpStatus: 403, error: { code: "permission_denied" } } });
  });

  test("429 over the rate, with the time to wait", async () => {
    const principal = { id: "one", access: ["admin" as const], rate: { perSecond: 1, concurrent: 1 } };
    const { url } = await start({ rules: { authenticate: () => principal } });
    for (let count = 0; count < 8; count += 1) await send(Number(new URL(url).port), { path: "/livez" });
    const [error] = await refusalsOf(kind, url);
    expect(error).toMatchObject({
      data: {
        code: "TOO_MANY_REQUESTS",
        httpStatus: 429,
        error: { retryable: true, retryAfterMs: expect.any(Number) },
      },
    });
  });

  test("503 under overload", async () => {
    const { url } = await start({ times: { lag: -1_000 } });
    await overloaded(url);
    const [error] = await refusalsOf(kind, url);
    expect(error).toMatchObject({
      data: { code: "SERVICE_UNAVAILABLE", httpStatus: 503, error: { code: "unavailable", retryable: true } },
    });
  });

  test("414 for an address that is too long", async () => {
    const { url } = await start();
    const client = createTRPCUntypedClient({ links: [links[kind](`${url}/trpc`, {})] });
    const error = await client
      .query("wire.list", { items: Array.from({ length: 12_500 }, () => 1) })
      .catch((cause) => cause);
    expect(error).toMatchObject({ data: { httpStatus: 414, path: "wire.list", error: { code: "invalid_argument" } } });
  });

  test("413 for a body that is too large", async () => {
    const { url } = await start();
    const client = createTRPCUntypedClient({
      links: [httpBatchLink({ url: `${url}/trpc`, methodOverride: "POST" })],
    });
    const error = await client.query("wire.small", { text: ["x".repeat(200)] }).catch((cause) => cause);
    expect(error).toMatchObject({
      shape: { code: -32013 },
      data: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413, error: { code: "resource_exhausted" } },
    });
  });
});

test("415 for a form", async () => {
  const { url } = await start();
  const client = createTRPCUntypedClient({ links: [httpLink({ url: `${url}/trpc` })] });
  const error = await client.mutation("wire.pay", new FormData()).catch((cause) => cause);
  expect(error).toMatchObject({
    data: { code: "UNSUPPORTED_MEDIA_TYPE", httpStatus: 415, path: "wire.pay", error: { code: "invalid_argument" } },
  });
});

test("an input error has its issues in the envelope, and flattened as Zod does it", async () => {
  const { url } = await start();
  const client = createTRPCUntypedClient({ links: [httpLink({ url: `${url}/trpc` })] });
  const error = await client.query("wire.sum", { a: "x", b: 2, c: 3 }).catch((cause) => cause);
  expect(error).toMatchObject({
    data: {
      code: "BAD_REQUEST",
      error: { issues: [{ path: "a", fix: expect.any(String) }, { path: "*" }] },
      zodError: { formErrors: [expect.any(String)], fieldErrors: { a: [expect.stringContaining("a")] } },
    },
  });
  const whole = await client.query("wire.sum", 7).catch((cause) => cause);
  expect(whole).toMatchObject({ data: { zodError: { formErrors: [expect.any(String)], fieldErrors: {} } } });
  const missing = await client.query("wire.summ", {}).catch((cause) => cause);
  expect(missing).not.toHaveProperty("data.zodError");
});

describe("subscriptions over server-sent events", () => {
  const failureOf = (url: string, path = "wire.endless", input: unknown = {}) => {
    const client = createTRPCUntypedClient({ links: [httpSubscriptionLink({ url: `${url}/trpc`, EventSource })] });
    return new Promise<unknown>((resolve) => {
      const running = client.subscription(path, input, {
        onError: resolve,
        onConnectionStateChange: ({ error }) => {
          if (error === null || error === undefined) return;
          running.unsubscribe();
          resolve(error);
        },
      });
    });
  };

  test("401 without a token", async () => {
    const { url } = await start({ rules: { authenticate: () => undefined } });
    expect(await failureOf(url)).toMatchObject({ ...noToken, data: { ...noToken.data, path: "wire.endless" } });
  });

  test("401 with a token in the address: the error says where it belongs", async () => {
    const { url } = await start({
      rules: { authenticate: (header) => (header === undefined ? undefined : localPrincipal) },
    });
    const connectionParams = { token: "secret" };
    const client = createTRPCUntypedClient({
      links: [httpSubscriptionLink({ url: `${url}/trpc`, EventSource, connectionParams })],
    });
    const failed = await new Promise((resolve) => client.subscription("wire.endless", {}, { onError: resolve }));
    expect(failed).toMatchObject({
      data: { code: "UNAUTHORIZED", error: { hint: expect.stringMatching(/links.+wsLink/) } },
    });
    expect(JSON.stringify(failed)).not.toContain("secret");
  });

  test("404, 414 and 429", async () => {
    const { url } = await start({ streams: 0 });
    expect(await failureOf(url, "wire.endles")).toMatchObject({ data: { code: "NOT_FOUND", httpStatus: 404 } });
    expect(await failureOf(url, "wire.endless", "x".repeat(50_000))).toMatchObject({ data: { httpStatus: 414 } });
    expect(await failureOf(url)).toMatchObject({ data: { code: "TOO_MANY_REQUESTS", httpStatus: 429 } });
  });

  test("503: the client reports it, and connects again", async () => {
    const { url } = await start({ times: { lag: -1_000 } });
    await overloaded(url);
    expect(await failureOf(url)).toMatchObject({ data: { code: "SERVICE_UNAVAILABLE", error: { retryable: true } } });
  });
});

describe("431", () => {
  const long = `x-long: ${"x".repeat(20_000)}`;
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${long}\r\n\r\n`;

  test("in tRPC's shape where the head begins with its path", async () => {
    const { port } = await start();
    const text = await raw(port, head("/trpc/wire.sum")).ended;
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(text.slice(text.indexOf("\r\n\r\n")))).toMatchObject({
      error: { data: { httpStatus: 431, path: "wire.sum", error: { code: "invalid_argument" } } },
    });
  });

  test("as problem details elsewhere", async () => {
    const { port } = await start();
    expect(await raw(port, head("/api/wire/sum")).ended).toContain("application/problem+json");
  });
});

test("other transports keep their own form", async () => {
  const { port } = await start({ rules: { authenticate: () => undefined } });
  expect((await send(port, { path: "/api/wire/sum" })).headers["content-type"]).toBe("application/problem+json");
  expect((await post(port, "/mcp", "{}")).headers["content-type"]).toBe("application/problem+json");
});
