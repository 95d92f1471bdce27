import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Token } from "../config/tokens/token.ts";
import { type Fixture, post, raw, send, startFixture, type WireAnswer } from "../testing/wire-fixture.ts";
import { bearer } from "./bearer.ts";
import { parseIdempotencyKey, parseTimeout, parseTrace } from "./request-headers.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const friend = "https://app.example.com";
const token = (text: string, more: Partial<Token> = {}): Token => ({
  name: text,
  sha256: createHash("sha256").update(text).digest("hex"),
  access: ["read"],
  perSecond: 1_000,
  concurrent: 100,
  ...more,
});

/** The error of a refusal: problem details, and in tRPC's own shape below its prefix. */
const envelope = (path: string, { headers, json }: WireAnswer): unknown => {
  const isTrpc = path.startsWith("/trpc/");
  expect(headers["content-type"]).toBe(isTrpc ? "application/json" : "application/problem+json");
  return isTrpc ? (json as { error?: { data?: { error?: unknown } } }).error?.data?.error : json;
};

describe("call headers", () => {
  const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  test("trace context is taken as it stands or left out", () => {
    expect(parseTrace(trace, "a=1,b@c=2")).toEqual({ traceparent: trace, tracestate: "a=1,b@c=2" });
    expect(parseTrace(trace, "A=1")).toEqual({ traceparent: trace });
    expect(parseTrace(trace, "a=1,a=2")).toEqual({ traceparent: trace });
    expect(parseTrace(trace.replace("00-", "01-").concat("-more"), undefined)).toBeDefined();
    for (const wrong of [
      trace.toUpperCase(),
      trace.replace("00-", "ff-"),
      `${trace}-more`,
      trace.slice(1),
      "00-00000000000000000000000000000000-b7ad6b7169203331-01",
      "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
    ])
      expect(parseTrace(wrong, undefined)).toBeUndefined();
  });

  test("a timeout is a whole number of milliseconds", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 2_147_483_647 }), (ms) => parseTimeout(String(ms)) === ms));
    for (const wrong of ["0", "-1", "1.5", "1e3", " 1", "01", "2147483648", "99999999999", "", "Infinity"]) {
      expect(parseTimeout(wrong)).toBeUndefined();
    }
  });

  test("a key is visible ASCII", () => {
    expect(parseIdempotencyKey("8e03978e-40d5-43dd-bc93-6894a57f9324")).toBeDefined();
    expect(parseIdempotencyKey("k".repeat(255))).toBeDefined();
    for (const wrong of ["", "k".repeat(256), "two words", "é"]) expect(parseIdempotencyKey(wrong)).toBeUndefined();
  });
});

const initialization = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

const routes = [
  ["GET", "/"],
  ["GET", "/openapi.json"],
  ["GET", "/schema/wire.json"],
  ["GET", "/version"],
  ["GET", "/livez"],
  ["GET", "/readyz"],
  ["GET", "/metrics"],
  ["GET", "/api/wire/sum?a=1&b=2"],
  ["POST", "/api/wire/list"],
  ["GET", "/api/wire/count?to=1"],
  ["GET", "/api/no/such"],
  ["GET", "/trpc/wire.sum?input=%7B%22a%22%3A1%2C%22b%22%3A2%7D"],
  ["POST", "/trpc/wire.list"],
  ["GET", "/trpc/wire.count?input=%7B%22to%22%3A1%7D"],
  ["POST", "/mcp"],
  ["GET", "/mcp"],
  ["POST", "/mcp/wire"],
  ["DELETE", "/mcp"],
  ["GET", "/no/such"],
  ["DELETE", "/api/wire/sum"],
] as const;

