import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually, type Fixture, post, raw, send, startFixture } from "../../testing/wire-fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await startFixture();
});
afterEach(() => fixture.close());

const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`;
const get = (path: string, headers: Record<string, string> = {}) =>
  send(fixture.port, { path: `/trpc/${path}`, headers });
const call = (path: string, body: string, headers: Record<string, string> = {}) =>
  post(fixture.port, `/trpc/${path}`, body, headers);
const open = (path: string) =>
  raw(fixture.port, `GET /trpc/${path} HTTP/1.1\r\nHost: 127.0.0.1:${fixture.port}\r\n\r\n`);

describe("calls", () => {
  test("a query by GET, and by POST where the input is long", async () => {
    const answer = await get(`wire.sum?${input({ a: 1, b: 41 })}`);
    expect(answer).toMatchObject({ status: 200, json: { result: { data: 42 } } });
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
    expect((await call("wire.list", '{"items":[1,2]}')).json).toEqual({ result: { data: 2 } });
  });

  test("a mutation is a POST", async () => {
    expect((await call("wire.pay", "{}", { "idempotency-key": "a" })).json).toEqual({ result: { data: 1 } });
    expect((await call("wire.pay", "{}", { "idempotency-key": "a" })).json).toEqual({ result: { data: 1 } });
    const answer = await get(`wire.pay?${input({})}`);
    expect(answer).toMatchObject({ status: 405, json: { error: { data: { error: { code: "unimplemented" } } } } });
    expect(fixture.seen.paid).toBe(1);
  });

  test("an error carries the envelope", async () => {
    const answer = await get(`wire.busy?${input({})}`);
    expect(answer.status).toBe(429);
    expect(answer.json).toMatchObject({
      error: {
        code: -32029,
        message: "no seat is free",
        data: {
          code: "TOO_MANY_REQUESTS",
          path: "wire.busy",
          error: { code: "resource_exhausted", reason: "full", data: { seats: 0 } },
        },
      },
    });
  });

  test("an unknown procedure, one that is switched off, none, prototype names", async () => {
    const errorOf = async (path: string) => (await get(`${path}?${input({})}`)).json;
    expect(await errorOf("wire.summ")).toMatchObject({
      error: {
        code: -32004,
        message: expect.stringContaining("wire.sum"),
        data: { httpStatus: 404, error: { code: "not_found" } },
      },
    });
    expect(await errorOf("wire.off")).toMatchObject({
      error: { data: { httpStatus: 501, error: { code: "unimplemented" } } },
    });
    for (const path of [
      "",
      "wire",
      "wire.",
      "__proto__",
      "wire.__proto__",
      "wire.sum.apply",
      "constructor.name",
      "wire/sum",
    ]) {
      expect((await get(`${path}?${input({})}`)).status, path).toBe(404);
    }
  });

  test("no input, and no body at all", async () => {
    expect((await get("wire.sum")).json).toMatchObject({ error: { data: { error: { code: "invalid_argument" } } } });
    expect((await call("wire.pay", "")).json).toMatchObject({
      error: { data: { error: { code: "invalid_argument" } } },
    });
    const form = await send(fixture.port, { method: "POST", path: "/trpc/wire.pay" });
    expect(form).toMatchObject({ status: 415, json: { error: { data: { error: { code: "invalid_argument" } } } } });
  });

  test("the caller's deadline", async () => {
    const answer = await get(`wire.slow?${input({})}`, { "fairlead-timeout-ms": "20" });
    expect(answer).toMatchObject({ status: 504, json: { error: { data: { error: { code: "deadline_exceeded" } } } } });
  });

  test("a client that hangs up interrupts the handler", async () => {
    const slow = open(`wire.slow?${input({})}`);
    await eventually(() => slow.socket.bytesWritten > 0);
    expect((await get(`wire.sum?${input({ a: 1, b: 2 })}`)).status).toBe(200);
    slow.socket.destroy();
    await eventually(() => fixture.seen.interruptions === 1);
  });
});

describe("limits", () => {
  test("the procedure's own, at the limit and one byte over", async () => {
    const exact = `{"text":["${"x".repeat(27)}"]}`;
    expect((await call("wire.small", exact)).json).toEqual({ result: { data: 1 } });
    expect(await call("wire.small", `${exact} `)).toMatchObject({
      status: 413,
      json: { error: { data: { httpStatus: 413, error: { code: "resource_exhausted", retryable: false } } } },
    });
    expect((await get(`wire.small?input=${encodeURIComponent(exact)}`)).status).toBe(200);
    expect((await get(`wire.small?input=${encodeURIComponent(`${exact} `)}`)).json).toMatchObject({
      error: { data: { error: { code: "resource_exhausted" } } },
    });
  });

  test("hostile JSON in the URL", async () => {
    const errorOf = async (text: string) => (await get(`wire.list?input=${encodeURIComponent(text)}`)).json;
    const refused = { error: { data: { httpStatus: 400, path: "wire.list", error: { code: "invalid_argument" } } } };
    for (const text of ["[".repeat(2_000), '{"items":[],"items":[1]}', '{"items":', "nonsense"]) {
      expect(await errorOf(text)).toMatchObject(refused);
    }
    expect((await get(`wire.list?input=[`)).json).toMatchObject(refused);
  });

  test("forms and bytes are no JSON", async () => {
    for (const type of ["multipart/form-data; boundary=x", "application/octet-stream", "text/plain"]) {
      const answer = await call("wire.list", "--x--", { "content-type": type });
      expect(answer).toMatchObject({ status: 415, json: { error: { data: { error: { code: "invalid_argument" } } } } });
      const query = await get(`wire.sum?${input({ a: 1, b: 2 })}`, { "content-type": type });
      expect(query.json).toEqual({ result: { data: 3 } });
    }
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("%s is not a method of tRPC", async (method) => {
    const answer = await send(fixture.port, { method, path: `/trpc/wire.sum?${input({ a: 1, b: 2 })}` });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("GET, POST");
  });
});

describe("batches", () => {
  const names = (count: number) => Array.from({ length: count }, () => "wire.sum").join(",");
  const inputs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, { a: at, b: 1 }]));

  test("a hundred calls, and not one more", async () => {
    const hundred = await get(`${names(100)}?batch=1&${input(inputs(100))}`);
    expect(hundred.json).toEqual(Array.from({ length: 100 }, (_, at) => ({ result: { data: at + 1 } })));
    for (const count of [101, 800]) {
      const more = await get(`${names(count)}?batch=1`);
      expect(more).toMatchObject({ status: 400, json: { error: { data: { error: { code: "invalid_argument" } } } } });
      expect(more.text.length).toBeLessThan(1_000);
    }
  });

  test("each member is held to its own limits", async () => {
    const small = { text: ["x".repeat(28)] };
    const answer = await call(
      "wire.list,wire.small,wire.small",
      JSON.stringify({ 0: { items: [1] }, 1: small, 2: { text: [] } }).concat(),
      {},
    );
    expect(answer.status).toBe(404);
    const batch = await call(
      "wire.list,wire.small,wire.small?batch=1",
      JSON.stringify({ 0: { items: [1] }, 1: small, 2: { text: [] } }),
    );
    expect(batch.status).toBe(207);
    expect(batch.json).toMatchObject([
      { result: { data: 1 } },
      { error: { data: { error: { code: "resource_exhausted" } } } },
      { result: { data: 0 } },
    ]);
  });

  test("members that fail, are unknown or switched off fail alone", async () => {
    const answer = await get(
      `wire.sum,wire.off,wire.crash,no.such?batch=1&${input({ 0: { a: 1, b: 1 }, 1: {}, 2: {}, 3: {} })}`,
    );
    expect(answer.json).toMatchObject([
      { result: { data: 2 } },
      { error: { data: { error: { code: "unimplemented" } } } },
      { error: { data: { error: { code: "internal", id: expect.any(String) } } } },
      { error: { data: { error: { code: "not_found" } } } },
    ]);
    expect(answer.text).not.toContain("secret");
  });

  test("a batch whose text is refused is refused as a whole, once", async () => {
    const answer = await call(`${names(20)}?batch=1`, '{"0":{"a":1,"a":2,"b":1}}');
    expect(answer).toMatchObject({ status: 400, json: { error: { data: { error: { code: "invalid_argument" } } } } });
  });

  test("bad arrays in every member still give a short reply", async () => {
    const items = Array.from({ length: 20_000 }, () => "x");
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, { items }])));
    const answer = await call(`${Array.from({ length: 10 }, () => "wire.list").join(",")}?batch=1`, body);
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(65_536);
  });

  test("streamed as JSON lines, where the client asks for it", async () => {
    const answer = await get(`${names(2)}?batch=1&${input(inputs(2))}`, { "trpc-accept": "application/jsonl" });
    expect(answer.status).toBe(200);
    expect(answer.headers.vary).toContain("trpc-accept");
    expect(answer.text.split("\n").length).toBeGreaterThan(2);
  });
});

describe("subscriptions", () => {
  const events = (text: string) => [...text.matchAll(/^data: (.+)\nid: (.+)$/gm)].map(([, data, id]) => [id, data]);

  test("tracked events, then the return", async () => {
    const answer = await get(`wire.count?${input({ to: 3 })}`);
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.text).toMatch(/^event: connected\n/);
    expect(answer.text).toContain("event: return\n");
    expect(events(answer.text)).toEqual([
      ["1", "1"],
      ["2", "2"],
      ["3", "3"],
    ]);
  });

  test("resumes after the last event, by header, URL or input", async () => {
    const rest = [
      ["4", "4"],
      ["5", "5"],
    ];
    expect(events((await get(`wire.count?${input({ to: 5 })}`, { "last-event-id": "3" })).text)).toEqual(rest);
    expect(events((await get(`wire.count?lastEventId=3&${input({ to: 5 })}`)).text)).toEqual(rest);
    expect(events((await get(`wire.count?${input({ to: 5, lastEventId: "3" })}`)).text)).toEqual(rest);
  });

  test("a refusal and a failure are events with the envelope", async () => {
    const refused = await get(`wire.count?${input({ to: "x" })}`);
    expect(refused.text).toMatch(/event: serialized-error\ndata: .*"code":"invalid_argument"/);
    const failed = await get(`wire.breaks?${input({})}`);
    expect(failed.text).toMatch(/event: serialized-error\ndata: .*"code":"internal"/);
    expect(failed.text).not.toContain("secret");
  });

  test("a client that hangs up interrupts the handler", async () => {
    const subscription = open(`wire.endless?${input({})}`);
    await subscription.until((text) => text.includes("data: 1"));
    subscription.socket.destroy();
    await eventually(() => fixture.seen.interruptions === 1);
  });

  test("closing the server ends the stream", async () => {
    const subscription = open(`wire.endless?${input({})}`);
    await subscription.until((text) => text.includes("data: 1"));
    await fixture.close();
    expect(await subscription.ended).not.toContain("event: return");
    expect(fixture.seen.interruptions).toBe(1);
    fixture = await startFixture();
  });

  test("a reader that reads nothing stops the pulling", async () => {
    const subscription = open(`wire.flood?${input({})}`);
    subscription.socket.pause();
    let before = -1;
    while (before !== fixture.seen.flooded || before === 0) {
      before = fixture.seen.flooded;
      for (let trip = 0; trip < 20; trip += 1) await send(fixture.port, { path: "/livez" });
    }
    expect(fixture.seen.flooded).toBeLessThan(1_000);
    subscription.socket.destroy();
  });

  test("a reader that stays stuck is cut off", async () => {
    await fixture.close();
    fixture = await startFixture({ times: { stall: 50 } });
    const stuck = open(`wire.flood?${input({})}`);
    stuck.socket.pause();
    await eventually(() => fixture.seen.interruptions === 1);
    stuck.socket.destroy();
  });
});
