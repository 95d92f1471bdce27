import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { createClient } from "./client.ts";
import { type FetchTransportOptions, fetchTransport } from "./fetch.ts";
import { type DiceTypes, dice } from "./testing/fixture.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Seen {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (response: ServerResponse, seen: Seen, count: number) => void;

/** A real server on a port of the system's choice, and a client of it. */
const serve = async (answer: Answer, options: Partial<FetchTransportOptions> = {}) => {
  const requests: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const seen = { url: request.url ?? "", headers: request.headers, body };
    requests.push(seen);
    answer(response, seen, requests.length);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { requests, client: createClient<DiceTypes>(dice, fetchTransport({ url, ...options }), { retry: false }) };
};

const json =
  (value: unknown, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

describe("a call over HTTP", () => {
  test("sends JSON with the agreed headers and reads the bare output", async () => {
    const { client, requests } = await serve(json({ booking: "b" }), { token: "secret", headers: { "x-own": "1" } });
    expect(await client.book({ table: "t" }, { timeoutMs: 60_000, idempotencyKey: "k1" })).toEqual({ booking: "b" });
    const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = requests;
    expect(url).toBe("/api/dice/book");
    expect(JSON.parse(body)).toEqual({ table: "t" });
    expect(headers).toMatchObject({
      "content-type": "application/json",
      authorization: "Bearer secret",
      "idempotency-key": "k1",
      "x-own": "1",
    });
    expect(Number(headers["fairlead-timeout-ms"])).toBeGreaterThan(0);
    expect(Number(headers["fairlead-timeout-ms"])).toBeLessThanOrEqual(60_000);
  });

  test("puts a flat query into the URL", async () => {
    const { client, requests } = await serve(json({ seen: "x" }));
    await client.look({ name: "a&b =é", sure: true, level: -1.5 });
    const { searchParams } = new URL(requests[0]?.url ?? "", "http://x");
    expect(Object.fromEntries(searchParams)).toEqual({ name: "a&b =é", sure: "true", level: "-1.5" });
    expect(requests[0]?.body).toBe("");
    expect(requests[0]?.headers).not.toHaveProperty("content-type");
  });

  test.each([
    ["a field that no query string can have", { inner: { deep: 1 } }],
    ["null", { level: null }],
    ["a list without items", { tags: [] }],
    ["a long text", { name: "a".repeat(2_001) }],
    ["half a surrogate pair", { name: "\ud800" }],
  ])("is a POST for %s", async (_, input) => {
    const { client, requests } = await serve(json({ seen: "x" }));
    await client.look(input);
    expect(requests).toMatchObject([{ url: "/api/dice/look", body: JSON.stringify(input) }]);
    expect(requests[0]?.headers).toMatchObject({ "content-type": "application/json" });
  });

  test("writes a list as one parameter for each item", async () => {
    const { client, requests } = await serve(json({ seen: "x" }));
    await client.look({ tags: ["a", "b&"] });
    expect(requests[0]?.url).toBe("/api/dice/look?tags=a&tags=b%26");
  });

  test("calls a token function before each attempt", async () => {
    let calls = 0;
    const { client, requests } = await serve(json({ seen: "x" }), { token: async () => `t${++calls}` });
    await client.look();
    await client.look();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer t1", "Bearer t2"]);
  });

  test("turns problem details into a ClientError", async () => {
    const issues = [{ path: "sides", expected: "a number", fix: "give `sides` a number" }];
    const problem = {
      type: "urn:fairlead:error:invalid_argument",
      status: 400,
      detail: "bad",
      code: "invalid_argument",
    };
    const { client } = await serve(json({ ...problem, message: "bad", issues, hint: "look", retryable: false }, 400));
    await expect(client.roll({ sides: 1 })).rejects.toMatchObject({
      name: "ClientError",
      code: "invalid_argument",
      issues,
      hint: "look",
    });
  });

  test("honours Retry-After", async () => {
    const { client, requests } = await serve((response, seen, count) => {
      if (count > 1) json({ total: 2 })(response, seen, count);
      else response.writeHead(503, { "retry-after": "0" }).end("busy");
    });
    expect(await client.roll({ sides: 6 }, { retry: { attempts: 2, baseMs: 1 } })).toEqual({ total: 2 });
    expect(requests).toHaveLength(2);
  });

  test("is unavailable when no server listens", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const client = createClient<DiceTypes>(dice, fetchTransport({ url: `http://127.0.0.1:${port}` }), { retry: false });
    const error = client.roll({ sides: 6 });
    await expect(error).rejects.toMatchObject({ code: "unavailable", retryable: true });
    await expect(client.spend({ coins: 1 })).rejects.toMatchObject({ code: "unavailable", retryable: true });
    await expect(error).rejects.toThrow(/ECONNREFUSED/);
  });

  test("gives up at its deadline when the server does not answer", async () => {
    const { client } = await serve(() => undefined);
    await expect(client.roll({ sides: 6 }, { timeoutMs: 30 })).rejects.toMatchObject({ code: "deadline_exceeded" });
  });

  test("gives up when the signal fires, also before the call, and closes the connection", async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const { client } = await serve((response) => {
      response.on("close", () => closed.resolve());
      controller.abort("enough");
    });
    const { signal } = controller;
    await expect(client.roll({ sides: 6 }, { signal })).rejects.toMatchObject({ code: "canceled", cause: "enough" });
    await closed.promise;
    await expect(client.roll({ sides: 6 }, { signal })).rejects.toMatchObject({ code: "canceled" });
  });

  test("says so when the answer is not JSON", async () => {
    const { client } = await serve((response) => void response.end("<html>"));
    await expect(client.roll({ sides: 6 })).rejects.toMatchObject({ code: "unknown", retryable: false });
  });

  test("follows no redirect", async () => {
    const { client, requests } = await serve((response) => void response.writeHead(307, { location: "/other" }).end());
    await expect(client.roll({ sides: 6 })).rejects.toMatchObject({ code: "unavailable" });
    expect(requests).toHaveLength(1);
  });
});

