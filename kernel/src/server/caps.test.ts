import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { initialize } from "../testing/mcp-fake-client.ts";
import { eventually, post, type Raw, raw, send } from "../testing/wire-fixture.ts";
import { fixturePerTest } from "../testing/wire-test.ts";
import { bearer } from "./bearer.ts";
import { createLagRule } from "./overload/delay.ts";

const start = fixturePerTest();

describe("streams", () => {
  test("only so many for one principal; closing one makes room", async () => {
    const { port, seen } = await start({ streams: 2 });
    const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const first = raw(port, head("/api/wire/endless"));
    const second = raw(port, head("/trpc/wire.endless?input=%7B%7D"));
    await first.until((text) => text.includes("data: 1"));
    await second.until((text) => text.includes("data: 1"));
    for (const path of ["/api/wire/endless", "/trpc/wire.endless?input=%7B%7D"]) {
      const third = await send(port, { path });
      expect(third.status).toBe(429);
      expect(third.headers["retry-after"]).toBe("1");
    }
    const eventSource = await send(port, { path: "/api/wire/endless", headers: { accept: "text/event-stream" } });
    expect(eventSource.status).toBe(429);
    first.socket.destroy();
    second.socket.destroy();
    await eventually(() => seen.interruptions === 2);
    const again = raw(port, head("/api/wire/endless"));
    await again.until((text) => text.includes("data: 1"));
    again.socket.destroy();
  });
});

test.each(["text/event-stream", "text/event-stream, application/json"])(
  "MCP streams count like all others, also for `%s`",
  async (accept) => {
    const { port, url } = await start({ streams: 2 });
    const opened: Raw[] = [];
    const openSession = async () => {
      const { session } = await initialize(url, "2025-11-25");
      const head = `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: ${accept}\r\nMcp-Session-Id: ${session}\r\n\r\n`;
      const stream = raw(port, head);
      opened.push(stream);
      return stream.until((text) => text.includes("\r\n\r\n"));
    };
    const heads = [await openSession(), await openSession(), await openSession()];
    expect(heads.map((head) => head.slice(9, 12))).toEqual(["200", "200", "429"]);
    expect(heads[2]).toContain("retry-after: 1");
    for (const { socket } of opened) socket.destroy();
  },
);

describe("a principal's rate", () => {
  const sha256 = createHash("sha256").update("slow").digest("hex");
  const tokens = [{ name: "slow", sha256, access: ["read" as const], perSecond: 0.01, concurrent: 1 }];
  const headers = { authorization: "Bearer slow" };

  test.each([
    ["GET", "/openapi.json"],
    ["GET", "/no/such"],
    ["GET", "/api/wire/summ"],
    ["GET", "/api/wire/sum?a=1&b=2"],
    ["POST", "/api/wire/list"],
    ["DELETE", "/api/wire/list"],
  ])("%s %s counts", async (method, path) => {
    const { port } = await start({ rules: { authenticate: bearer(() => tokens, Date.now) } });
    const knock = () => send(port, { method, path, headers });
    expect((await knock()).status).not.toBe(429);
    const second = await knock();
    expect(second.status).toBe(429);
    expect(Number(second.headers["retry-after"])).toBeGreaterThan(1);
    expect(second.json).toMatchObject({ code: "resource_exhausted", retryable: true });
  });

  test("tRPC and MCP refuse in their own words", async () => {
    const { port } = await start({ rules: { authenticate: bearer(() => tokens, Date.now) } });
    await send(port, { path: "/version", headers });
    const error = { code: "resource_exhausted", message: "slow exceeds its 0.01 calls a second" };
    const trpc = await send(port, { path: "/trpc/wire.sum", headers });
    expect(trpc).toMatchObject({ status: 429, json: { error: { data: { httpStatus: 429, error } } } });
    const mcp = await post(port, "/mcp", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers);
    expect(mcp).toMatchObject({ status: 429, json: { error: { data: { "fairlead/error": error } } } });
  });

  test("a call is counted once by itself", async () => {
    const two = tokens.map((token) => ({ ...token, perSecond: 2, concurrent: 2 }));
    const { port } = await start({ rules: { authenticate: bearer(() => two, Date.now) } });
    const inputs = encodeURIComponent('{"0":{"a":1,"b":1},"1":{"a":1,"b":2}}');
    const batch = await send(port, { path: `/trpc/wire.sum,wire.sum?batch=1&input=${inputs}`, headers });
    expect(batch.json).toEqual([{ result: { data: 2 } }, { result: { data: 3 } }]);
  });
});

describe("overload", () => {
  test("late twice in a row is overload, once is not", () => {
    const isLate = createLagRule(200);
    expect([500, 201, 200].map(isLate)).toEqual([false, true, false]);
  });

  test("calls are shed with 503, health is not", async () => {
    // Any lag is too much, so the second look finds overload.
    const { port, refusals } = await start({ times: { lag: Number.NEGATIVE_INFINITY } });
    let answer = await send(port, { path: "/api/wire/sum?a=1&b=2" });
    while (answer.status === 200) answer = await send(port, { path: "/api/wire/sum?a=1&b=2" });
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("1");
    expect(answer.json).toMatchObject({ code: "unavailable", retryable: true });
    const trpc = await send(port, { path: "/trpc/wire.sum" });
    expect(trpc).toMatchObject({ status: 503, json: { error: { data: { error: { code: "unavailable" } } } } });
    expect([...refusals]).toEqual([["overload", 2]]);
    for (const path of ["/livez", "/readyz", "/metrics"]) expect((await send(port, { path })).status).toBe(200);
  });
});
