import { createServer } from "node:http";
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { describe, expect, test } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { eventually, post, type Raw, raw, send } from "../testing/wire-fixture.ts";
import { fixturePerTest } from "../testing/wire-test.ts";
import { router } from "./connection.ts";
import type { Mount } from "./mount.ts";
import { makeServer } from "./server.ts";

const start = fixturePerTest();

const mountAt = (
  prefix: string,
  handle: Mount["handle"] = async (_, response) => void response.end(prefix),
): Mount => ({
  prefix,
  handle,
  close: async () => undefined,
});

const bare = (mounts: readonly Mount[]) =>
  makeServer({
    mounts,
    rules: { hosts: [], origins: [], authenticate: () => localPrincipal },
    log: () => undefined,
  });

describe("routing", () => {
  const route = router(["/", "/api", "/mcp", "/mcp/deep", "/openapi.json"].map((prefix) => mountAt(prefix)));

  test.each([
    ["/", "/"],
    ["/api", "/api"],
    ["/api/", "/api"],
    ["/api/a/b", "/api"],
    ["/mcp/rules", "/mcp"],
    ["/mcp/deep", "/mcp/deep"],
    ["/mcp/deep/er", "/mcp/deep"],
    ["/mcp/deeper", "/mcp"],
    ["/openapi.json", "/openapi.json"],
  ])("%s goes to %s", (path, prefix) => {
    expect(route(path)?.prefix).toBe(prefix);
  });

  test.each(["/apiary", "/openapi.jsonp", "/other", "//", "", "/MCP"])("%s goes nowhere", (path) => {
    expect(route(path)).toBeUndefined();
  });
});

