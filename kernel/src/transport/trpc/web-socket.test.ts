/** tRPC over WebSocket, by tRPC's own client: calls, subscriptions, tokens, limits, and how a connection ends. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createTRPCUntypedClient, createWSClient, type WebSocketClientOptions, wsLink } from "@trpc/client";
import { afterEach, describe, expect, test } from "vitest";
import WebSocket from "ws";
import type { Token } from "../../config/tokens/token.ts";
import { bearer } from "../../server/bearer.ts";
import {
  decodes,
  eventually,
  type Fixture,
  type FixtureOptions,
  raw,
  startFixture,
} from "../../testing/wire-fixture.ts";

let fixture: Fixture | undefined;
const open: { close(): unknown }[] = [];
const start = async (options: FixtureOptions = {}): Promise<Fixture> => {
  fixture = await startFixture(options);
  return fixture;
};
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await fixture?.close();
  fixture = undefined;
});

const address = (port: number): string => `ws://127.0.0.1:${port}/trpc`;
const connect = (port: number, options: Partial<WebSocketClientOptions> = {}) => {
  const client = createWSClient({ url: address(port), retryDelayMs: () => 10, ...options });
  open.push(client);
  return createTRPCUntypedClient({ links: [wsLink({ client })] });
};
type Client = ReturnType<typeof connect>;
const handshake = (host: string, headers = ""): string =>
  `GET /trpc HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

/** The events of a subscription until so many have come, or its end. */
const events = (client: Client, path: string, input: unknown, take = Number.POSITIVE_INFINITY) =>
  new Promise<unknown[]>((resolve, reject) => {
    const seen: unknown[] = [];
    const running = client.subscription(path, input, {
      onData: (event) => {
        seen.push(event);
        if (seen.length < take) return;
        running.unsubscribe();
        resolve(seen);
      },
      onComplete: () => resolve(seen),
      onError: reject,
    });
  });

/** One masked text frame of less than 126 bytes; a mask of zeros leaves the text as it is. */
const frame = (text: string): Uint8Array =>
  Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

const token = (name: string): Token => ({
  name,
  sha256: createHash("sha256").update(name).digest("hex"),
  access: ["read"],
  perSecond: 1_000,
  concurrent: 100,
});

describe("calls and subscriptions", () => {
  test("queries, mutations, declared errors, unknown names", async () => {
    const { port } = await start();
    const client = connect(port);
    expect(await Promise.all([1, 2, 3].map((a) => client.query("wire.sum", { a, b: 1 })))).toEqual([2, 3, 4]);
    expect(await client.mutation("wire.work", { fail: false })).toBe(42);
    await expect(client.query("wire.busy", {})).rejects.toMatchObject({
      data: { code: "TOO_MANY_REQUESTS", error: { reason: "full", data: { seats: 0 } } },
    });
    await expect(client.query("wire.sum", { a: "x", b: 1 })).rejects.toMatchObject({
      data: { error: { issues: [{ path: "a" }] }, zodError: { fieldErrors: { a: [expect.any(String)] } } },
    });
    await expect(client.query("wire.summ", {})).rejects.toMatchObject({ data: { error: { code: "not_found" } } });
  });

  test("tracked events, from the start and from the last one seen", async () => {
    const { port } = await start();
    const client = connect(port);
    expect(await events(client, "wire.count", { to: 2 })).toEqual([
      { id: "1", data: 1 },
      { id: "2", data: 2 },
    ]);
    expect(await events(client, "wire.count", { to: 3, lastEventId: "2" })).toEqual([{ id: "3", data: 3 }]);
    await expect(events(client, "wire.breaks", {})).rejects.toMatchObject({ data: { error: { code: "internal" } } });
  });

  test("unsubscribing, and hanging up, interrupt the handler", async () => {
    const { port, seen } = await start();
    await events(connect(port), "wire.endless", {}, 1);
    await eventually(() => seen.interruptions === 1);
    const socket = new WebSocket(address(port));
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ id: 1, method: "query", params: { path: "wire.slow", input: {} } }));
    socket.send(JSON.stringify({ id: 2, method: "subscription", params: { path: "wire.endless", input: {} } }));
    await new Promise((resolve) => socket.once("message", resolve));
    socket.terminate();
    await eventually(() => seen.interruptions >= 2);
  });
});

