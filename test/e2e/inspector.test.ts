/**
 * The inspector over the wire, as the specification's client speaks: its protocol examples word for word, its `.mcp.json` address,
 * every example of the contract as a tool call; and a long question that makes no other service wait.
 */

import inspector from "@fairlead/contracts/inspector";
import { type Kernel, makeLog, openKernel } from "@fairlead/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const inLongTier = process.env.TESTS_TIER === "long";

let kernel: Kernel;
let origin: string;
beforeAll(async () => {
  kernel = await openKernel({
    env: {},
    config: {
      services: { inspector: { limits: { wallMs: 600_000, fuelPerRow: 1_000_000_000, fuelPerQuery: 10_000_000_000 } } },
    },
    flags: { port: 0, lagMs: 60_000 },
    log: makeLog({ level: "error", write: () => {} }),
  });
  origin = `http://localhost:${(await kernel.serve()).port}`;
});
afterAll(() => kernel.close());

interface Message {
  readonly jsonrpc: "2.0";
  readonly id: number;
  readonly result: Readonly<Record<string, unknown>>;
}

const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Posts a body as it stands; the answer is JSON, or one event that holds it. */
const post = async (
  body: string,
  session: Readonly<Record<string, string>> = {},
  path = "/mcp",
): Promise<{ readonly status: number; readonly session: string | null; readonly message: Message | undefined }> => {
  const response = await fetch(`${origin}${path}`, { method: "POST", headers: { ...headers, ...session }, body });
  const text = await response.text();
  const json = response.headers.get("content-type")?.startsWith("text/event-stream")
    ? /^data: (.*)$/m.exec(text)?.[1]
    : text;
  return {
    status: response.status,
    session: response.headers.get("mcp-session-id"),
    message: json === undefined || json === "" ? undefined : (JSON.parse(json) as Message),
  };
};

const initialize = `{ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25",
    "clientInfo": { "name": "claude-code" }
}}`;
const list = `{ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }`;
const call = `{ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
    "name": "eval",
    "arguments": { "expr": "Player.GetComponent<Life>().CurHP" }
}}`;

/** A session opened as the specification writes it; the headers that every later message carries. */
const opened = async (path = "/mcp"): Promise<Readonly<Record<string, string>>> => {
  const { status, session, message } = await post(initialize, {}, path);
  expect(status).toBe(200);
  expect(message).toMatchObject({
    jsonrpc: "2.0",
    id: 1,
    result: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: path === "/mcp" ? "fairlead" : "inspector", version: expect.any(String) },
    },
  });
  const next = { "mcp-session-id": session ?? "", "mcp-protocol-version": "2025-11-25" };
  expect((await post(`{ "jsonrpc": "2.0", "method": "notifications/initialized" }`, next, path)).status).toBe(202);
  return next;
};

describe("the specification's protocol", () => {
  test("initialize, tools/list, tools/call", async () => {
    const session = await opened();
    const listed = await post(list, session);
    expect(listed.message).toMatchObject({ jsonrpc: "2.0", id: 2 });
    const tools = listed.message?.result.tools as readonly { readonly name: string; readonly inputSchema: unknown }[];
    for (const name of ["explore", "eval", "query"]) expect(tools.map((tool) => tool.name)).toContain(name);
    expect(tools.find(({ name }) => name === "eval")?.inputSchema).toMatchObject({
      type: "object",
      properties: { expr: { type: "string" }, depth: { type: "integer", default: 2 } },
      required: ["expr"],
    });
    const called = await post(call, session);
    expect(called.message).toMatchObject({
      jsonrpc: "2.0",
      id: 3,
      result: { content: [{ type: "text", text: "4523" }] },
    });
    expect(called.message?.result.isError).toBeUndefined();
  });

  test("its own address has exactly the three tools, and a text reads differently from what it looks like", async () => {
    const own = async (method: string, params: object): Promise<Readonly<Record<string, unknown>> | undefined> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 6, method, params });
      return (await post(body, await opened("/mcp/inspector"), "/mcp/inspector")).message?.result;
    };
    const { tools } = (await own("tools/list", {})) as { readonly tools: readonly { readonly name: string }[] };
    expect(tools.map(({ name }) => name).sort()).toEqual(["eval", "explore", "query"]);
    const texts = ["null", '"null"', "4523", '"4523"', '""'];
    for (const expr of texts)
      expect(await own("tools/call", { name: "eval", arguments: { expr } })).toMatchObject({
        content: [{ type: "text", text: expr }],
      });
  });

  if (inLongTier) {
    test("every example is answered", async () => {
      const session = await opened();
      for (const name of ["explore", "eval", "query"] as const)
        for (const { input } of inspector.procedures[name].examples ?? []) {
          const body = { jsonrpc: "2.0", id: 4, method: "tools/call", params: { name, arguments: input } };
          const { message } = await post(JSON.stringify(body), session);
          expect([name, input, message?.result.isError]).toEqual([name, input, undefined]);
        }
    });
  }

  test("a mistake comes back as a tool's error that points at the character", async () => {
    const session = await opened();
    const body = { jsonrpc: "2.0", id: 5, method: "tools/call" };
    const params = { name: "query", arguments: { from: "Entities", where: "Distnce < 50" } };
    const { message } = await post(JSON.stringify({ ...body, params }), session);
    expect(message?.result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("Distnce < 50\n^^^^^^^") }],
    });
  });
});

test("while a question without an end runs, every other service answers", async () => {
  const ask = (name: string, input: unknown, signal?: AbortSignal): Promise<Response> =>
    fetch(`${origin}/api/${name}`, { method: "POST", headers, body: JSON.stringify(input), signal: signal ?? null });
  await ask("inspector/eval", { expr: "1" });
  const caller = new AbortController();
  const all = "GameController.Entities";
  const where = `${all}.Any(${all}.Any(${all}.Any(Id < 0)))`;
  const endless = ask("inspector/query", { from: "Entities", where }, caller.signal).then(
    ({ status }) => `answered: ${status}`,
    () => "given up",
  );
  for (let at = 0; at < 5; at++) {
    const fall = { edition: "5.1", feet: 35, dice: { values: [2, 5, 6] } };
    expect((await ask("rules/fallDamage", fall)).status).toBe(200);
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
  }
  caller.abort();
  expect(await endless).toBe("given up");
});