describe("malformed HTTP", () => {
  test.each([
    ["no HTTP at all", "hello\r\n\r\n", 400],
    ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["two lengths", "POST /api/wire/list HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}", 400],
    [
      "length and chunks",
      "POST /api/wire/list HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
      400,
    ],
    [
      "a bad chunk",
      "POST /api/wire/list HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
    ["a header with a line break", "GET / HTTP/1.1\r\nHost: a\r\nX: a\n b\r\n\r\n", 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["headers beyond Node's own limit", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(70_000)}\r\n\r\n`, 431],
    ["a URL without end", `GET /${"x".repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    [
      "an unknown expectation",
      "POST /api/wire/list HTTP/1.1\r\nHost: HOST\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n",
      417,
    ],
  ])("%s", async (_, text, status) => {
    const { port } = await start();
    const connection = raw(port, text.replace("HOST", `127.0.0.1:${port}`));
    const answer = await connection.ended;
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain("application/problem+json");
    expect(answer).toMatch(/"code":"invalid_argument"/);
    expect((await send(port, { path: "/livez" })).status).toBe(200);
  });

  test("CONNECT and upgrades lead nowhere", async () => {
    const { port } = await start();
    expect(await raw(port, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n").ended).toBe("");
    const upgrade = `GET /api/wire/sum?a=1&b=2 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
    expect(await raw(port, upgrade).ended).toMatch(/^HTTP\/1.1 200 /);
  });

  test("garbage after a stream began ends it", async () => {
    const { port, seen } = await start();
    const stream = raw(port, `GET /api/wire/endless HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await stream.until((text) => text.includes("data: 1"));
    stream.socket.write("no HTTP\r\n\r\n");
    expect(await stream.ended).not.toContain("HTTP/1.1 400");
    await eventually(() => seen.interruptions === 1);
  });
});

describe("slow clients", () => {
  const times = { headers: 200, request: 400, check: 50 };

  test("headers that trickle in are answered with 408 and closed", async () => {
    const { port } = await start({ times });
    const sockets = Array.from({ length: 50 }, () => raw(port, "GET / HTTP/1.1\r\nHost:"));
    // A busy machine may make this one late, too.
    await expect.poll(async () => (await send(port, { path: "/livez" })).status).toBe(200);
    for (const answer of await Promise.all(sockets.map(({ ended }) => ended)))
      expect(answer).toMatch(/^HTTP\/1.1 408 /);
  });

  test("a body that never comes is answered with 408 and closed", async () => {
    const { port } = await start({ times });
    const head = `POST /api/wire/list HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{`;
    expect(await raw(port, head).ended).toMatch(/^HTTP\/1.1 408 /);
  });

  test("a connection may rest between requests, and clients learn how long", async () => {
    const get = "GET /version HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n";
    const usual = await start();
    const kept = raw(usual.port, get.replace("PORT", String(usual.port)));
    expect(await kept.until((text) => text.includes("version"))).toMatch(/^keep-alive: timeout=30\r$/im);
    kept.socket.destroy();
    await usual.close();
    const { port } = await start({ times: { rest: 50 } });
    expect(await raw(port, get.replace("PORT", String(port))).ended).toMatch(/^HTTP\/1.1 200 /);
  });

  test("a stream may last longer than a request may take to arrive", async () => {
    const { port } = await start({ times, keepAlive: 150 });
    const get = `GET /api/wire/endless HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const open = async (): Promise<Raw> => {
      const stream = raw(port, get);
      // A busy machine may make its request late.
      const head = await stream.until((received) => /data: 1| 408 /.test(received));
      return head.includes("data: 1") ? stream : open();
    };
    const stream = await open();
    await stream.until((received) => received.split(": still here").length > 5);
    stream.socket.destroy();
  });
});

test("a reader of documents that takes nothing is cut off, a caller that waits for an answer is not", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const gone: string[] = [];
  const { port } = await start({
    times: { stall: 100 },
    mounts: [
      mountAt("/large", async (_, response) => {
        response.once("close", () => gone.push(response.writableFinished ? "read" : "cut off"));
        response.end("x".repeat(4 * 1_048_576));
      }),
      mountAt("/held", async (_, response) => {
        await held;
        response.end("answered");
      }),
    ],
  });
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  const waiting = raw(port, get("/held"));
  const stuck = raw(port, get("/large").repeat(8));
  stuck.socket.pause();
  await eventually(() => gone.includes("cut off"));
  release();
  expect(await waiting.until((text) => text.includes("answered"))).toMatch(/^HTTP\/1.1 200 /);
  stuck.socket.destroy();
  waiting.socket.destroy();
});

describe("bodies", () => {
  test("at the limit and one byte over, by length and by chunks", async () => {
    const { port } = await start();
    const exact = `{"text":["${"x".repeat(27)}"]}`;
    expect(exact.length).toBe(40);
    for (const headers of [{}, { "transfer-encoding": "chunked" }]) {
      expect((await post(port, "/api/wire/small", exact, headers)).text).toBe("1");
      const over = await post(port, "/api/wire/small", `${exact} `, headers);
      expect(over.status).toBe(413);
      expect(over.headers.connection).toBe("close");
      expect(over.json).toMatchObject({ code: "resource_exhausted", retryable: false, status: 413 });
    }
  });

  test("one mebibyte is the limit where nothing else is said", async () => {
    const { port } = await start();
    expect((await post(port, "/api/wire/list", '{"items":[1]}'.padEnd(1_048_576, " "))).status).toBe(200);
    expect((await post(port, "/api/wire/list", '{"items":[1]}'.padEnd(1_048_577, " "))).status).toBe(413);
    expect((await post(port, "/trpc/wire.list", '{"items":[1]}'.padEnd(1_048_576, " "))).status).toBe(200);
    expect((await post(port, "/trpc/wire.list", '{"items":[1]}'.padEnd(1_048_577, " "))).status).toBe(413);
  });

  test("what is too large is not read to its end", async () => {
    const { port } = await start();
    const head = `POST /api/wire/list HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
    const announced = raw(port, `${head}Content-Length: 99999999999\r\n\r\n`);
    expect(await announced.ended).toMatch(/^HTTP\/1.1 413 [\s\S]*\r\nconnection: close/i);
    const waiting = raw(port, `${head}Content-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n`);
    expect(await waiting.ended).toMatch(/^HTTP\/1.1 413 /);
    const chunk = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`;
    const chunked = raw(port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}`);
    expect(await chunked.ended).toMatch(/^HTTP\/1.1 413 /);
  });

  test("fetch sees the refusal of a body of 20 MB", async () => {
    const { url } = await start();
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${url}/api/wire/list`, { method: "POST", headers, body: " ".repeat(20_000_000) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "resource_exhausted" });
  });

  test("100 Continue comes when reading starts", async () => {
    const { port } = await start();
    const head = `POST /api/wire/list HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const connection = raw(port, `${head}Content-Length: 14\r\nExpect: 100-continue\r\n\r\n`);
    await connection.until((text) => text.startsWith("HTTP/1.1 100 Continue"));
    connection.socket.write('{"items":[1]} ');
    expect(await connection.ended).toMatch(/HTTP\/1.1 200 OK/);
  });

  test.each(["/api/wire/list", "/trpc/wire.list"])("%s: hostile JSON", async (path) => {
    const { port } = await start();
    const refusalOf = async (body: string | Uint8Array) => {
      const answer = await send(port, { method: "POST", path, body, headers: { "content-type": "application/json" } });
      expect(answer.text.length).toBeLessThan(65_536);
      expect([400, 413], answer.text).toContain(answer.status);
      return answer.text;
    };
    expect(await refusalOf("[".repeat(1_000_000))).toContain("nested too deeply");
    expect(await refusalOf('{"a":'.repeat(200_000))).toContain("nested too deeply");
    expect(await refusalOf("[".repeat(5_000_000))).toContain("larger than");
    expect(await refusalOf(Uint8Array.from([0x22, 0xff, 0xfe, 0x22]))).toContain("UTF-8");
    expect(await refusalOf('{"items":[],"items":[1]}')).toContain("twice");
    expect(await refusalOf("")).toMatch(/JSON|does not match/);
    expect(await refusalOf('{"items":[')).toContain("not valid JSON");
    expect(await refusalOf(JSON.stringify({ items: Array.from({ length: 80_000 }, () => "x") }))).toContain("a number");
    const wide = `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":1`).join(",")}}`;
    expect(await refusalOf(wide)).toContain("too many members");
    expect((await post(port, path, '{"items":[1,2]}')).status).toBe(200);
  });

  test("a client that hangs up in mid-body harms no other", async () => {
    const { port, seen } = await start();
    const head = `POST /api/wire/list HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
    const connection = raw(port, `${head}Content-Length: 20\r\n\r\n{"items"`);
    connection.socket.end();
    await connection.ended;
    const other = raw(port, `${head}Content-Length: 20\r\n\r\n{"items"`);
    other.socket.once("connect", () => other.socket.resetAndDestroy());
    await other.ended;
    expect((await post(port, "/api/wire/list", '{"items":[1]}')).status).toBe(200);
    expect(seen.logged).toEqual([]);
  });

  test("a refusal before the body leaves no room for a second request in it", async () => {
    const { port } = await start();
    const smuggled = `GET /version HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const text = `POST /no/such HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${smuggled.length + 100}\r\n\r\n${smuggled}`;
    const answer = await raw(port, text).ended;
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
  });
});

describe("defects", () => {
  test("what a mount throws becomes an id, and the log has the rest", async () => {
    const { port, seen } = await start({
      mounts: [
        mountAt("/throws", () => {
          throw new TypeError("secret detail");
        }),
        mountAt("/rejects", async () => Promise.reject(new TypeError("secret detail"))),
        mountAt("/late", async (_, response) => {
          response.write("begun");
          throw new TypeError("secret detail");
        }),
      ],
    });
    for (const path of ["/throws", "/rejects"]) {
      const answer = await send(port, { path });
      expect(answer.status).toBe(500);
      expect(answer.json).toMatchObject({ code: "internal", id: expect.any(String), retryable: false });
      expect(answer.text).not.toContain("secret");
    }
    await expect(send(port, { path: "/late" })).rejects.toThrow();
    expect(seen.logged).toHaveLength(3);
    expect((await send(port, { path: "/livez" })).status).toBe(200);
  });
});

test("a body that MCP refuses is not read", async () => {
  const { port } = await start();
  for (const path of ["/mcp", "/mcp/nowhere"]) {
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`;
    const announced = raw(port, `${head}Content-Length: 99999999999\r\n\r\n`);
    expect(await announced.ended).toMatch(/^HTTP\/1.1 4(13|04) [\s\S]*\r\nconnection: close/i);
  }
});

describe("listening and closing", () => {
  test("a taken port names its holder and the way out", async () => {
    const { port } = await start();
    const failure = await Effect.runPromise(Effect.flip(bare([]).listen({ port: port, host: "127.0.0.1" })));
    expect(failure).toBeInstanceOf(FairleadError);
    expect(failure).toMatchObject({
      code: "already_exists",
      message: `127.0.0.1:${port} is taken by a running fairlead 0.0.0-test`,
      hint: expect.stringContaining("--port"),
    });
  });

  test("a port taken by something else", async () => {
    const other = createServer((_, response) => void response.end("not json"));
    const port = await new Promise<number>((resolve) => {
      other.listen(0, "127.0.0.1", () => {
        const address = other.address();
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
    const failure = await Effect.runPromise(Effect.flip(bare([]).listen({ port: port, host: "127.0.0.1" })));
    expect(failure).toMatchObject({ message: `127.0.0.1:${port} is taken by another program` });
    other.close();
  });

  test("an address that is not ours", async () => {
    const failure = await Effect.runPromise(Effect.flip(bare([]).listen({ port: 0, host: "192.0.2.1" })));
    expect(failure).toMatchObject({ code: "failed_precondition" });
  });

  test("closing lets a running request finish and takes no new one", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const server = bare([
      mountAt("/hold", async (_, response) => {
        arrive();
        await held;
        response.end("done");
      }),
    ]);
    const { port } = await Effect.runPromise(server.listen({ port: 0, host: "127.0.0.1" }));
    const keepAlive = raw(port, `GET /hold HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await arrived;
    const closed = Effect.runPromise(server.close);
    const knock = () =>
      send(port, { path: "/none" }).then(
        () => "answered",
        ({ code }) => code,
      );
    await expect.poll(knock).toMatch(/ECONNREFUSED|ECONNRESET/);
    release();
    await closed;
    expect(await keepAlive.ended).toContain("done");
  });

  test("closing ends streams, and cuts off what takes too long", async () => {
    const running = await start({ times: { drain: 100 } });
    const stream = raw(running.port, `GET /api/wire/endless HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\n\r\n`);
    await stream.until((text) => text.includes("data: 1"));
    const stuck = raw(running.port, `GET /api/wire/slow HTTP/1.1\r\nHost: 127.0.0.1:${running.port}\r\n\r\n`);
    await eventually(() => stuck.socket.bytesWritten > 0);
    expect((await send(running.port, { path: "/livez" })).status).toBe(200);
    await running.close();
    const text = await stream.ended;
    expect(text).not.toContain("event: end");
    expect(await stuck.ended).toBe("");
    expect(running.seen.interruptions).toBe(2);
  });

  test("closing waits for no connection that has sent nothing", async () => {
    const running = await start({ times: { drain: 60_000 } });
    const unused = raw(running.port, "");
    expect((await send(running.port, { path: "/livez" })).status).toBe(200);
    await running.close();
    expect(await unused.ended).toBe("");
  });

  test("closing twice, and without having listened", async () => {
    const server = bare([mountAt("/")]);
    await Effect.runPromise(server.close);
    await Effect.runPromise(server.close);
  });
});