const open = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });

describe("a call with progress", () => {
  const withProgress = () => {
    const seen: unknown[] = [];
    return { seen, options: { onProgress: (at: unknown) => void seen.push(at) } };
  };

  test("asks for events, reports each, and resolves with the result", async () => {
    const { client, requests } = await serve((response) => {
      open(response).write('event: progress\ndata: {"progress":1,"total":2}\n\n: still here\n\n');
      response.end('event: progress\ndata: {"progress":2,"total":2}\n\nevent: result\ndata: {"total":3}\n\n');
    });
    const { seen, options } = withProgress();
    expect(await client.roll({ sides: 6 }, options)).toEqual({ total: 3 });
    expect(seen).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
    expect(requests[0]?.headers.accept).toBe("text/event-stream");
    await client.roll({ sides: 6 });
    expect(requests[1]?.headers.accept).toBe("application/json");
  });

  test("rejects with the error that the stream ends with, or that comes instead of one", async () => {
    const error = { code: "internal", message: "defect", id: "1", retryable: false };
    const { client } = await serve((response, seen, count) => {
      if (count === 1) open(response).end(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
      else json(error, 500)(response, seen, count);
    });
    const { options } = withProgress();
    await expect(client.roll({ sides: 6 }, options)).rejects.toMatchObject(error);
    await expect(client.roll({ sides: 6 }, options)).rejects.toMatchObject(error);
  });

  test("takes a plain answer, too", async () => {
    const { client } = await serve(json({ total: 4 }));
    expect(await client.roll({ sides: 6 }, withProgress().options)).toEqual({ total: 4 });
  });

  test("ends as soon as the result is there", async () => {
    const { client } = await serve((response) => void open(response).write('event: result\ndata: {"total":5}\n\n'));
    expect(await client.roll({ sides: 6 }, withProgress().options)).toEqual({ total: 5 });
  });
});

describe("what was cut off after it was sent", () => {
  const retryable = async (answer: Answer, timeoutMs?: number) => {
    const { client } = await serve(answer);
    const options = { onProgress: () => undefined, ...(timeoutMs !== undefined && { timeoutMs }) };
    const failed = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: { readonly retryable: boolean }) => error.retryable,
      );
    return {
      unsafe: await failed(client.spend({ coins: 1 }, options)),
      keyed: await failed(client.book({ table: "t" }, options)),
    };
  };

  test.each<[string, Answer, number?]>([
    ["a connection that breaks", (response) => void response.destroy()],
    ["an answer that breaks off", (response) => void response.writeHead(200).write("1", () => response.destroy())],
    ["events without a result", (response) => void open(response).end("event: progress\ndata: {}\n\n")],
    ["silence", () => undefined, 30],
    ["a gateway that lost it", (response) => void response.writeHead(502).end()],
    ["a gateway that gave up", (response) => void response.writeHead(504).end()],
  ])("%s: only what may be repeated says so", async (_, answer, timeoutMs) => {
    expect(await retryable(answer, timeoutMs)).toEqual({ unsafe: false, keyed: true });
  });

  test("what was refused before it ran may be sent again", async () => {
    expect(await retryable((response) => void response.writeHead(429).end())).toEqual({ unsafe: true, keyed: true });
  });
});

describe("a subscription over HTTP", () => {
  test("reads events until the server ends it", async () => {
    const { client, requests } = await serve((response) => {
      open(response).write('id: 1\ndata: {"total":1}\n\n: ping\n\nid: 2\nda');
      response.end('ta: {"total":2}\n\nevent: end\ndata: {}\n\n');
    });
    const seen: unknown[] = [];
    for await (const event of client.rolls({ sides: 6 })) seen.push(event);
    expect(seen).toEqual([{ total: 1 }, { total: 2 }]);
    expect(requests[0]).toMatchObject({ url: "/api/dice/rolls?sides=6", headers: { accept: "text/event-stream" } });
  });

  test("resumes after the last event when the connection breaks", async () => {
    const { client, requests } = await serve((response, _, count) => {
      open(response).write(`id: ${count}\ndata: {"total":${count}}\n\n`);
      if (count === 1) response.destroy();
      else if (count === 2) response.end();
      else response.end("event: end\ndata:\n\n");
    });
    const seen: unknown[] = [];
    for await (const event of client.rolls({}, { retry: { baseMs: 1 } })) seen.push(event);
    expect(requests.at(-1)?.headers["last-event-id"]).toBe(String(requests.length - 1));
    expect(seen.at(-1)).toEqual({ total: requests.length });
  });

  test("throws the error that the stream ends with", async () => {
    const error = { code: "permission_denied", message: "token expired", retryable: false };
    const { client } = await serve(
      (response) => void open(response).end(`event: error\ndata: ${JSON.stringify(error)}\n\n`),
    );
    await expect(client.rolls()[Symbol.asyncIterator]().next()).rejects.toMatchObject(error);
  });

  test("throws the refusal", async () => {
    const { client } = await serve(json({ code: "unauthenticated", message: "who?", retryable: false }, 401));
    await expect(client.rolls()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("closes the connection when the loop is left", async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await serve((response) => {
      response.on("close", () => closed.resolve());
      open(response).write('id: 1\ndata: {"total":1}\n\n');
    });
    for await (const _ of client.rolls()) break;
    await closed.promise;
  });
});
