/** How a call ends that does not run to its reply, the same whoever answers it: taken back, its session gone, its reader stuck. */
import { once } from "node:events";
import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { FakeProcedure } from "../../testing/mcp-fake.ts";
import { call, initialize, lastMessage, rpc, send } from "../../testing/mcp-fake-client.ts";
import { start, stopAll } from "../../testing/mcp-fake-server.ts";
import { plainCalls, type Recogniser } from "./plain-call.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

afterEach(stopAll);

/** Waits for a probe to say what is expected, long enough for a busy machine. */
const eventually = <T>(probe: () => T) => expect.poll(probe);

const never: Recogniser = {
  ...plainCalls,
  session: () => undefined,
  stateless: () => undefined,
};

describe.each([
  ["the SDK", never],
  ["ourselves", plainCalls],
])("answered by %s", (_, recogniser) => {
  /** A handler that does not listen when it is interrupted. */
  const deaf = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const procedures: Readonly<Record<string, FakeProcedure>> = {
      "demo.deaf": { run: async () => promise.then(() => ({ ok: true, value: { done: true } })) },
      "demo.huge": { run: () => ({ ok: true, value: { pad: "x".repeat(24 * 1_048_576) } }) },
      "demo.quick": { run: () => ({ ok: true, value: { quick: true } }) },
    };
    return { procedures, finish: resolve };
  };

  test("a call that was taken back is answered with nothing, at once", async () => {
    const { procedures, finish } = deaf();
    const { server, calls } = await start({ recogniser }, procedures);
    const { headers } = await initialize(server.url, "2025-11-25");
    const pending = send(server.url, rpc("tools/call", { name: "deaf" }, 5), { headers });
    await eventually(() => calls.length).toBe(1);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
    expect((await send(server.url, cancel, { headers })).status).toBe(202);
    expect(await (await pending).text()).not.toContain('"id"');
    expect(calls[0]?.signal?.aborted).toBe(true);
    finish();
    const again = await send(server.url, rpc("tools/call", { name: "quick" }, 5), { headers });
    expect((await lastMessage(again)).result?.structuredContent).toEqual({ quick: true });
  });

  test("a session that is ended ends the streams of its calls at once", async () => {
    const { procedures, finish } = deaf();
    const { server, calls } = await start({ recogniser }, procedures);
    const { headers } = await initialize(server.url, "2025-11-25");
    const pending = send(server.url, rpc("tools/call", { name: "deaf" }, 5), { headers });
    await eventually(() => calls.length).toBe(1);
    expect((await send(server.url, "", { method: "DELETE", headers })).status).toBe(200);
    expect(await (await pending).text()).not.toContain('"id"');
    expect(calls[0]?.signal?.aborted).toBe(true);
    finish();
  });

  if (inLongTier || recogniser === plainCalls) {
    test("a reader of a long result who stays stuck is cut off, in a session", async () => {
      const { server } = await start({ recogniser }, deaf().procedures);
      server.cutStuck(50);
      const { headers } = await initialize(server.url, "2025-11-25");
      const sent = request(`${server.url}/mcp`, {
        method: "POST",
        agent: false,
        headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      });
      sent.end(JSON.stringify(rpc("tools/call", { name: "huge" })));
      // Nothing is read, and no other connection stays.
      await once(sent, "response");
      await eventually(() => server.connections()).toBe(0);
      sent.destroy();
    });
  }

  test("a client that takes links and no forms is not asked with a form", async () => {
    const form = { mode: "form", message: "Who?", requestedSchema: { type: "object", properties: {} } };
    const asks: FakeProcedure = {
      run: async ({ ask }) => ({
        ok: true,
        value: await ask?.({ method: "elicitation/create", params: form }).then(
          () => ({ asked: true }),
          () => ({ asked: false }),
        ),
      }),
    };
    const { server } = await start({ recogniser }, { "demo.asks": asks });
    const able = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } } };
    const { result } = await lastMessage(await call(server.url, "asks", {}, able));
    expect(result?.structuredContent).toEqual({ asked: false });
  });

  test("a relayed result that looks like a question is answered all the same", async () => {
    const odd: Readonly<Record<string, FakeProcedure>> = {
      "demo.odd": { passed: true, run: () => ({ ok: true, value: { resultType: "input_required", content: [] } }) },
    };
    const { server } = await start({ recogniser }, odd);
    const { headers } = await initialize(server.url, "2025-11-25");
    const inSession = await lastMessage(await send(server.url, rpc("tools/call", { name: "odd" }), { headers }));
    expect(inSession.result).toMatchObject({ content: [] });
    const stateless = await lastMessage(await call(server.url, "odd"));
    expect(stateless.result).toMatchObject({ resultType: "complete", content: [] });
  });
});
