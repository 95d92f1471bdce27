/**
 * The two ways a `tools/call` and a `tools/list` are answered say the same: a server that leaves them all to the SDK, and one that answers plain ones
 * by itself, are sent the same messages. A document in place of a stream of one event, and other headers, are no difference.
 */
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type FakeProcedure, fakeProcedures } from "../../testing/mcp-fake.ts";
import { type OddCall, oddCalls, oddLists } from "../../testing/mcp-fake-calls.ts";
import { initialize } from "../../testing/mcp-fake-client.ts";
import { type FakeServer, start, stopAll } from "../../testing/mcp-fake-server.ts";
import { plainCalls, type Recogniser } from "./plain-call.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const agent = new Agent({ keepAlive: true });

afterAll(async () => {
  agent.destroy();
  await stopAll();
});

const { "demo.add": add, "demo.text": text, "demo.fail": fail, "demo.steps": steps } = fakeProcedures;
const passed = (value: unknown): FakeProcedure => ({ passed: true, run: () => ({ ok: true, value }) });
const unauthenticated = { code: "unauthenticated", message: "who are you?", retryable: false } as const;
const asked = (mode: "form" | "url", url?: string): FakeProcedure => ({
  run: async ({ ask }) => {
    const schema = { type: "object", properties: {} } as const;
    const how = url === undefined ? { requestedSchema: schema } : { url, elicitationId: "1" };
    try {
      const params = { mode, message: "Who?", ...how } as Parameters<NonNullable<typeof ask>>[0]["params"];
      return { ok: true, value: { answer: await ask?.({ method: "elicitation/create", params } as never) } };
    } catch (cause) {
      return { ok: true, value: { unable: cause instanceof Error ? cause.message : "?" } };
    }
  },
});

/** Procedures that answer in every way there is. */
const procedures: Readonly<Record<string, FakeProcedure>> = {
  ...(add !== undefined && { "demo.add": add }),
  ...(text !== undefined && { "demo.text": text }),
  ...(fail !== undefined && { "demo.fail": fail }),
  ...(steps !== undefined && { "demo.steps": steps }),
  "demo.refused": { run: () => ({ ok: false, error: unauthenticated }) },
  "demo.form": asked("form"),
  "demo.visit": asked("url", "https://example.test/"),
  "demo.passed": passed({ content: [{ type: "text", text: "as it came" }], structuredContent: { n: 1 }, more: 1 }),
  "demo.bare": passed({ structuredContent: { n: 1 }, _meta: { more: 1 } }),
};
const tools = ["add", "text", "fail", "steps", "refused", "form", "visit", "passed", "bare"];

const never: Recogniser = {
  session: () => undefined,
  stateless: () => undefined,
  sessionList: () => undefined,
  statelessList: () => undefined,
};

interface Heard {
  readonly status: number | undefined;
  readonly messages: readonly unknown[];
  /** What reached dispatch. */
  readonly called: readonly unknown[];
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const messagesOf = (answer: IncomingMessage, body: string): readonly unknown[] => {
  const plain = body.replaceAll(uuid, "some-id");
  if (plain === "") return [];
  if (answer.headers["content-type"] !== "text/event-stream") return [JSON.parse(plain)];
  return plain.split("\n").flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
};

const hear = async ({ server, calls }: FakeServer, { headers, body }: OddCall): Promise<Heard> => {
  const before = calls.length;
  const sent = request(`${server.url}/mcp`, { method: "POST", agent });
  for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
  sent.end(JSON.stringify(body));
  const [answer]: IncomingMessage[] = await once(sent, "response");
  if (answer === undefined) throw new Error("no answer");
  let read = "";
  for await (const part of answer.setEncoding("utf8")) read += part;
  const called = calls
    .slice(before)
    .map(({ client, ...call }) =>
      JSON.parse(JSON.stringify({ ...call, inSession: client !== undefined, signal: undefined })),
    );
  return { status: answer.statusCode, messages: messagesOf(answer, read), called };
};

/** Both servers, and how often the second took a call for itself. */
const both = async () => {
  let plain = 0;
  const counted = <T>(call: T | undefined): T | undefined => {
    if (call !== undefined) plain += 1;
    return call;
  };
  const recogniser: Recogniser = {
    session: (headers, body) => counted(plainCalls.session(headers, body)),
    stateless: (headers, body) => counted(plainCalls.stateless(headers, body)),
    sessionList: (headers, body) => counted(plainCalls.sessionList(headers, body)),
    statelessList: (headers, body) => counted(plainCalls.statelessList(headers, body)),
  };
  const sdk = await start({ recogniser: never }, procedures);
  const own = await start({ recogniser }, procedures);
  return { sdk, own, plain: () => plain };
};

const runs = inLongTier ? 1_000 : 50;

describe("the same answer as the SDK's", () => {
  test.each([
    ["calls", oddCalls("stateless", tools)],
    ["lists", oddLists("stateless")],
  ])("stateless %s", async (_, odd) => {
    const { sdk, own, plain } = await both();
    await fc.assert(
      fc.asyncProperty(odd, async (call) => {
        expect(await hear(own, call)).toEqual(await hear(sdk, call));
      }),
      { numRuns: runs },
    );
    expect(plain()).toBeGreaterThan(runs / 10);
  });

  test.each([
    ["2025-11-25", "calls"],
    ["2025-11-25", "lists"],
    ["2025-03-26", "calls"],
  ])("in a session of %s: %s", async (revision, kind) => {
    const { sdk, own, plain } = await both();
    const sessions = {
      sdk: await initialize(sdk.server.url, revision),
      own: await initialize(own.server.url, revision),
    };
    const session = "mcp-session-id";
    const placed = "here";
    const inside = (call: OddCall, id: string): OddCall =>
      call.headers[session] === placed ? { ...call, headers: { ...call.headers, [session]: id } } : call;
    const headers = { [session]: placed, "mcp-protocol-version": revision };
    const calls = kind === "calls" ? oddCalls("session", tools, headers) : oddLists("session", headers);
    await fc.assert(
      fc.asyncProperty(calls, async (call) => {
        const expected = await hear(sdk, inside(call, sessions.sdk.session));
        expect(await hear(own, inside(call, sessions.own.session))).toEqual(expected);
      }),
      { numRuns: runs },
    );
    expect(plain()).toBeGreaterThan(runs / 10);
  });
});
