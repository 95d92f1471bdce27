/** Calls by the SDK's client, as those of a process are. */
import { Client, InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { ClientCalls } from "./client-calls.ts";

/** A client of the session era and the messages that its upstream gets; `answer` replies to one of them. */
const connected = async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const received: JSONRPCMessage[] = [];
  far.onmessage = (message) => {
    received.push(message);
    if (!("id" in message) || !("method" in message) || message.method !== "initialize") return;
    const serverInfo = { name: "peer", version: "1" };
    void answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }, message.id);
  };
  const answer = (result: unknown, id: unknown): Promise<void> =>
    far.send({ jsonrpc: "2.0", id, result } as JSONRPCMessage);
  await far.start();
  const client = new Client({ name: "fairlead", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(near);
  const last = () => received.at(-1) as { method: string; id: number; params: Record<string, unknown> };
  return { calls: new ClientCalls(client), client, far, last, answer };
};

const hello = { name: "hello", arguments: { to: "you" }, _meta: { traceparent: "00" } };
const options = (signal = new AbortController().signal) => ({ signal, headers: {} });

it("sends the arguments as they are, and gives the result as it came", async () => {
  const { calls, last, answer, client } = await connected();
  const result = calls.call(hello, options());
  expect(calls.isIdle).toBe(false);
  expect(last()).toMatchObject({ method: "tools/call", params: hello });
  await answer({ content: [], odd: 1 }, last().id);
  expect(await result).toEqual({ content: [], odd: 1 });
  expect(calls.isIdle).toBe(true);
  await client.close();
});

it("reports progress", async () => {
  const { calls, last, answer, far, client } = await connected();
  const seen: unknown[] = [];
  const result = calls.call(hello, { ...options(), onProgress: (progress) => seen.push(progress) });
  const { id, params } = last();
  const { progressToken } = params._meta as { progressToken: number };
  await far.send({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1 } });
  await expect.poll(() => seen).toEqual([{ progress: 1 }]);
  await answer({ content: [] }, id);
  await result;
  await client.close();
});

it("reports to the upstream a call that was taken back", async () => {
  const { calls, last, client } = await connected();
  const stop = new AbortController();
  const result = calls.call(hello, options(stop.signal));
  const { id } = last();
  stop.abort("enough");
  await expect(result).rejects.toBeDefined();
  expect(last()).toMatchObject({ method: "notifications/cancelled", params: { requestId: id } });
  await client.close();
});

it("fails open calls when the transport has closed, after its close was reported", async () => {
  const { calls, client, far } = await connected();
  const order: string[] = [];
  client.onclose = () => order.push("closed");
  const result = calls.call(hello, options()).catch(() => order.push("failed"));
  await far.close();
  await result;
  expect(order).toEqual(["closed", "failed"]);
});