describe("the same guard before every route", () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture({ rules: { origins: [friend], hosts: ["kernel.example.com"] } });
  });
  afterEach(() => fixture.close());

  const knock = (method: string, path: string, headers: Record<string, string>) =>
    send(fixture.port, {
      method,
      path,
      headers: { ...(method === "POST" && { "content-type": "application/json" }), ...headers },
      ...(method === "POST" && { body: '{"items":[1]}' }),
    });

  test("Host x Origin x Sec-Fetch-Site", async () => {
    const { port } = fixture;
    const hosts: readonly (readonly [string, boolean])[] = [
      [`127.0.0.1:${port}`, true],
      [`LocalHost:${port}`, true],
      [`[::1]:${port}`, true],
      ["kernel.example.com", true],
      [`kernel.example.com:${port}`, true],
      ["evil.example.com", false],
      [`127.0.0.1:${port + 1}`, false],
      ["127.0.0.1", false],
      [`localhost.:${port}`, false],
      [`127.0.0.1:${port}@evil.example.com`, false],
    ];
    const origins = (host: string): readonly (readonly [string | undefined, boolean])[] => [
      [undefined, true],
      [friend, true],
      [`http://${host}`, true],
      ["null", false],
      ["https://evil.example.com", false],
      ["http://localhost:1", false],
      [`${friend}.evil.example.com`, false],
    ];
    const sites: readonly (readonly [string | undefined, boolean])[] = [
      [undefined, true],
      ["none", true],
      ["same-origin", true],
      ["same-site", false],
      ["cross-site", false],
      ["odd", false],
    ];
    let combinations = 0;
    for (const [index, [method, path]] of routes.entries()) {
      for (const [host, hostOk] of hosts) {
        for (const [origin, originOk] of origins(host)) {
          // Every second site on every second route keeps this at a few thousand requests less.
          for (const [site, siteOk] of sites.filter((_, at) => (at + index) % 2 === 0)) {
            combinations += 1;
            if (!inLongTier && combinations % 23 !== 0) continue;
            const answer = await knock(method, path, {
              host,
              ...(origin !== undefined && { origin }),
              ...(site !== undefined && { "sec-fetch-site": site }),
            });
            const isLetIn = hostOk && (origin === friend || (originOk && siteOk));
            const what = `${method} ${path} host=${host} origin=${origin} site=${site}`;
            if (isLetIn) expect(answer.status, what).not.toBe(403);
            else {
              expect(answer.status, what).toBe(403);
              expect(envelope(path, answer)).toMatchObject({ code: "permission_denied", retryable: false });
            }
            const isReadable = hostOk && origin === friend;
            expect(answer.headers["access-control-allow-origin"], what).toBe(isReadable ? friend : undefined);
            expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
            expect(answer.headers["x-content-type-options"], what).toBe("nosniff");
            expect(answer.headers.vary, what).toMatch(/origin/);
          }
        }
      }
    }
    expect(combinations).toBeGreaterThan(3_000);
  });

  test("only a configured origin gets an answer to its preflight", async () => {
    const preflight = (origin: string) =>
      send(fixture.port, {
        method: "OPTIONS",
        path: "/api/wire/list",
        headers: { host: `127.0.0.1:${fixture.port}`, origin, "access-control-request-method": "POST" },
      });
    const allowed = await preflight(friend);
    expect(allowed.status).toBe(204);
    expect(allowed.headers["access-control-allow-origin"]).toBe(friend);
    expect(allowed.headers["access-control-allow-headers"]).toContain("authorization");
    // A page goes on with a file where it stopped: only if it is the same file, and it has to see which part came.
    expect(allowed.headers["access-control-allow-headers"]).toMatch(/if-none-match, if-range,.* range,/);
    expect(allowed.headers["access-control-expose-headers"]).toMatch(/content-disposition, content-range, etag/);
    const foreign = await preflight("https://evil.example.com");
    expect(foreign.status).toBe(403);
    expect(foreign.headers["access-control-allow-methods"]).toBeUndefined();
  });

  test("content types: JSON and nothing else", async () => {
    const types: readonly (readonly [string | undefined, boolean])[] = [
      ["application/json", true],
      ["application/json; charset=utf-8", true],
      ['Application/JSON;charset="UTF-8"', true],
      [undefined, false],
      ["text/plain", false],
      ["application/x-www-form-urlencoded", false],
      ["multipart/form-data; boundary=x", false],
      ["application/octet-stream", false],
      ["application/json; charset=utf-16", false],
      ["application/json, text/plain", false],
      ["application/jsonp", false],
      ["application/json; charset=utf-8; a=b", false],
      ["application/problem+json", false],
    ];
    const takers: Readonly<Record<string, string>> = {
      "/api/wire/list": '{"items":[]}',
      "/api/wire/sum?a=1&b=2": '{"a":1,"b":2}',
      "/api/wire/sum": '{"a":1,"b":2}',
      "/api/wire/count?to=1": '{"to":1}',
      "/api/wire/count": '{"to":1}',
      "/trpc/wire.list": '{"items":[]}',
      "/trpc/wire.list,wire.list?batch=1": '{"0":{"items":[]},"1":{"items":[]}}',
      "/mcp": initialization,
      "/mcp/wire": initialization,
    };
    const others = routes.map(([, path]) => path).filter((path) => takers[path] === undefined);
    for (const path of [...Object.keys(takers), ...others]) {
      const body = takers[path] ?? "{}";
      for (const [type, fine] of types) {
        const headers = type === undefined ? {} : { "content-type": type };
        const answer = await send(fixture.port, { method: "POST", path, body, headers });
        const what = `${path} ${type}: ${answer.text}`;
        if (takers[path] !== undefined) expect(answer.status, what).toBe(fine ? 200 : 415);
        // tRPC takes a POST for every query and subscription.
        else if (path.startsWith("/trpc") && fine) expect(answer.status, what).toBeLessThan(500);
        else expect([404, 405, 415], what).toContain(answer.status);
      }
      const packed = await post(fixture.port, path, body, { "content-encoding": "gzip" });
      expect([404, 405, 415], path).toContain(packed.status);
    }
  });

  test.each(routes.filter((_, at) => inLongTier || at % 4 === 0))(
    "%s %s: odd requests are refused alike",
    async (method, path) => {
      const odd = async (headers: Record<string, string>) => (await knock(method, path, headers)).status;
      expect(await odd({ "x-http-method-override": "DELETE" })).toBe(400);
      expect(await odd({ "x-method-override": "DELETE" })).toBe(400);
      expect(await odd({ "fairlead-timeout-ms": "soon" })).toBe(400);
      expect(await odd({ "fairlead-attempts": "0" })).toBe(400);
      expect(await odd({ expect: "miracles" })).toBe(417);
      expect(await odd({ expect: "miracles", host: "evil.example.com" })).toBe(403);
      expect(await odd({ "idempotency-key": "a b" })).toBe(400);
      const long = `${path}${path.includes("?") ? "&" : "?"}x=${"y".repeat(path.startsWith("/trpc/") ? 49_200 : 8_200)}`;
      expect((await knock(method, long, {})).status).toBe(414);
    },
  );

  test("a URL may have 8,192 bytes", async () => {
    const path = (length: number) => `/version?${"x".repeat(length - "/version?".length)}`;
    expect((await send(fixture.port, { path: path(8_192) })).status).toBe(200);
    expect((await send(fixture.port, { path: path(8_193) })).status).toBe(414);
    expect((await send(fixture.port, { path: path(20_000) })).status).toBe(414);
  });

  test("a URL of tRPC's may have 49,152, and headers 16,384 wherever they go", async () => {
    const path = (length: number) => `/trpc/wire.sum?input=${"x".repeat(length - "/trpc/wire.sum?input=".length)}`;
    expect((await send(fixture.port, { path: path(49_152) })).status).toBe(400);
    expect((await send(fixture.port, { path: path(49_153) })).status).toBe(414);
    const headers = { "x-long": "x".repeat(16_400) };
    for (const path of ["/version", "/trpc/wire.sum"]) {
      expect((await send(fixture.port, { path, headers })).status).toBe(431);
    }
  });

  test("a GET with a body, a target that is not a path, two Hosts or none", async () => {
    const { port } = fixture;
    const host = `Host: 127.0.0.1:${port}\r\n`;
    const close = "Connection: close\r\n\r\n";
    const status = async (text: string) => (await raw(port, text).ended).slice(0, 12);
    expect(await status(`GET /version HTTP/1.1\r\n${host}Content-Length: 2\r\n${close}{}`)).toBe("HTTP/1.1 400");
    expect(await status(`GET http://127.0.0.1:${port}/version HTTP/1.1\r\n${host}${close}`)).toBe("HTTP/1.1 400");
    expect(await status(`OPTIONS * HTTP/1.1\r\n${host}${close}`)).toBe("HTTP/1.1 400");
    expect(await status(`GET /version HTTP/1.1\r\n${host}Host: evil.example.com\r\n${close}`)).toBe("HTTP/1.1 400");
    expect(await status(`GET /version HTTP/1.1\r\n${close}`)).toBe("HTTP/1.1 400");
    expect(await status("GET /version HTTP/1.0\r\n\r\n")).toBe("HTTP/1.1 400");
    expect(await status(`GET /version HTTP/1.1\r\n${host}${close}`)).toBe("HTTP/1.1 200");
  });

  test("paths are decoded once, and must be text", async () => {
    const status = async (path: string) => (await send(fixture.port, { path })).status;
    expect(await status("/%76ersion")).toBe(200);
    expect(await status("/%2576ersion")).toBe(404);
    expect(await status("/version%00")).toBe(400);
    expect(await status("/%ff")).toBe(400);
    expect(await status("/%zz")).toBe(400);
    for (const path of [
      "/api/../version",
      "//version",
      "/version/",
      "/versions",
      "/VERSION",
      "/api",
      "/schema/../openapi.json",
    ]) {
      expect(await status(path), path).toBe(404);
    }
  });
});

