/** The session leg of the MCP transport on the wire: every revision, ownership, batches, cancellation, idleness. */
import { afterEach, describe, expect, test } from "vitest";
import { initialize, lastMessage, rpc, send } from "../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../testing/mcp-fake-server.ts";

/** Waits for a probe to say what is expected, long enough for a busy machine. */
const eventually = <T>(probe: () => T) => expect.poll(probe);

afterEach(stopAll);

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
    expect(listed.result?.tools).toHaveLength(8);
    const called = await send(server.url, rpc("tools/call", { name: "add", arguments: { a: 1, b: 1 } }), { headers });
    expect((await lastMessage(called)).result?.structuredContent).toEqual({ sum: 2 });
    const ended = await send(server.url, "", { method: "DELETE", headers });
    expect(ended.status).toBe(200);
    const after = await send(server.url, rpc("tools/list"), { headers });
    expect(after.status).toBe(404);
    expect((await lastMessage(after)).error?.code).toBe(-32001);
    expect(mounted.prefix).toBe("/mcp");
  });

  test("a handshake that leaves out what no reader needs, from a client that accepts anything", async () => {
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
    await eventually(() => calls.length).toBe(1);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
    expect((await send(server.url, cancel, { headers })).status).toBe(202);
    expect(await pending.text()).not.toContain('"id"');
    expect(calls[0]?.signal?.aborted).toBe(true);
  });

  test("a request with the id of one that is under way is refused, and hangs neither", async () => {
    const { server, calls } = await start();
    const { headers } = await initialize(server.url, "2025-03-26");
    const pending = await send(server.url, rpc("tools/call", { name: "slow", arguments: {} }, 5), { headers });
    await eventually(() => calls.length).toBe(1);
    const batch = [rpc("ping", {}, 6), rpc("ping", {}, 6)];
    for (const body of [rpc("ping", {}, 5), rpc("tools/call", { name: "slow", arguments: {} }, 5), batch]) {
      const refused = await send(server.url, body, { headers });
      expect(refused.status).toBe(400);
      expect((await lastMessage(refused)).error).toMatchObject({
        code: -32600,
        message: expect.stringContaining("id"),
      });
    }
    const other = await send(server.url, rpc("ping", {}, "5"), { headers });
    expect((await lastMessage(other)).result).toEqual({});
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
    await send(server.url, cancel, { headers });
    await pending.text();
    const again = async (): Promise<number> => (await send(server.url, rpc("ping", {}, 5), { headers })).status;
    await eventually(again).toBe(200);
  });

  test("ending a session or hanging up stops its calls", async () => {
    const { server, calls } = await start();
    const { headers } = await initialize(server.url, "2025-11-25");
    const hangup = new AbortController();
    const slow = rpc("tools/call", { name: "slow", arguments: {} }, 5);
    await send(server.url, slow, { headers, signal: hangup.signal });
    await eventually(() => calls.length).toBe(1);
    hangup.abort();
    await eventually(() => calls[0]?.signal?.aborted).toBe(true);
    await send(server.url, { ...slow, id: 6 }, { headers });
    await eventually(() => calls.length).toBe(2);
    await send(server.url, "", { method: "DELETE", headers });
    await eventually(() => calls[1]?.signal?.aborted).toBe(true);
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
    const later = (): Promise<number> => {
      now += 1_000;
      return status(second.headers);
    };
    await eventually(later).toBe(404);
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
