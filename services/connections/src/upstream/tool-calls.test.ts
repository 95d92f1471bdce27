/** A call past the SDK's client and one by it: the same on the wire and the same result, in both eras. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  type PriorDiscovery,
  ProtocolError,
} from "@modelcontextprotocol/client";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpClient } from "../http/http-client.ts";
import { type Plan, type RecordingServer, recordingServer } from "../testing/recording-server.ts";
import { findHeaderParameters, parameterHeaders } from "./call-headers.ts";
import { capabilities } from "./caller-questions.ts";
import { HttpTransport } from "./http-transport.ts";
import { passThroughSchema } from "./pass-through-schema.ts";
import { type CallParams, type CallTransport, type Envelope, ToolCalls } from "./tool-calls.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const introduction = { name: "fairlead", version: "1.2.3" };
const revision = "2026-07-28";
const prior: PriorDiscovery = {
  kind: "modern",
  discover: { supportedVersions: [revision], capabilities: { tools: {} }, serverInfo: { name: "peer", version: "1" } },
} as PriorDiscovery;
const envelope: Envelope = {
  [PROTOCOL_VERSION_META_KEY]: revision,
  [CLIENT_INFO_META_KEY]: introduction,
  [CLIENT_CAPABILITIES_META_KEY]: capabilities,
};

const eras = ["session", "stateless"] as const;
type Era = (typeof eras)[number];

interface Both {
  readonly client: Client;
  readonly calls: ToolCalls;
}

const talk = async (era: Era, wire: CallTransport): Promise<Both> => {
  const mode = era === "stateless" ? "auto" : "legacy";
  const client = new Client(introduction, { capabilities, versionNegotiation: { mode } });
  await client.connect(wire, era === "stateless" ? { prior } : {});
  return { client, calls: new ToolCalls(wire, era === "stateless" ? envelope : undefined) };
};

/** What a caller has of a call. */
interface Had {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
  readonly progress: readonly unknown[];
}

const had = async (run: (onProgress: (progress: unknown) => void) => Promise<unknown>): Promise<Had> => {
  const progress: unknown[] = [];
  try {
    return { result: await run((each) => progress.push(each)), progress };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { error: { code: error.code, message: error.message, data: error.data }, progress };
  }
};

const bySdk = ({ client }: Both, params: CallParams, inputSchema?: object): Promise<Had> =>
  had((onprogress) => {
    if (inputSchema === undefined)
      return client.request({ method: "tools/call", params: { ...params } }, passThroughSchema, { onprogress });
    const toolDefinition = { name: params.name, inputSchema: { ...inputSchema, type: "object" as const } };
    return client.callTool({ ...params }, { onprogress, toolDefinition });
  });

const shortly = ({ calls }: Both, params: CallParams, inputSchema?: object): Promise<Had> =>
  had((onProgress) => {
    const headers = parameterHeaders(findHeaderParameters(inputSchema), params.arguments);
    return calls.call(params, { signal: new AbortController().signal, onProgress, headers });
  });

/** The text without the number of its call. */
const unnumbered = (text: string): string => text.replace(/("(?:id|progressToken|requestId)":)\d+/g, "$1ID");

const word = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).map((text) => text.toWellFormed()),
  fc.constantFrom("=?base64?eA==?=", " led by a space", "one\ttab", "Ünï", "=?base64?="),
);
const json = fc.jsonValue({ maxDepth: 3 });
const members = fc.dictionary(word, json, { maxKeys: 4 });
const params = fc
  .record({ name: word, arguments: members, _meta: fc.record({ traceparent: word }, { requiredKeys: [] }) })
  .map((each): CallParams => JSON.parse(JSON.stringify(each)));

const text = fc.record({ type: fc.constant("text"), text: fc.string() });
const result = fc
  .tuple(members, fc.array(text, { maxLength: 3 }), fc.option(fc.boolean(), { nil: undefined }), members)
  .map(([more, content, isError, structuredContent]) => ({
    ...Object.fromEntries(Object.entries(more).map(([key, value]) => [`x-${key}`, value])),
    content,
    structuredContent,
    ...(isError !== undefined && { isError }),
  }));
const error = fc.record({ code: fc.integer({ min: -32_099, max: -1 }), message: fc.string(), data: json });
const progress = fc.record({ progress: fc.nat(), total: fc.nat(), message: fc.string() });