describe("who may", () => {
  const known = [token("reader")];
  const rules = { authenticate: bearer(() => known, Date.now) };
  test("a token in connectionParams, in two forms, or in the handshake's header", async () => {
    const { port } = await start({ rules });
    for (const connectionParams of [{ token: "reader" }, { authorization: "Bearer reader" }]) {
      const client = connect(port, { connectionParams });
      expect(await client.query("wire.sum", { a: 1, b: 2 })).toBe(3);
      await expect(client.mutation("wire.work", { fail: false })).rejects.toMatchObject({
        data: { code: "FORBIDDEN" },
      });
    }
    class WithHeader extends WebSocket {
      constructor(url: string) {
        super(url, { headers: { authorization: "Bearer reader" } });
      }
    }
    const client = connect(port, { WebSocket: WithHeader as unknown as typeof globalThis.WebSocket });
    expect(await client.query("wire.sum", { a: 1, b: 2 })).toBe(3);
  });

  test("none, or a wrong one: the envelope, then the end", async () => {
    const { port } = await start({ rules });
    for (const url of [address(port), `${address(port)}?connectionParams=1`]) {
      const socket = new WebSocket(url);
      const messages: string[] = [];
      socket.on("message", (data) => messages.push(String(data)));
      const params = JSON.stringify({ method: "connectionParams", data: { token: "wrong" } });
      socket.once("open", () => url.endsWith("=1") && socket.send(params));
      await new Promise((resolve) => socket.once("close", resolve));
      expect(JSON.parse(messages[0] ?? "")).toMatchObject({
        id: null,
        error: {
          data: {
            code: "UNAUTHORIZED",
            error: { code: "unauthenticated", hint: expect.stringContaining("connectionParams") },
          },
        },
      });
    }
  });

  test("the first call of a client with a wrong token gets the refusal, each time", async () => {
    const { port } = await start({ rules });
    const refusals = Array.from({ length: 20 }, () =>
      connect(port, { connectionParams: { token: "wrong" } })
        .query("wire.sum", { a: 1, b: 2 })
        .catch(({ data }) => data?.code),
    );
    expect(new Set(await Promise.all(refusals))).toEqual(new Set(["UNAUTHORIZED"]));
  });

  test("a revoked token ends the connection", async () => {
    let list: readonly Token[] = [token("reader"), token("other")];
    const { port } = await start({ rules: { authenticate: bearer(() => list, Date.now) } });
    const closed = Promise.withResolvers<unknown>();
    const client = connect(port, { connectionParams: { token: "reader" }, onClose: closed.resolve });
    await events(client, "wire.endless", {}, 1);
    list = [token("other")];
    expect(await closed.promise).toMatchObject({ code: 1008 });
  });

  test("a peer that takes no notice of the close has no more calls run, and is cut off", async () => {
    let list: readonly Token[] = [token("reader"), token("other")];
    const { port } = await start({ rules: { authenticate: bearer(() => list, Date.now) } });
    const deaf = raw(port, handshake(`127.0.0.1:${port}`, "Authorization: Bearer reader\r\n"));
    open.push({ close: () => deaf.socket.destroy() });
    const counted = (n: number) =>
      frame(JSON.stringify({ id: n, method: "query", params: { path: "wire.counted", input: { n } } }));
    deaf.socket.write(counted(7_001));
    await deaf.until((text) => text.includes("7041"));
    list = [token("other")];
    await deaf.until((text) => text.includes("not valid any more"));
    deaf.socket.write(counted(7_002));
    await deaf.ended;
    expect(decodes.inputs).toContainEqual({ n: 7_001 });
    expect(decodes.inputs).not.toContainEqual({ n: 7_002 });
  });

  test("a foreign page or Host gets no connection, nor does a path without one", async () => {
    const { port } = await start();
    const status = (url: string, options: WebSocket.ClientOptions) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url, options);
        socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode));
        socket.once("open", () => reject(new Error("open")));
      });
    expect(await status(address(port), { origin: "http://evil.test" })).toBe(403);
    expect(await status(address(port), { headers: { host: "evil.test" } })).toBe(403);
    expect(await status(`ws://127.0.0.1:${port}/api/wire/sum?a=1&b=2`, {})).toBe(200);
    const own = new WebSocket(address(port), { origin: `http://127.0.0.1:${port}` });
    await new Promise((resolve) => own.once("open", resolve));
    own.terminate();
  });

  test("a reset after the handshake, refused or accepted, is not an error", async () => {
    const uncaught: unknown[] = [];
    const note = (cause: unknown): void => void uncaught.push(cause);
    process.on("uncaughtException", note);
    try {
      const { port } = await start();
      const reset = async (host: string): Promise<void> => {
        const { socket } = raw(port, handshake(host));
        await once(socket, "connect");
        // Written out, so that the handshake has left before the reset does.
        await new Promise((resolve) => socket.write("", resolve));
        socket.resetAndDestroy();
      };
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(
          Array.from({ length: 20 }, (_, at) => reset(at % 2 === 0 ? "evil.test" : `127.0.0.1:${port}`)),
        );
      }
      expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
      expect(uncaught).toEqual([]);
    } finally {
      process.off("uncaughtException", note);
    }
  });
});

