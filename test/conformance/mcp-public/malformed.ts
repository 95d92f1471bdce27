/**
 * Thousands of malformed messages against the real server, in both eras and on stdio's reader: no crash, no 5xx of ours, no answer
 * longer than a page or two, and a good call right after them.
 */
import { Agent, type OutgoingHttpHeaders, request } from "node:http";
import { localPrincipal } from "@fairlead/kernel";
import * as Effect from "effect/Effect";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore the test looks inside the kernel
import { OpenStreams } from "../../../kernel/src/server/open-streams.ts";
// @boundaries-ignore the test looks inside the kernel
import { type HttpServer, makeServer } from "../../../kernel/src/server/server.ts";
// @boundaries-ignore the test looks inside the kernel
import { fakeKernel } from "../../../kernel/src/testing/mcp-fake.ts";
// @boundaries-ignore the test looks inside the kernel
import { call, envelope, initialize, lastMessage, modern } from "../../../kernel/src/testing/mcp-fake-client.ts";
// @boundaries-ignore the test looks inside the kernel
import { mount } from "../../../kernel/src/transport/mcp/mount.ts";

const atOnce = 50;
const longestAnswer = 16_384;

const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
const fake = fakeKernel();
const logged: unknown[] = [];
let server: HttpServer;
let url: string;

interface Sent {
  readonly body: string | Buffer;
  readonly headers: OutgoingHttpHeaders;
  readonly path: string;
}

const post = ({ body, headers, path }: Sent): Promise<{ readonly status: number; readonly bytes: number }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method: "POST", agent, headers }, (answer) => {
      let bytes = 0;
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, bytes }));
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });

const scalars = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const keys = fc.constantFrom(
  ...["jsonrpc", "id", "method", "params", "result", "error", "code", "message", "_meta", "name", "arguments"],
  ...["progressToken", "protocolVersion", "capabilities", "clientInfo", "notifications", "requestId", "__proto__"],
  ...["constructor", "toString", "inputResponses", "requestState", "cursor", ...Object.keys(envelope)],
);
const words = fc.constantFrom(
  ...["2.0", "1.0", "tools/call", "tools/list", "ping", "initialize", "server/discover", "logging/setLevel", "add"],
  ...["notifications/cancelled", "notifications/initialized", "completion/complete", "resources/read", modern],
  ...["2025-11-25", "2024-11-05", "x".repeat(5_000), "\u0000", "\ud800"],
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalars,
    words,
    tie("object"),
    fc.array(tie("tree"), { maxLength: 4 }),
  ),
  object: fc.dictionary(fc.oneof({ weight: 4, arbitrary: keys }, { weight: 1, arbitrary: fc.string() }), tie("tree"), {
    maxKeys: 6,
  }),
}));

/** A request that is right but for one member. */
const almost = fc
  .record({
    member: keys,
    value: tree,
    method: words,
    withEnvelope: fc.boolean(),
    where: fc.constantFrom("message", "params", "meta"),
  })
  .map(({ member, value, method, withEnvelope, where }) => {
    const params = { name: "add", arguments: { a: 1, b: 2 }, ...(withEnvelope && { _meta: { ...envelope } }) };
    const message: Record<string, unknown> = { jsonrpc: "2.0", id: 1, method, params };
    const place = where === "message" ? message : where === "params" ? params : (params._meta ?? params);
    Object.defineProperty(place, member, { value, enumerable: true, configurable: true, writable: true });
    return message;
  });

const bodies: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string(),
  tree.map((value) => JSON.stringify(value) ?? ""),
  almost.map((message) => JSON.stringify(message)),
  almost.map((message) => JSON.stringify([message, message])),
  almost.map((message) => JSON.stringify(message).slice(0, -1)),
);

const printable = (value: unknown): string =>
  (typeof value === "string" ? value : "").replaceAll(/[^\x20-\x7e]/g, "").slice(0, 200);

const headerText = fc.oneof(words, fc.string()).map((text) => printable(text));
const json = { "content-type": "application/json", accept: "*/*" };

/** Anything anywhere. */
const wild = (session: string): fc.Arbitrary<Sent> =>
  fc.record({
    body: bodies,
    path: fc.constantFrom("/mcp", "/mcp/demo", "/mcp/", "/mcp/nothing"),
    headers: fc
      .record(
        {
          "mcp-session-id": fc.oneof(fc.constant(session), headerText),
          "mcp-protocol-version": headerText,
          "mcp-method": headerText,
          "mcp-name": headerText,
          accept: fc.constantFrom("application/json, text/event-stream", "*/*", "application/json", "text/html"),
          "content-type": fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain"),
        },
        { requiredKeys: [] },
      )
      .map((headers) => ({ ...json, ...headers })),
  });

/** The headers that go with the message, so that only the message is wrong. */
const fitting = (session: string): fc.Arbitrary<Sent> =>
  almost.map((message) => ({
    body: JSON.stringify(message),
    path: "/mcp",
    headers: JSON.stringify(message).includes(modern)
      ? { ...json, "mcp-protocol-version": modern, "mcp-method": printable(message.method), "mcp-name": "add" }
      : { ...json, "mcp-session-id": session },
  }));

const messages = (session: string): fc.Arbitrary<Sent> =>
  fc.oneof({ weight: 2, arbitrary: fitting(session) }, { weight: 1, arbitrary: wild(session) });

/** The tests, with as many batches of messages at once. */
export const testMalformed = (rounds: number): void => {
  beforeAll(async () => {
    const streams = new OpenStreams();
    const log = (level: string, message: string, fields?: unknown): void => {
      if (level === "error") logged.push({ message, fields });
    };
    const rules = { hosts: [], origins: [], authenticate: () => localPrincipal };
    server = makeServer({
      mounts: [mount({ ...fake.surroundings, log }, { streams })],
      rules,
      log,
      times: { lag: 60_000 },
    });
    url = (await Effect.runPromise(server.listen({ port: 0, host: "127.0.0.1" }))).url;
  });

  afterAll(async () => {
    agent.destroy();
    await Effect.runPromise(server.close);
  });
  test("answers all of them, briefly, and goes on", async () => {
    const { session } = await initialize(url, "2025-03-26");
    await fc.assert(
      fc.asyncProperty(fc.array(messages(session), { minLength: atOnce, maxLength: atOnce }), async (batch) => {
        for (const { status, bytes } of await Promise.all(batch.map(post))) {
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status).toBeLessThan(500);
          expect(bytes).toBeLessThan(longestAnswer);
        }
      }),
      { numRuns: rounds, endOnFailure: true },
    );
    expect(logged).toEqual([]);
    const answer = await lastMessage(await call(url, "add", { a: 40, b: 2 }));
    expect(answer.result).toMatchObject({ structuredContent: { sum: 42 } });
  });
};