const planOf = (era: Era, answer: object, steps: readonly object[], as: Plan["as"]): Plan => {
  const isError = "code" in answer;
  const complete = era === "stateless" && !isError ? { ...answer, resultType: "complete" } : answer;
  const notes = steps.map((step) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: "ID", ...step },
  }));
  return { messages: [...notes, { jsonrpc: "2.0", id: "ID", [isError ? "error" : "result"]: complete }], as };
};

const plans = (era: Era) =>
  fc
    .tuple(
      fc.oneof(
        result,
        error.filter(({ code }) => code !== -32_042),
      ),
      fc.constantFrom("document", "stream"),
    )
    .map(([answer, as]) => planOf(era, answer, [], as));

describe.each(eras)("over HTTP, %s era", (era) => {
  let server: RecordingServer;
  let both: Both;
  const web = createHttpClient({ scope: "anywhere", connectMs: 60_000 });

  beforeAll(async () => {
    server = await recordingServer();
    const headers = { "X-Own": "as configured", "mcp-protocol-version": "of another" };
    const webs = { own: web, thirdParty: web };
    const authProvider = { token: async () => "a token" };
    both = await talk(era, new HttpTransport(server.url, { headers, webs, authProvider, opening: () => false }));
  });
  afterAll(async () => {
    await both.client.close();
    web.close();
    await server.close();
  });

  /** The two calls' requests, with what may differ taken out. */
  const sent = () =>
    server.requests.splice(0).map(({ headers: { "content-length": length, ...headers }, body }) => {
      expect(Number(length)).toBe(Buffer.byteLength(body));
      return { headers, body: unnumbered(body) };
    });

  it("sends the same, and has the same of what comes (property 14)", async () => {
    await fc.assert(
      fc.asyncProperty(params, plans(era), async (call, plan) => {
        server.plan = plan;
        expect(await shortly(both, call)).toEqual(await bySdk(both, call));
        const [ours, theirs] = sent();
        expect(ours).toEqual(theirs);
      }),
      { numRuns: inLongTier ? 300 : 50 },
    );
  });

  it("hears of progress in its order, also of what comes in one piece with the result", async () => {
    await fc.assert(
      fc.asyncProperty(params, fc.array(progress, { maxLength: 4 }), async (call, steps) => {
        server.plan = planOf(era, { content: [] }, steps, "stream");
        expect(await shortly(both, call)).toEqual({ result: { content: [] }, progress: steps });
      }),
      { numRuns: inLongTier ? 100 : 20 },
    );
    sent();
  });

  it("repeats the same arguments in headers", async () => {
    const header = (type: string, name: string) => ({ type, "x-mcp-header": name });
    const inner = { type: "object", properties: { leaf: header("boolean", "Leaf") } };
    const schema = { properties: { text: header("string", "Text"), count: header("integer", "count"), inner } };
    const value = fc.oneof(word, fc.boolean(), fc.integer(), fc.maxSafeInteger(), fc.double(), json);
    const given = fc.record(
      { text: value, count: value, inner: fc.oneof(json, fc.record({ leaf: value })) },
      { requiredKeys: [] },
    );
    server.plan = planOf(era, { content: [] }, [], "document");
    await fc.assert(
      fc.asyncProperty(given, async (input) => {
        const call = { name: "mirrored", arguments: JSON.parse(JSON.stringify(input)), _meta: {} };
        await bySdk(both, call, schema);
        await shortly(both, call, era === "stateless" ? schema : undefined);
        const [theirs, ours] = sent();
        expect(ours).toEqual(theirs);
      }),
      { numRuns: inLongTier ? 300 : 50 },
    );
  });

  it("takes a call back in the same way, and holds nothing open for it", async () => {
    server.plan = "never";
    const call = { name: "hang", arguments: {}, _meta: {} };
    const notices: unknown[] = [];
    for (const begin of [
      (signal: AbortSignal) =>
        both.client.request({ method: "tools/call", params: call }, passThroughSchema, { signal }),
      (signal: AbortSignal) => both.calls.call(call, { signal, headers: {} }),
    ]) {
      const stop = new AbortController();
      const answer = begin(stop.signal);
      answer.catch(() => undefined);
      await expect.poll(() => server.requests.length).toBe(1);
      stop.abort("enough");
      await expect(answer).rejects.toBeDefined();
      if (era === "session") await expect.poll(() => server.requests.length).toBe(2);
      const [, notice] = sent();
      notices.push(notice);
    }
    expect(notices[1]).toEqual(notices[0]);
    // The SDK's client leaves the exchange of the session era open until the server ends it.
    await expect.poll(server.open).toBe(era === "session" ? 1 : 0);
  });
});

