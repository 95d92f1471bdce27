/** Calls that are answered without the SDK's server, on the wire: as one document, as a stream, taken back, and handed over to ask. */
import { afterEach, describe, expect, test } from "vitest";
import { type FakeProcedure, untilCancelled } from "../../testing/mcp-fake.ts";
import { call, initialize, lastMessage, rpc, send } from "../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../testing/mcp-fake-server.ts";

afterEach(stopAll);

const question = {
  method: "elicitation/create",
  params: { mode: "form", message: "Who?", requestedSchema: { type: "object", properties: {} } },
} as const;

const later = (): { readonly done: Promise<void>; readonly finish: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { done: promise, finish: resolve };
};

/** Tools whose answers come when the test says so. */
const tools = (answer = later()) => {
  const procedures: Readonly<Record<string, FakeProcedure>> = {
    "demo.quick": { run: () => ({ ok: true, value: { quick: true } }) },
    "demo.waits": { run: async () => answer.done.then(() => ({ ok: true, value: { waited: true } })) },
    "demo.never": { run: untilCancelled },
    "demo.asks": {
      run: async ({ ask, onProgress }) => {
        onProgress?.({ progress: 1 });
        return { ok: true, value: { answer: await ask?.(question) } };
      },
    },
  };
  return { procedures, answer };
};

const inSession = async (url: string, name: string, meta: Record<string, unknown> = {}, capabilities = {}) => {
  const { headers } = await initialize(url, "2025-11-25", {}, capabilities);
  return { headers, answer: await send(url, rpc("tools/call", { name, _meta: meta }, "mine"), { headers }) };
};

describe.each(["session", "stateless"])("%s", (leg) => {
  const ask = async (url: string, name: string, meta: Record<string, unknown> = {}) =>
    leg === "stateless" ? call(url, name, {}, meta) : (await inSession(url, name, meta)).answer;

  test("a reply that is soon there is one document", async () => {
    const { server } = await start({}, tools().procedures);
    const answer = await ask(server.url, "quick");
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", result: { structuredContent: { quick: true } } });
  });

  test("a reply that takes its time is a stream, whose head comes before it", async () => {
    const { procedures, answer } = tools();
    const { server } = await start({}, procedures);
    const waiting = await ask(server.url, "waits");
    expect(waiting.headers.get("content-type")).toBe("text/event-stream");
    answer.finish();
    expect((await lastMessage(waiting)).result?.structuredContent).toEqual({ waited: true });
  });

  test("the call's own terms are read from `_meta`", async () => {
    const { server, calls } = await start({}, tools().procedures);
    await ask(server.url, "quick", { "fairlead/timeoutMs": 123, "fairlead/idempotencyKey": "once" });
    expect(calls[0]).toMatchObject({ timeoutMs: 123, idempotencyKey: "once", transport: "mcp" });
    const refused = await lastMessage(await ask(server.url, "quick", { "fairlead/timeoutMs": "soon" }));
    expect(refused.error?.message).toContain("fairlead/timeoutMs");
    expect(calls).toHaveLength(1);
  });
});

test("a question goes on from where the call was, with the stream open already", async () => {
  const { server, calls } = await start({}, tools().procedures);
  const meta = { progressToken: "p" };
  const { headers, answer } = await inSession(server.url, "asks", meta, { elicitation: { form: {} } });
  const text = { read: "" };
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text.read += piece;
    const asked = /"id":(\d+),"?[^\n]*elicitation\/create|elicitation\/create[^\n]*"id":(\d+)/.exec(piece);
    if (asked === null) continue;
    const id = Number(asked[1] ?? asked[2]);
    const answer = { jsonrpc: "2.0", id, result: { action: "accept", content: {} } };
    expect((await send(server.url, answer, { headers })).status).toBe(202);
  }
  expect(text.read).toContain("notifications/progress");
  expect(text.read).toContain('"answer":{"action":"accept"');
  expect(text.read).toContain('"id":"mine"');
  expect(calls).toHaveLength(1);
});

test("a second call with an id that is under way is refused, and the first goes on", async () => {
  const { server, calls } = await start({}, tools().procedures);
  const { headers } = await initialize(server.url, "2025-11-25");
  const never = rpc("tools/call", { name: "never" }, 1);
  const first = await send(server.url, never, { headers });
  await expect.poll(() => calls.length).toBe(1);
  const second = await send(server.url, rpc("tools/call", { name: "quick" }, 1), { headers });
  expect(second.status).toBe(400);
  expect((await lastMessage(second)).error?.code).toBe(-32600);
  expect(calls).toHaveLength(1);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  await send(server.url, cancel, { headers });
  expect(await first.text()).not.toContain('"result"');
});