describe("limits", () => {
  const busy = { id: "busy", access: ["read" as const], rate: { perSecond: 10_000, concurrent: 10_000 } };
  const exchange = async (port: number, messages: readonly string[]) => {
    const socket = new WebSocket(address(port));
    open.push({ close: () => socket.terminate() });
    const received: unknown[] = [];
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    socket.on("message", (data) => received.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once("open", resolve));
    for (const message of messages) socket.send(message);
    return { received, closed };
  };
  const call = (id: number, path: string, input: unknown, method = "query") =>
    JSON.stringify({ id, method, params: { path, input } });

  test("hostile JSON, doubled keys, depth: an error, and the connection goes on", async () => {
    const { port } = await start();
    const { received } = await exchange(port, [
      "[".repeat(2_000),
      '{"id":1,"id":2}',
      "nonsense",
      call(7, "wire.sum", { a: 1, b: 2 }),
    ]);
    await eventually(() => received.length === 4);
    for (const each of received.slice(0, 3)) {
      expect(each).toMatchObject({ id: null, error: { data: { error: { code: "invalid_argument" } } } });
    }
    expect(received[3]).toMatchObject({ id: 7, result: { data: 3 } });
  });

  test("the procedure's own limits hold; a message over all of them ends the connection", async () => {
    const { port } = await start();
    const { received } = await exchange(port, [call(1, "wire.small", { text: ["x".repeat(60)] })]);
    await eventually(() => received.length === 1);
    expect(received[0]).toMatchObject({ error: { data: { error: { code: "resource_exhausted" } } } });
    const flooded = await exchange(port, ["x".repeat(3_000_000)]);
    expect(await flooded.closed).toBe(1009);
  });

  test("more calls than a connection may have are refused alone, and reading goes on", async () => {
    const { port } = await start({ rules: { authenticate: () => busy } });
    const many = Array.from({ length: 100 }, (_, id) => call(id, "wire.slow", {}));
    const { received } = await exchange(port, [...many, call(100, "wire.sum", { a: 1, b: 2 }), "nonsense"]);
    await eventually(() => received.length === 2);
    expect(new Set(received)).toEqual(
      new Set([
        expect.objectContaining({
          id: 100,
          error: expect.objectContaining({
            data: expect.objectContaining({
              code: "TOO_MANY_REQUESTS",
              error: expect.objectContaining({
                code: "resource_exhausted",
                message: expect.stringContaining("100 calls"),
              }),
            }),
          }),
        }),
        expect.objectContaining({ id: null }),
      ]),
    );
  });

  test("calls one after the other are never too many", async () => {
    const { port } = await start();
    const client = connect(port);
    for (let a = 0; a < 150; a += 1) expect(await client.query("wire.sum", { a, b: 1 })).toBe(a + 1);
  });

  test("more subscriptions than a connection may have are refused alone", async () => {
    const { port } = await start();
    const many = Array.from({ length: 33 }, (_, id) => call(id, "wire.endless", {}, "subscription"));
    const { received } = await exchange(port, [...many, call(99, "wire.sum", { a: 1, b: 2 })]);
    await eventually(() => received.some((each) => (each as { id: unknown }).id === 99));
    expect(received.filter((each) => "error" in (each as object))).toMatchObject([
      { id: 32, error: { data: { code: "TOO_MANY_REQUESTS" } } },
    ]);
  });

  test("only so many connections for one principal", async () => {
    const { port } = await start({ streams: 1 });
    await events(connect(port), "wire.endless", {}, 1);
    const { received, closed } = await exchange(port, []);
    await closed;
    expect(received).toMatchObject([{ id: null, error: { data: { code: "TOO_MANY_REQUESTS" } } }]);
  });

  const known = [token("reader")];
  const rules = { authenticate: bearer(() => known, Date.now) };
  const upgraded = async (port: number) => {
    const connection = raw(port, handshake(`127.0.0.1:${port}`).replace("/trpc", "/trpc?connectionParams=1"));
    open.push({ close: () => connection.socket.destroy() });
    await connection.until((text) => text.includes("101 Switching"));
    return connection;
  };
  const params = frame(JSON.stringify({ method: "connectionParams", data: { token: "reader" } }));

  test("a connection whose token has not come goes for a newcomer, one with its token stays", async () => {
    const { port } = await start({ rules, limits: { most: 2, perAddress: 2, perPrincipal: 2 } });
    const proven = await upgraded(port);
    proven.socket.write(params);
    proven.socket.write(frame(call(1, "wire.sum", { a: 1, b: 2 })));
    await proven.until((text) => text.includes('"data":3'));
    const silent = await upgraded(port);
    await upgraded(port);
    await silent.ended;
    expect(proven.socket.closed).toBe(false);
  });

  test("connections count for the principal of their first message", async () => {
    const { port } = await start({ rules, limits: { most: 9, perAddress: 9, perPrincipal: 1 } });
    const first = await upgraded(port);
    first.socket.write(params);
    first.socket.write(frame(call(1, "wire.sum", { a: 1, b: 2 })));
    await first.until((text) => text.includes('"data":3'));
    const second = await upgraded(port);
    second.socket.write(params);
    expect(await second.until((text) => text.includes("error"))).toContain("TOO_MANY_REQUESTS");
    await second.ended;
    expect(first.socket.closed).toBe(false);
  });

  test("a reader that reads nothing stops the pulling", async () => {
    const { port, seen } = await start();
    const { socket } = raw(port, handshake(`127.0.0.1:${port}`));
    open.push({ close: () => socket.destroy() });
    socket.pause();
    socket.write(frame(call(1, "wire.flood", {}, "subscription")));
    let before = -1;
    while (before !== seen.flooded || before === 0) {
      before = seen.flooded;
      for (let trip = 0; trip < 20; trip += 1) await (await fetch(`http://127.0.0.1:${port}/livez`)).text();
    }
    expect(seen.flooded).toBeLessThan(1_000);
    socket.destroy();
    await eventually(() => seen.interruptions === 1);
  });
});

describe("the end", () => {
  test("a closing kernel answers what is open, and clients connect to the next one", async () => {
    const first = await start({ times: { drain: 60_000 } });
    const { port } = first;
    const client = connect(port);
    expect(await client.query("wire.sum", { a: 1, b: 2 })).toBe(3);
    const counting = new Promise<unknown>((resolve, reject) => {
      client.subscription("wire.endless", {}, { onData: resolve, onError: reject });
    });
    await counting;
    const began = performance.now();
    await first.close();
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(first.seen.interruptions).toBe(1);
    fixture = undefined;
  });
});