/** A transport that answers calls at once, but for `hang`. */
class FakeTransport implements CallTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #era: Era;

  constructor(era: Era) {
    this.#era = era;
  }

  start = async (): Promise<void> => undefined;
  close = async (): Promise<void> => this.onclose?.();
  isHostThere = async (): Promise<boolean> => true;
  sendCall = (request: JSONRPCMessage) => ({ done: this.send(request), abort: () => undefined });
  send = async (message: JSONRPCMessage): Promise<void> => {
    if (!("method" in message)) return;
    const id = "id" in message ? message.id : 0;
    if (message.method === "initialize") {
      const serverInfo = { name: "peer", version: "1" };
      const hello = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
      this.onmessage?.({ jsonrpc: "2.0", id, result: hello });
    }
    if (message.method === "tools/call" && message.params?.name !== "hang") {
      const done = { content: [], ...(this.#era === "stateless" && { resultType: "complete" }) };
      queueMicrotask(() => this.onmessage?.({ jsonrpc: "2.0", id, result: done }));
    }
  };
}

describe.each(eras)("on any transport, %s era", (era) => {
  it("keeps to itself what comes too late, or for no call", async () => {
    const transport = new FakeTransport(era);
    const { client, calls } = await talk(era, transport);
    const errors: Error[] = [];
    client.onerror = (each) => errors.push(each);
    const stop = new AbortController();
    const answer = calls.call({ name: "hang", arguments: {}, _meta: {} }, { signal: stop.signal, headers: {} });
    stop.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    const id = 2 ** 30;
    transport.onmessage?.({ jsonrpc: "2.0", id, result: {} });
    transport.onmessage?.({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: id, progress: 1 },
    });
    expect(errors).toEqual([]);
    transport.onmessage?.({ jsonrpc: "2.0", id: 999, result: {} });
    expect(errors).toHaveLength(1);
  });

  it("fails open calls when the transport has closed, after its close was reported", async () => {
    const transport = new FakeTransport(era);
    const { client, calls } = await talk(era, transport);
    const order: string[] = [];
    client.onclose = () => {
      order.push("closed");
      calls.end(new Error("gone"));
    };
    const options = { signal: new AbortController().signal, headers: {} };
    const answer = calls.call({ name: "hang", arguments: {}, _meta: {} }, options).catch(() => order.push("failed"));
    await transport.close();
    await answer;
    expect(order).toEqual(["closed", "failed"]);
  });
});

describe("a result", () => {
  const answered = async (era: Era, came: unknown): Promise<unknown> => {
    const transport = new FakeTransport(era);
    const { calls } = await talk(era, transport);
    const options = { signal: new AbortController().signal, headers: {} };
    const answer = calls.call({ name: "hang", arguments: {}, _meta: {} }, options);
    transport.onmessage?.({ jsonrpc: "2.0", id: 2 ** 30, result: came } as JSONRPCMessage);
    return answer;
  };

  it.each(eras)("that is not an object is none (%s era)", async (era) => {
    for (const came of [null, "text", 1, [], undefined])
      await expect(answered(era, came)).rejects.toMatchObject({ name: "BadAnswer" });
  });

  it("of the stateless era is of a known type, or of none", async () => {
    expect(await answered("stateless", { content: [], resultType: "complete" })).toEqual({ content: [] });
    expect(await answered("stateless", { content: [] })).toEqual({ content: [] });
    const asks = { resultType: "input_required", requestState: "x" };
    expect(await answered("stateless", asks)).toEqual(asks);
    for (const resultType of ["task", "input_required", 1])
      await expect(answered("stateless", { resultType })).rejects.toMatchObject({ name: "BadAnswer" });
  });

  it("of the session era has no type", async () => {
    expect(await answered("session", { content: [], resultType: "input_required" })).toEqual({ content: [] });
  });
});
