import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually, type Fixture, fixtureOpenApi, post, raw, send, startFixture } from "../../testing/wire-fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture({ keepAlive: 60_000 });
});
afterEach(() => fixture.close());

const get = (path: string, headers: Record<string, string> = {}) => send(fixture.port, { path, headers });
const open = (path: string, headers: readonly string[] = []) =>
  raw(fixture.port, [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${fixture.port}`, ...headers, "", ""].join("\r\n"));

describe("calls", () => {
  test("a short flat query is a GET", async () => {
    const answer = await get("/api/wire/sum?a=1&b=41");
    expect(answer.status).toBe(200);
    expect(answer.text).toBe("42");
    expect(answer.headers).toMatchObject({
      "content-type": "application/json",
      "content-length": "2",
      "cache-control": "no-store",
    });
  });

  test("everything else is a POST of JSON", async () => {
    expect((await post(fixture.port, "/api/wire/list", '{"items":[1,2,3]}')).text).toBe("3");
  });

  test("a path of the contract's own choice", async () => {
    expect((await get("/api/else/where")).text).toBe("1");
    expect((await get("/api/wire/renamed")).json).toMatchObject({
      status: 404,
      detail: expect.stringContaining("/api/else/where"),
    });
  });

  test("the wrong method names the right one", async () => {
    for (const method of ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]) {
      const answer = await send(fixture.port, { method, path: "/api/wire/sum?a=1&b=2" });
      expect(answer.status, method).toBe(405);
      expect(answer.headers).toMatchObject({ allow: "GET, POST, QUERY", "accept-query": "application/json" });
    }
    for (const method of ["GET", "QUERY"]) {
      const answer = await send(fixture.port, { method, path: "/api/wire/pay" });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.allow).toBe("POST");
      expect(answer.headers).not.toHaveProperty("accept-query");
    }
  });

  test("a query is served as GET, POST and QUERY, whatever its input is", async () => {
    const headers = { "content-type": "application/json" };
    for (const method of ["POST", "QUERY"]) {
      const sum = await send(fixture.port, { method, path: "/api/wire/sum", headers, body: '{"a":1,"b":2}' });
      expect(sum, method).toMatchObject({ status: 200, text: "3" });
      const list = await send(fixture.port, { method, path: "/api/wire/list", headers, body: '{"items":[1,2,3]}' });
      expect(list, method).toMatchObject({ status: 200, text: "3" });
    }
    expect(await get("/api/wire/list?items=1&items=2&items=3")).toMatchObject({ status: 200, text: "3" });
    expect(await get("/api/wire/list?items=7")).toMatchObject({ status: 200, text: "1" });
  });

  test("an unknown procedure, an unknown path, one that is switched off", async () => {
    expect((await get("/api/wire/summ")).json).toMatchObject({
      status: 404,
      code: "not_found",
      detail: expect.stringContaining("wire.sum"),
    });
    expect((await get("/api/else/wher/e")).json).toMatchObject({
      status: 404,
      detail: expect.stringContaining("/api/else/where"),
    });
    expect((await get("/api/__proto__/constructor")).status).toBe(404);
    expect((await get("/api/wire/toString")).status).toBe(404);
    expect((await get("/api/wire/off")).json).toMatchObject({ status: 501, code: "unimplemented" });
  });

  test("repeated and unknown parameters are the schema's to refuse", async () => {
    for (const query of ["a=1&a=2&b=3", "a=1&b=2&c=3", "a=1", "a=one&b=2", "a=1.5&b=2", "__proto__=1&a=1&b=2"]) {
      const answer = await get(`/api/wire/sum?${query}`);
      expect(answer.status, query).toBe(400);
      expect(answer.json).toMatchObject({ code: "invalid_argument", issues: [{ path: expect.any(String) }] });
    }
  });
});

describe("errors", () => {
  test("a declared error is a problem with its data, and says when to come back", async () => {
    const answer = await get("/api/wire/busy");
    expect(answer.status).toBe(429);
    expect(answer.headers).toMatchObject({ "content-type": "application/problem+json", "retry-after": "2" });
    expect(answer.json).toMatchObject({
      type: "urn:fairlead:error:full",
      title: "Resource exhausted",
      status: 429,
      detail: "no seat is free",
      code: "resource_exhausted",
      reason: "full",
      message: "no seat is free",
      data: { seats: 0 },
      retryAfterMs: 1_500,
    });
  });

  test("a defect is an id", async () => {
    const answer = await get("/api/wire/crash");
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({
      type: "urn:fairlead:error:internal",
      code: "internal",
      id: expect.any(String),
    });
    expect(answer.text).not.toContain("secret");
  });

  test("400 KB of wrong items get a short reply", async () => {
    const answer = await post(
      fixture.port,
      "/api/wire/list",
      JSON.stringify({ items: Array.from({ length: 100_000 }, () => "x") }),
    );
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(8_192);
  });
});

describe("call headers reach dispatch", () => {
  test("the caller's deadline", async () => {
    const answer = await get("/api/wire/slow", { "fairlead-timeout-ms": "20" });
    expect(answer.status).toBe(504);
    expect(answer.json).toMatchObject({ code: "deadline_exceeded" });
    expect(fixture.seen.interruptions).toBe(1);
  });

  test("the idempotency key", async () => {
    const pay = (key: string) => post(fixture.port, "/api/wire/pay", "{}", { "idempotency-key": key });
    expect((await pay("a")).text).toBe("1");
    expect((await pay("a")).text).toBe("1");
    expect((await pay("b")).text).toBe("2");
  });
});

test("a client that hangs up interrupts the handler", async () => {
  const call = open("/api/wire/slow");
  await eventually(() => call.socket.bytesWritten > 0);
  expect((await get("/api/wire/sum?a=1&b=2")).text).toBe("3");
  call.socket.destroy();
  await eventually(() => fixture.seen.interruptions === 1);
});

describe("progress", () => {
  const work = (fail: boolean) =>
    post(fixture.port, "/api/wire/work", JSON.stringify({ fail }), { accept: "text/event-stream" });

  test("events, then the result", async () => {
    const answer = await work(false);
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.text).toBe(
      'event: progress\ndata: {"progress":1,"total":2}\n\nevent: progress\ndata: {"progress":2,"total":2}\n\nevent: result\ndata: 42\n\n',
    );
  });

  test("events, then the error", async () => {
    const answer = await work(true);
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(/event: error\ndata: \{"code":"internal"/);
    expect(answer.text).not.toContain("secret");
  });

  test("an error before any event is a problem", async () => {
    const answer = await get("/api/wire/busy", { accept: "text/event-stream" });
    expect(answer.status).toBe(429);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  });

  test("who takes JSON, too, gets JSON", async () => {
    const answer = await get("/api/wire/sum?a=1&b=2", { accept: "application/json, text/event-stream" });
    expect(answer.headers["content-type"]).toBe("application/json");
  });
});

describe("subscriptions", () => {
  const stream = (from: number, to: number) => {
    let text = "";
    for (let value = from; value <= to; value += 1) text += `id: ${value}\ndata: ${value}\n\n`;
    return `${text}event: end\ndata: {}\n\n`;
  };

  test("events with their ids, then the end", async () => {
    const answer = await get("/api/wire/count?to=3");
    expect(answer.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
    });
    expect(answer.text).toBe(stream(1, 3));
  });

  test("resumes after the last event, named in a header or in the URL", async () => {
    expect((await get("/api/wire/count?to=5", { "last-event-id": "3" })).text).toBe(stream(4, 5));
    expect((await get("/api/wire/count?to=5&lastEventId=4")).text).toBe(stream(5, 5));
    expect((await get("/api/wire/count?to=2&lastEventId=")).text).toBe(stream(1, 2));
  });

  test("a refusal is a problem, not a stream", async () => {
    const answer = await get("/api/wire/count?to=x");
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ code: "invalid_argument" });
  });

  test("a failure in mid-stream is an event", async () => {
    const { text } = await get("/api/wire/breaks");
    expect(text).toMatch(/^data: 1\n\nevent: error\ndata: \{"code":"internal"[^\n]*\}\n\n$/);
    expect(text).not.toContain("secret");
  });

  test("a client that hangs up interrupts the handler", async () => {
    const subscription = open("/api/wire/endless");
    await subscription.until((text) => text.includes("data: 1"));
    subscription.socket.destroy();
    await eventually(() => fixture.seen.interruptions === 1);
  });

  test("a reader that reads nothing stops the pulling", async () => {
    const subscription = open("/api/wire/flood");
    subscription.socket.pause();
    // Quiet once the same count is seen over many turns of the loop, each with a round trip.
    let before = -1;
    while (before !== fixture.seen.flooded || before === 0) {
      before = fixture.seen.flooded;
      for (let trip = 0; trip < 20; trip += 1) await get("/livez");
    }
    expect(fixture.seen.flooded).toBeLessThan(1_000);
    subscription.socket.resume();
    await eventually(() => fixture.seen.flooded > before);
    subscription.socket.destroy();
  });
});

test("a reader that stays stuck is cut off, a quiet stream is kept open", async () => {
  await fixture.close();
  fixture = await startFixture({ keepAlive: 20, times: { stall: 200 } });
  const stuck = open("/api/wire/flood");
  stuck.socket.pause();
  const quiet = open("/api/wire/endless");
  await quiet.until((text) => text.split(": still here\n\n").length > 3);
  const waiting = open("/api/wire/slow", ["Accept: text/event-stream"]);
  await waiting.until((text) => text.includes("text/event-stream"));
  await eventually(() => fixture.seen.interruptions === 1);
  stuck.socket.resume();
  await stuck.ended;
  quiet.socket.destroy();
  waiting.socket.destroy();
});

describe("documents", () => {
  test("the index is static and names the addresses", async () => {
    const answer = await get("/");
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    for (const path of ["/api", "/trpc", "/mcp", "/openapi.json", "/metrics", "/livez", "/readyz", "/version"]) {
      expect(answer.text).toContain(path);
    }
    expect(answer.text).not.toMatch(/<script|<style|https?:/);
  });

  test.each([
    ["/openapi.json", fixtureOpenApi, "application/json"],
    ["/schema/wire.json", '{"$id":"wire"}', "application/json"],
    ["/version", '{"name":"fairlead","version":"0.0.0-test"}', "application/json"],
    ["/livez", '{"live":true}', "application/json"],
    ["/readyz", '{"ready":true,"services":[{"id":"wire"}]}', "application/json"],
    ["/metrics", "up 1\n", "text/plain; version=0.0.4; charset=utf-8"],
  ])("%s", async (path, text, type) => {
    const answer = await get(path);
    expect(answer).toMatchObject({ status: 200, text });
    expect(answer.headers["content-type"]).toBe(type);
    const head = await send(fixture.port, { method: "HEAD", path });
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    const deletion = await send(fixture.port, { method: "DELETE", path });
    expect(deletion.status).toBe(405);
    expect(deletion.headers.allow).toBe("GET, HEAD");
  });

  test.each(["/openapi.json", "/schema/wire.json"])("%s is sent once to whoever keeps its tag", async (path) => {
    const { headers } = await get(path);
    expect(headers["cache-control"]).toBe("private, no-cache");
    for (const known of [`${headers.etag}`, `"other", W/${headers.etag}`, "*"]) {
      const again = await send(fixture.port, { path, headers: { "if-none-match": known } });
      expect(again).toMatchObject({ status: 304, text: "", headers: { etag: headers.etag } });
    }
    expect((await send(fixture.port, { path, headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  test.each([
    "/schema",
    "/schema/",
    "/schema/none.json",
    "/schema/wire",
    "/schema/../wire.json",
    "/schema/%2e%2e%2fx.json",
    "/schema/wire/nothing.json",
    "/schema/wire/toString.json",
    "/schema/none/add.json",
    "/schema/wire/add.input.json",
    "/schema/wire/add/more.json",
  ])("%s is nothing", async (path) => {
    expect((await get(path)).status).toBe(404);
  });
});
