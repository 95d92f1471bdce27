/** The MCP transport over HTTP on the wire: the stateless leg, endpoints, refusals, closing. */
import { afterEach, describe, expect, test } from "vitest";
import { call, envelope, initialize, lastMessage, list, modern, rpc, send } from "../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../testing/mcp-fake-server.ts";

/** Waits for a probe to say what is expected, long enough for a busy machine. */
const eventually = <T>(probe: () => T) => expect.poll(probe);

afterEach(stopAll);

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
      "the input of fail does not match its contract\n- npcs[0].ac: expected a whole number; send 13\nsee the input schema of the tool",
    );
  });

  test("an unknown tool is a protocol error with a suggestion", async () => {
    const { server, calls } = await start();
    const { error } = await lastMessage(await call(server.url, "ad"));
    expect(error).toMatchObject({ code: -32602, message: "Unknown tool; did you mean add?" });
    expect(calls).toHaveLength(0);
  });

  test("hands dispatch the raw arguments and the call's terms from _meta", async () => {
    const { server, calls } = await start();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const terms = { "fairlead/timeoutMs": 1500, "fairlead/attempts": 2, "fairlead/idempotencyKey": "k1" };
    const meta = { ...terms, traceparent, tracestate: "a=b" };
    await call(server.url, "add", { a: "2", extra: null }, meta);
    expect(calls[0]).toMatchObject({
      procedure: "demo.add",
      input: { a: "2", extra: null },
      transport: "mcp",
      timeoutMs: 1500,
      attempts: 2,
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
    expect(names).toEqual(["add", "text", "echo", "fail", "slow", "steps", "flood", "ping"]);
  });

  test("hanging up cancels the call", async () => {
    const { server, calls } = await start();
    const hangup = new AbortController();
    const pending = call(server.url, "slow", {}, {}, { signal: hangup.signal });
    await eventually(() => calls.length).toBe(1);
    hangup.abort();
    await expect(pending.then((answer) => answer.text())).rejects.toThrow();
    await eventually(() => calls[0]?.signal?.aborted).toBe(true);
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

test.each(["in a session", "stateless"])("a reader that stays stuck is cut off: %s", async (leg) => {
  const { server, calls } = await start();
  server.cutStuck(50);
  const meta = { progressToken: 1 };
  const inSession = async () => {
    const { headers } = await initialize(server.url, "2025-11-25");
    return send(server.url, rpc("tools/call", { name: "flood", _meta: meta }), { headers });
  };
  const answer = await (leg === "stateless" ? call(server.url, "flood", {}, meta) : inSession());
  await eventually(() => calls[0]?.signal?.aborted).toBe(true);
  await expect(answer.text()).rejects.toThrow();
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
    expect((await lastMessage(await list(running.server.url))).result?.tools).toHaveLength(8);
  });

  test("a change of the tools is announced in both eras, once for a burst", async () => {
    const { server, changed } = await start();
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
    for (let burst = 0; burst < 50; burst += 1) changed();
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

test("calls under way may finish when the transport closes, then its streams end", async () => {
  const { server, mounted, calls } = await start();
  const { headers } = await initialize(server.url, "2025-11-25");
  const stream = await send(server.url, "", { method: "GET", headers });
  const hangup = new AbortController();
  const slow = call(server.url, "slow", {}, {}, { signal: hangup.signal });
  await eventually(() => calls.length).toBe(1);
  let closed = false;
  const closing = mounted.close().then(() => {
    closed = true;
  });
  const echo = await lastMessage(await call(server.url, "echo", { text: "still here" }));
  expect(echo.result?.structuredContent).toMatchObject({ echo: "still here" });
  expect(closed).toBe(false);
  hangup.abort();
  await expect(slow.then((answer) => answer.text())).rejects.toThrow();
  await closing;
  expect(await stream.text()).not.toContain("jsonrpc");
});
