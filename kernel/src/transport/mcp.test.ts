import { afterEach, describe, expect, test } from "vitest";
import { type McpMount, type McpOptions, mount } from "./mcp.ts";
import { type Fake, fakeKernel, type Listening, listen } from "./mcp-fake.ts";

const modern = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": modern,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Running extends Fake {
  readonly mounted: McpMount;
  readonly server: Listening;
}

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const start = async (options?: McpOptions): Promise<Running> => {
  const fake = fakeKernel();
  const mounted = mount(fake.surroundings, options);
  const server = await listen(mounted);
  open.push(server);
  return { ...fake, mounted, server };
};

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };

const send = (url: string, body: unknown, { path = "/mcp", headers = {}, method = "POST", signal }: Sent = {}) =>
  fetch(`${url}${path}`, {
    method,
    headers: { ...json, ...headers },
    ...(method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  });

/** The last JSON-RPC message of an answer, whether it came as JSON or as events. */
const lastMessage = async (response: Response): Promise<Message> => {
  const text = await response.text();
  const events = text.split("\n").filter((line) => line.startsWith("data: "));
  return JSON.parse(events.at(-1)?.slice(6) ?? text);
};

interface Message {
  readonly id?: unknown;
  readonly result?: Record<string, unknown> & {
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly content?: readonly { readonly text?: string }[];
    readonly tools?: readonly { readonly name: string }[];
    readonly _meta?: Record<string, unknown>;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

const rpc = (method: string, params: Record<string, unknown> = {}, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

const call = (url: string, name: string, args: unknown = {}, meta: Record<string, unknown> = {}, sent: Sent = {}) =>
  send(url, rpc("tools/call", { name, arguments: args, _meta: { ...envelope, ...meta } }), {
    ...sent,
    headers: { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": name, ...sent.headers },
  });

const list = (url: string, sent: Sent = {}) =>
  send(url, rpc("tools/list", { _meta: envelope }), {
    ...sent,
    headers: { "mcp-protocol-version": modern, "mcp-method": "tools/list", ...sent.headers },
  });

const initialize = async (url: string, protocolVersion: string, sent: Sent = {}) => {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const response = await send(url, rpc("initialize", params, 0), sent);
  const message = await lastMessage(response);
  const session = response.headers.get("mcp-session-id") ?? "";
  const headers = { ...sent.headers, "mcp-session-id": session, "mcp-protocol-version": protocolVersion };
  return { response, message, session, headers };
};

describe("stateless leg", () => {
  test("answers with structured content and the bare value as text", async () => {
    const { server } = await start();
    const added = await lastMessage(await call(server.url, "add", { a: 2, b: 3 }));
    expect(added.result).toMatchObject({
      structuredContent: { sum: 5 },
      content: [{ type: "text", text: '{"sum":5}' }],
      resultType: "complete",
    });
    const text = await lastMessage(await call(server.url, "text", { name: "Aria" }));
    expect(text.result).toMatchObject({
      structuredContent: { value: "hello Aria" },
      content: [{ text: "hello Aria" }],
    });
  });

  test("a failure is a tool result that says what to do", async () => {
    const { server } = await start();
    const { result } = await lastMessage(await call(server.url, "fail"));
    expect(result).toMatchObject({ isError: true, _meta: { "fairlead/error": { code: "invalid_argument" } } });
    expect(result?.structuredContent).toBeUndefined();
    expect(result?.content?.[0]?.text).toBe(
      "the input of demo.fail does not match its contract\n- npcs[0].ac: expected a whole number; send 13\nsee `fairlead describe demo.fail`",
    );
  });

  test("an unknown tool is a protocol error with a suggestion", async () => {
    const { server, calls } = await start();
    const { error } = await lastMessage(await call(server.url, "ad"));
    expect(error).toMatchObject({ code: -32602, message: "Unknown tool: ad; did you mean add?" });
    expect(calls).toHaveLength(0);
  });

  test("hands dispatch the raw arguments and the call's terms from _meta", async () => {
    const { server, calls } = await start();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const meta = { "fairlead/timeoutMs": 1500, "fairlead/idempotencyKey": "k1", traceparent, tracestate: "a=b" };
    await call(server.url, "add", { a: "2", extra: null }, meta);
    expect(calls[0]).toMatchObject({
      procedure: "demo.add",
      input: { a: "2", extra: null },
      transport: "mcp",
      timeoutMs: 1500,
      idempotencyKey: "k1",
      trace: { traceparent, tracestate: "a=b" },
      principal: { id: "local" },
    });
    await call(server.url, "add", {}, { traceparent: "00-nonsense" });
    expect(calls[1]?.trace).toBeUndefined();
    const { error } = await lastMessage(await call(server.url, "add", {}, { "fairlead/timeoutMs": -1 }));
    expect(error).toMatchObject({ code: -32602 });
    expect(calls).toHaveLength(2);
  });

  test("refuses headers that are missing or disagree with the body", async () => {
    const { server, calls } = await start();
    for (const headers of [
      { "mcp-name": "text" },
      { "mcp-method": "tools/list" },
      { "mcp-protocol-version": "2025-11-25" },
    ]) {
      const response = await call(server.url, "add", {}, {}, { headers });
      expect(response.status).toBe(400);
      expect((await lastMessage(response)).error?.code).toBe(-32020);
    }
    const missing = await send(server.url, rpc("tools/call", { name: "add", _meta: envelope }));
    expect(missing.status).toBe(400);
    expect((await lastMessage(missing)).error?.code).toBe(-32020);
    expect(calls).toHaveLength(0);
  });

  test("discovers, and lists with a lifetime and in a fixed order", async () => {
    const { server } = await start();
    const discovered = await send(server.url, rpc("server/discover", { _meta: envelope }), {
      headers: { "mcp-protocol-version": modern, "mcp-method": "server/discover" },
    });
    expect((await lastMessage(discovered)).result).toMatchObject({
      supportedVersions: [modern],
      capabilities: { tools: { listChanged: true } },
    });
    const listed = await lastMessage(await list(server.url));
    expect(listed.result).toMatchObject({ cacheScope: "private" });
    expect(listed.result?.ttlMs).toBeGreaterThan(0);
    const names = listed.result?.tools?.map(({ name }) => name);
    expect(names).toEqual(["add", "text", "echo", "fail", "slow", "steps", "ping"]);
  });

  test("hanging up cancels the call", async () => {
    const { server, calls } = await start();
    const hangup = new AbortController();
    const pending = call(server.url, "slow", {}, {}, { signal: hangup.signal });
    await expect.poll(() => calls.length).toBe(1);
    hangup.abort();
    await expect(pending).rejects.toThrow();
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
  });

  test("sends progress to who asked for it", async () => {
    const { server } = await start();
    const response = await call(server.url, "steps", {}, { progressToken: "p" });
    const text = await response.text();
    const progress = [...text.matchAll(/"progress":(\d)/g)].map(([, value]) => value);
    expect(progress).toEqual(["1", "2", "3"]);
    expect(text).toContain('"structuredContent":{"done":true}');
    expect(await (await call(server.url, "steps")).text()).not.toContain("progressToken");
  });
});

describe("session leg", () => {
  const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

  test.each(revisions)("%s: handshake, list, call, end", async (revision) => {
    const { server, mounted } = await start();
    const { message, headers, session } = await initialize(server.url, revision);
    expect(message.result).toMatchObject({ protocolVersion: revision, serverInfo: { name: "fake" } });
    expect(session).toMatch(/^[0-9a-f-]{36}$/);
    const ready = await send(server.url, { jsonrpc: "2.0", method: "notifications/initialized" }, { headers });
    expect(ready.status).toBe(202);
    const listed = await lastMessage(
      await send(server.url, { jsonrpc: "2.0", id: 2, method: "tools/list" }, { headers }),
    );
    expect(listed.result?.tools).toHaveLength(7);
    const called = await send(server.url, rpc("tools/call", { name: "add", arguments: { a: 1, b: 1 } }), { headers });
    expect((await lastMessage(called)).result?.structuredContent).toEqual({ sum: 2 });
    const ended = await send(server.url, "", { method: "DELETE", headers });
    expect(ended.status).toBe(200);
    const after = await send(server.url, rpc("tools/list"), { headers });
    expect(after.status).toBe(404);
    expect((await lastMessage(after)).error?.code).toBe(-32001);
    expect(mounted.prefix).toBe("/mcp");
  });

  test("a handshake that leaves out what nobody needs, from a client that accepts anything", async () => {
    const { server } = await start();
    const body = rpc("initialize", { protocolVersion: "2025-11-25", clientInfo: { name: "claude-code" } });
    const response = await send(server.url, body, { headers: { accept: "*/*" } });
    expect((await lastMessage(response)).result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  test("an unknown revision gets the newest of the era", async () => {
    const { server } = await start();
    const { message } = await initialize(server.url, "2099-01-01");
    expect(message.result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  test("without a session there is an answer that says how to get one", async () => {
    const { server } = await start();
    const response = await send(server.url, rpc("tools/list"));
    expect(response.status).toBe(400);
    expect((await lastMessage(response)).error?.message).toContain("initialize");
  });

  test("a session is its opener's, at its endpoint", async () => {
    const { server } = await start();
    const { headers } = await initialize(server.url, "2025-11-25", { headers: { authorization: "Bearer a" } });
    const own = await send(server.url, rpc("tools/list"), { headers });
    expect(own.status).toBe(200);
    const other = await send(server.url, rpc("tools/list"), { headers: { ...headers, authorization: "Bearer b" } });
    expect(other.status).toBe(404);
    const elsewhere = await send(server.url, rpc("tools/list"), { headers, path: "/mcp/demo" });
    expect(elsewhere.status).toBe(404);
    const stolen = await send(server.url, "", { method: "DELETE", headers: { ...headers, authorization: "Bearer b" } });
    expect(stolen.status).toBe(404);
    expect((await send(server.url, rpc("tools/list"), { headers })).status).toBe(200);
  });

  test("batches only where the revision has them", async () => {
    const { server } = await start();
    const batch = [rpc("tools/call", { name: "add", arguments: { a: 1, b: 2 } }, 7), rpc("ping", {}, 8)];
    const old = await initialize(server.url, "2025-03-26");
    expect(await (await send(server.url, batch, { headers: old.headers })).text()).toContain('"sum":3');
    const many = Array.from({ length: 21 }, (_, id) => rpc("ping", {}, id));
    expect((await send(server.url, many, { headers: old.headers })).status).toBe(400);
    const current = await initialize(server.url, "2025-06-18");
    const refused = await send(server.url, batch, { headers: current.headers });
    expect(refused.status).toBe(400);
    expect((await lastMessage(refused)).error?.code).toBe(-32600);
  });

  test("notifications/cancelled stops the call and ends its stream", async () => {
    const { server, calls } = await start();
    const { headers } = await initialize(server.url, "2025-11-25");
    const pending = await send(server.url, rpc("tools/call", { name: "slow", arguments: {} }, 5), { headers });
    await expect.poll(() => calls.length).toBe(1);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
    expect((await send(server.url, cancel, { headers })).status).toBe(202);
    expect(await pending.text()).not.toContain('"id"');
    expect(calls[0]?.signal?.aborted).toBe(true);
  });

  test("ending a session or hanging up stops its calls", async () => {
    const { server, calls } = await start();
    const { headers } = await initialize(server.url, "2025-11-25");
    const hangup = new AbortController();
    const slow = rpc("tools/call", { name: "slow", arguments: {} }, 5);
    await send(server.url, slow, { headers, signal: hangup.signal });
    await expect.poll(() => calls.length).toBe(1);
    hangup.abort();
    await expect.poll(() => calls[0]?.signal?.aborted).toBe(true);
    await send(server.url, { ...slow, id: 6 }, { headers });
    await expect.poll(() => calls.length).toBe(2);
    await send(server.url, "", { method: "DELETE", headers });
    await expect.poll(() => calls[1]?.signal?.aborted).toBe(true);
  });

  test("idle sessions end, busy ones stay, the idlest makes room", async () => {
    let now = 0;
    const { server } = await start({ now: () => now, sessions: { perPrincipal: 2, idleMs: 80 } });
    const first = await initialize(server.url, "2025-11-25");
    now = 1;
    const second = await initialize(server.url, "2025-11-25");
    now = 2;
    const third = await initialize(server.url, "2025-11-25");
    const status = async (headers: Record<string, string>) => (await send(server.url, rpc("ping"), { headers })).status;
    expect(await status(first.headers)).toBe(404);
    expect(await status(second.headers)).toBe(200);
    const stream = await send(server.url, "", { method: "GET", headers: third.headers });
    expect(stream.status).toBe(200);
    now = 1_000;
    await expect.poll(() => status(second.headers)).toBe(404);
    expect(await status(third.headers)).toBe(200);
    await stream.body?.cancel();
  });

  test("when every session is in use there is no room", async () => {
    const { server } = await start({ sessions: { perPrincipal: 1 } });
    const { headers } = await initialize(server.url, "2025-11-25");
    const stream = await send(server.url, "", { method: "GET", headers });
    const refused = await initialize(server.url, "2025-11-25");
    expect(refused.response.status).toBe(503);
    expect(refused.response.headers.get("retry-after")).toBe("5");
    await stream.body?.cancel();
  });
});

describe("endpoints", () => {
  test("one service's tools at its own address", async () => {
    const { server } = await start();
    const { result } = await lastMessage(await list(server.url, { path: "/mcp/other" }));
    expect(result?.tools?.map(({ name }) => name)).toEqual(["ping"]);
    const wrong = await lastMessage(await call(server.url, "add", {}, {}, { path: "/mcp/other" }));
    expect(wrong.error?.code).toBe(-32602);
    const none = await list(server.url, { path: "/mcp/nothing" });
    expect(none.status).toBe(404);
    expect((await lastMessage(none)).error?.message).toContain("/mcp/demo");
  });

  test("a switched-off tool is not listed, and a call of it says why", async () => {
    const running = await start();
    running.switch("demo.text", false);
    const names = (await lastMessage(await list(running.server.url))).result?.tools?.map(({ name }) => name);
    expect(names).not.toContain("text");
    const { result } = await lastMessage(await call(running.server.url, "text"));
    expect(result).toMatchObject({ isError: true, _meta: { "fairlead/error": { code: "unimplemented" } } });
    running.switch("demo.text", true);
    expect((await lastMessage(await list(running.server.url))).result?.tools).toHaveLength(7);
  });

  test("a change of the tools is announced in both eras, once for a burst", async () => {
    const { server, mounted } = await start();
    const { headers } = await initialize(server.url, "2025-11-25");
    const session = await send(server.url, "", { method: "GET", headers });
    const listen = await send(
      server.url,
      rpc("subscriptions/listen", { _meta: envelope, notifications: { toolsListChanged: true } }, "sub"),
      { headers: { "mcp-protocol-version": modern, "mcp-method": "subscriptions/listen" } },
    );
    const count = async (response: Response, wanted: number): Promise<number> => {
      const reader = response.body?.getReader();
      const decoder = new TextDecoder();
      let text = "";
      const seen = (): number => text.split("notifications/tools/list_changed").length - 1;
      while (seen() < wanted) {
        const part = await reader?.read();
        if (part?.value === undefined) break;
        text += decoder.decode(part.value);
      }
      await reader?.cancel();
      return seen();
    };
    for (let burst = 0; burst < 50; burst += 1) mounted.toolsChanged();
    expect(await Promise.all([count(session, 2), count(listen, 2)])).toEqual([2, 2]);
  });
});

describe("refusals", () => {
  test.each([
    ["no JSON", "{", 400, -32700],
    ["a member named twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 400, -32700],
    ["no JSON-RPC", "{}", 400, -32600],
    ["an empty batch", "[]", 400, -32600],
    ["a number", "5", 400, -32600],
    ["null", "null", 400, -32600],
    ["an endless id", JSON.stringify(rpc("ping", {}, "x".repeat(300))), 400, -32600],
    ["too deep", "[".repeat(200) + "]".repeat(200), 400, -32700],
    ["too large", JSON.stringify(rpc("ping", { pad: Array(60).fill("x".repeat(20_000)) })), 413, -32000],
  ])("%s", async (_, body, status, code) => {
    const { server } = await start();
    const response = await send(server.url, body);
    expect(response.status).toBe(status);
    expect((await lastMessage(response)).error?.code).toBe(code);
  });

  test("other methods", async () => {
    const { server } = await start();
    const response = await send(server.url, "", { method: "PUT" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST, DELETE");
  });

  test("no refusal repeats what was sent at length", async () => {
    const { server } = await start();
    const long = "x".repeat(500_000);
    const bodies = [
      rpc("tools/call", { name: long, _meta: envelope }),
      rpc(long, { _meta: envelope }),
      rpc("tools/call", { name: "add", _meta: { ...envelope, "io.modelcontextprotocol/protocolVersion": long } }),
      rpc("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${i}`, i])),
        clientInfo: { name: [], version: long },
      }),
    ];
    const { headers } = await initialize(server.url, "2025-11-25");
    for (const body of bodies) {
      for (const sent of [
        {},
        { headers },
        { headers: { "mcp-protocol-version": modern, "mcp-method": "tools/call", "mcp-name": "add" } },
      ]) {
        const response = await send(server.url, body, sent);
        expect((await response.text()).length).toBeLessThan(16_384);
      }
    }
  });
});
