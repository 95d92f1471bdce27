/** `links` of `@fairlead/client/trpc` in tRPC's own client: many calls, large inputs, tokens, keys, retries, subscriptions that resume. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type LinksOptions, links } from "@fairlead/client/trpc";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningProject, startProject } from "../conformance/kernel.ts";
import type { AppRouter } from "../conformance/project/gen/app-router.ts";
import { probe } from "../conformance/project/gen/probe.ts";

const token = "a-token-for-this-test";
let project: RunningProject;
beforeAll(async () => {
  const sha256 = createHash("sha256").update(token).digest("hex");
  const access = ["read", "call", "admin"];
  project = await startProject({ tokens: [{ name: "test", sha256, access, perSecond: 1_000, concurrent: 200 }] });
});
afterAll(() => project.kernel.close());

const open = (options: Partial<LinksOptions> = {}) =>
  createTRPCClient<AppRouter>({ links: links({ url: project.url, token, ...options }) });
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** A `fetch` that loses the first answers: the kernel has done the work, and nobody hears of it. */
const losing = (answers: number) => {
  const sent: Request[] = [];
  const request: typeof fetch = async (input, init) => {
    sent.push(new Request(input, init));
    const response = await fetch(input, init);
    if (sent.length > answers) return response;
    await response.body?.cancel();
    throw new TypeError("terminated");
  };
  return { fetch: request, sent };
};

describe("ordinary load", () => {
  it.each([25, 250])("%i calls in one tick", async (count) => {
    const client = open();
    const sums = await Promise.all(times(count, (a) => client.probe.sum.query({ a: a % 50, b: 1 })));
    expect(sums).toEqual(times(count, (a) => (a % 50) + 1));
  });

  it("inputs that fit in no address", async () => {
    const client = open();
    const text = "é".repeat(50_000);
    const echoes = await Promise.all(times(3, () => client.probe.echo.query({ text })));
    for (const echo of echoes) expect(echo.text).toBe(text);
  });

  it("an address with or without /trpc, and a token that is a function", async () => {
    const client = open({ url: `${project.url}/trpc/`, token: async () => token });
    expect(await client.probe.sum.query({ a: 1 })).toBe(11);
  });
});

describe("failures", () => {
  it("a link with superjson does not compile, and the answer to its calls says what to take out", async () => {
    // @ts-expect-error there is no transformer
    links<AppRouter>({ url: project.url, transformer: superjson });
    // @ts-expect-error tRPC's own words: the router has no transformer
    httpLink<AppRouter>({ url: `${project.url}/trpc`, transformer: superjson });
    const input = encodeURIComponent(JSON.stringify(superjson.serialize({ a: 1 })));
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${project.url}/trpc/probe.sum?input=${input}`, { headers });
    expect(await response.json()).toMatchObject({
      error: {
        data: { code: "BAD_REQUEST", error: { hint: expect.stringContaining("take `transformer` out") } },
      },
    });
  });

  it("a wrong token is UNAUTHORIZED, for calls and subscriptions", async () => {
    const client = open({ token: "wrong" });
    const data = { code: "UNAUTHORIZED", httpStatus: 401, error: { code: "unauthenticated" } };
    await expect(client.probe.sum.query({ a: 1 })).rejects.toMatchObject({ data });
    const failed = await new Promise((resolve) =>
      client.probe.count.subscribe({ to: 3 }, { onError: resolve, onComplete: () => resolve("complete") }),
    );
    expect(failed).toMatchObject({ data });
  });

  it("where no server listens, the error says so and what to do", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    const client = open({ url: `http://127.0.0.1:${port}`, retry: false });
    await expect(client.probe.sum.query({ a: 1 })).rejects.toThrow(/cannot reach .*ECONNREFUSED.*fairlead up/);
  });

  it("a declared error keeps its data, and is not sent again", async () => {
    const { fetch, sent } = losing(0);
    const client = open({ fetch });
    const error = await client.probe.sum.query({ a: 999, b: 999 }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TRPCClientError);
    expect(error).toMatchObject({ data: { error: { reason: "too_big", data: { limit: 1_000 } } } });
    expect(sent).toHaveLength(1);
  });
});

