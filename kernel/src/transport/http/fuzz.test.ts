import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fixture, raw, send, startFixture } from "../../testing/wire-fixture.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

const names = ["sum", "list", "small", "renamed", "pay", "off", "busy", "count", "nope", "__proto__", "constructor"];
const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, fc.string());
const text = fc.oneof(
  fc.json({ stringUnit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "[",
    '{"items":',
    '{"a":1,"a":2}',
    "[".repeat(3_000),
    "null",
    '{"0":null}',
    '{"items":[1e999]}',
    '{"a":-0,"b":1e400}',
  ),
  fc
    .array(fc.constantFrom("x", null, 1.5, {}), { minLength: 50, maxLength: 400 })
    .map((items) => JSON.stringify({ items })),
);
const query = fc.oneof(
  fc.constant(""),
  fc
    .tuple(fc.constantFrom("input", "batch", "a", "b", "to", "lastEventId", "connectionParams", "toString"), text)
    .map(([key, value]) => `?${key}=${encodeURIComponent(value.toWellFormed()).slice(0, 6_000)}`),
  fc.string({ maxLength: 50 }).map((odd) => `?${encodeURI(odd.toWellFormed())}`),
);
const path = fc.oneof(
  fc
    .tuple(fc.constantFrom("/api/wire/", "/trpc/wire.", "/schema/", "/", "/api/"), name)
    .map(([at, n]) => at + encodeURIComponent(n.toWellFormed())),
  fc
    .array(name, { minLength: 1, maxLength: 25 })
    .map((all) => `/trpc/${all.map((n) => `wire.${encodeURIComponent(n.toWellFormed())}`).join(",")}`),
);
const header = (...values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const headers = fc.record({
  "content-type": header(
    "application/json",
    "application/json",
    "application/json",
    "text/plain",
    "application/json; charset=x",
  ),
  accept: header("text/event-stream", "application/jsonl", "*/*", "application/json"),
  "trpc-accept": header("application/jsonl", "x"),
  "last-event-id": header("1", "~3", "x", ""),
  "fairlead-timeout-ms": header("50", "0", "x", "1e3"),
  "idempotency-key": header("a", "b", " "),
  traceparent: header("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "x"),
});
const method = fc.constantFrom("GET", "GET", "POST", "POST", "POST", "PUT", "HEAD", "DELETE", "OPTIONS");

test("no request, however odd, is our fault or costs much", async () => {
  await fc.assert(
    fc.asyncProperty(method, path, query, headers, text, async (verb, at, asked, sent, body) => {
      const present = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >;
      const answer = await send(fixture.port, {
        method: verb,
        path: at + asked,
        headers: present,
        ...(verb === "POST" && { body: body.toWellFormed() }),
      });
      // 501 is the answer for the procedure that is switched off.
      if (answer.status >= 500) expect([answer.status, at]).toEqual([501, expect.stringContaining("off")]);
      expect(answer.text.length).toBeLessThan(65_536);
      expect(answer.text).not.toMatch(/node_modules|\.ts:\d|at async/);
    }),
    { numRuns: inLongTier ? 1_500 : 300 },
  );
  expect(fixture.seen.logged).toEqual([]);
});

test("no bytes on the socket bring the server down", async () => {
  const line = fc.constantFrom(
    "GET / HTTP/1.1",
    "POST /api/wire/list HTTP/1.1",
    "Host: 127.0.0.1",
    "Content-Length: 5",
    "Content-Length: -1",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Content-Type: application/json",
    "Connection: close",
    "Expect: 100-continue",
    "",
    "5",
    "hello",
    "0",
    "\0",
    ":",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(line, fc.string({ unit: "binary", maxLength: 30 })), { maxLength: 12 }),
      async (lines) => {
        const connection = raw(fixture.port, `${lines.join("\r\n")}\r\n\r\n`);
        connection.socket.end();
        expect(await connection.ended).not.toMatch(/^HTTP\/1.1 5/);
      },
    ),
    { numRuns: inLongTier ? 500 : 100 },
  );
  expect((await send(fixture.port, { path: "/livez" })).status).toBe(200);
  expect(fixture.seen.logged).toEqual([]);
});