describe("with tokens", () => {
  const known = [token("reader"), token("elsewhere", { services: ["rules"] })];
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture({
      rules: { authenticate: bearer(() => known, Date.now), origins: [friend] },
    });
  });
  afterEach(() => fixture.close());

  test.each(routes)("%s %s wants one", async (method, path) => {
    const knock = (headers: Record<string, string>) => send(fixture.port, { method, path, headers });
    const without = await knock({});
    expect(without.status).toBe(401);
    expect(without.headers["www-authenticate"]).toBe("Bearer");
    expect(envelope(path, without)).toMatchObject({ code: "unauthenticated" });
    const wrong = await knock({ authorization: "Bearer nobody" });
    expect(wrong.text).toBe(without.text);
    expect((await knock({ authorization: "Bearer reader" })).status).not.toBe(401);
  });

  test("what a token may do is for dispatch to say", async () => {
    const as = (name: string) => ({ authorization: `Bearer ${name}` });
    expect((await send(fixture.port, { path: "/api/wire/sum?a=1&b=2", headers: as("reader") })).text).toBe("3");
    expect((await send(fixture.port, { path: "/api/wire/sum?a=1&b=2", headers: as("elsewhere") })).status).toBe(403);
    expect((await post(fixture.port, "/api/wire/work", '{"fail":false}', as("reader"))).status).toBe(403);
  });

  test("a page of a configured origin can read the refusal", async () => {
    const answer = await send(fixture.port, {
      path: "/version",
      headers: { origin: friend, "sec-fetch-site": "cross-site" },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers["access-control-allow-origin"]).toBe(friend);
  });
});