describe("repeats", () => {
  const retry = { baseMs: 1 };

  it("a query whose answer was lost is sent again", async () => {
    const { fetch, sent } = losing(2);
    expect(await open({ fetch, retry }).probe.sum.query({ a: 1 })).toBe(11);
    expect(sent).toHaveLength(3);
    await expect(open({ ...losing(1), retry: false }).probe.sum.query({ a: 1 })).rejects.toThrow("terminated");
  });

  it("a keyed mutation too, with the same key, so that it is done once", async () => {
    const { fetch, sent } = losing(1);
    const client = open({ fetch, retry, services: [probe] });
    const [first, second] = await Promise.all([
      client.probe.pay.mutate({ amount: 1 }),
      client.probe.pay.mutate({ amount: 2 }),
    ]);
    expect([first.amount, second.amount]).toEqual([1, 2]);
    expect(Math.abs(first.count - second.count)).toBe(1);
    const keys = sent.map(({ headers }) => headers.get("fairlead-idempotency-keys")?.split(","));
    expect(keys[0]).toHaveLength(2);
    expect(keys[1]).toEqual(keys[0]);
    const own = { context: { idempotencyKey: "order 7, first".replaceAll(" ", "_") } };
    const paid = await client.probe.pay.mutate({ amount: 3 }, own);
    expect(await client.probe.pay.mutate({ amount: 3 }, own)).toEqual(paid);
  });

  it("a mutation that may not be repeated is not", async () => {
    const { fetch, sent } = losing(1);
    const client = open({ fetch, retry, services: [probe] });
    await expect(client.probe.wipe.mutate({})).rejects.toThrow("terminated");
    expect(sent).toHaveLength(1);
  });

  it("a mutation that takes no key is called like any other", async () => {
    await expect(open({ retry: false }).probe.wipe.mutate({})).resolves.toBeDefined();
    const own = { context: { idempotencyKey: "mine" } };
    await expect(open({ retry: false }).probe.wipe.mutate({}, own)).rejects.toThrow("takes no idempotency key");
  });

  it("what the caller aborted is not", async () => {
    const controller = new AbortController();
    const waiting = open({ retry }).probe.wait.query({ name: "links" }, { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toThrow(/abort/i);
  });
});

describe("subscriptions", () => {
  it("go with a token, without a ponyfill", async () => {
    const seen = await new Promise<number[]>((resolve, reject) => {
      const values: number[] = [];
      open().probe.count.subscribe(
        { to: 5 },
        { onData: ({ data }) => values.push(data.value), onComplete: () => resolve(values), onError: reject },
      );
    });
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  it("go on where a broken connection ended", async () => {
    let connections = 0;
    const breaking: typeof fetch = async (input, init) => {
      connections += 1;
      const response = await fetch(input, init);
      if (connections > 1 || response.body === null) return response;
      const text = await response.text();
      const third = text.indexOf("\n", text.indexOf("id: 3"));
      return new Response(text.slice(0, third + 3), { headers: response.headers });
    };
    const seen = await new Promise<number[]>((resolve, reject) => {
      const values: number[] = [];
      open({ fetch: breaking }).probe.count.subscribe(
        { to: 6 },
        { onData: ({ data }) => values.push(data.value), onComplete: () => resolve(values), onError: reject },
      );
    });
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(connections).toBe(2);
  });

  it("end at the kernel when the caller unsubscribes", async () => {
    const client = open();
    await new Promise<void>((resolve, reject) => {
      const running = client.probe.endless.subscribe(
        { name: "links-endless" },
        {
          onData: () => {
            running.unsubscribe();
            resolve();
          },
          onError: reject,
        },
      );
    });
    const ended = async () => (await client.probe.ended.query({ name: "links-endless" })).ended;
    while ((await ended()) === 0);
  });
});
