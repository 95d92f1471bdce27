/**
 * Who may call what: each caller, each procedure, each way in. A cell is the code that a refused call ends with, or anything else for one
 * that is let through to the procedure (the empty input that is sent suits few).
 */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { httpPath } from "@fairlead/contracts";
import type { CatalogEntry, Kernel, Principal } from "@fairlead/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProject } from "./kernel.ts";

type Access = Principal["access"][number];

interface Caller {
  readonly name: string;
  readonly access: readonly Access[];
  readonly services?: readonly string[];
}

const callers: readonly Caller[] = [
  { name: "reader", access: ["read"] },
  { name: "caller", access: ["call"] },
  { name: "owner", access: ["admin"] },
  { name: "everything", access: ["read", "call", "admin"] },
  { name: "probe-only", access: ["read", "call", "admin"], services: ["probe"] },
  { name: "kernel-only", access: ["read", "call", "admin"], services: ["kernel"] },
  { name: "nothing-of-ours", access: ["read", "call", "admin"], services: [] },
];
/** Each way in for each caller; the quick tier leaves out every other pair. */
const isTried = (at: number): boolean => process.env.TESTS_TIER === "long" || at % 2 === 0;

const secretOf = ({ name }: Caller): string => `secret-of-${name}`;
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

let kernel: Kernel;
let url: string;

beforeAll(async () => {
  ({ kernel, url } = await startProject({
    tokens: callers.map((caller) => ({
      ...caller,
      sha256: hashOf(secretOf(caller)),
      perSecond: 100_000,
      concurrent: 100,
    })),
  }));
});
afterAll(() => kernel.close());

const isAllowed = ({ access, services }: Caller, { procedure, service }: CatalogEntry): boolean =>
  access.includes(procedure.access ?? (procedure.kind === "mutation" ? "call" : "read")) &&
  (services === undefined || services.includes(service));

/** The answer's status and its text up to the end, or up to the first event of a stream. */
const ask = async (
  caller: Caller | undefined,
  path: string,
  init: { readonly method: string; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
): Promise<{ readonly status: number; readonly text: string }> => {
  const controller = new AbortController();
  const response = await fetch(url + path, {
    method: init.method,
    signal: controller.signal,
    headers: {
      accept: "application/json, text/event-stream",
      "fairlead-timeout-ms": "200",
      ...(caller !== undefined && { authorization: `Bearer ${secretOf(caller)}` }),
      ...(init.body !== undefined && { "content-type": "application/json" }),
      ...init.headers,
    },
    ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
  });
  const isEndless = response.status === 200 && !path.startsWith("/mcp") && isStream(response);
  if (isEndless) controller.abort();
  return { status: response.status, text: isEndless ? "" : await response.text() };
};

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

/** True when the answer says that the caller may not; false when it says anything else. */
type Way = (caller: Caller, entry: CatalogEntry) => Promise<boolean>;

const overHttp: Way = async (caller, { name, service, procedure }) => {
  const path = httpPath(service, name.slice(service.length + 1), procedure);
  return (await ask(caller, path, { method: "POST", body: {} })).status === 403;
};

const overTrpc: Way = async (caller, { name, procedure }) => {
  const method = procedure.kind === "mutation" ? "POST" : "GET";
  const path = `/trpc/${name}${method === "GET" ? "?input=%7B%7D" : ""}`;
  if (procedure.kind === "subscription") return (await firstEvent(caller, path)).includes("permission_denied");
  return (await ask(caller, path, { method, ...(method === "POST" && { body: {} }) })).status === 403;
};

/** tRPC tells a refused subscription as the first event of a stream that it opens all the same. */
const firstEvent = async (caller: Caller, path: string): Promise<string> => {
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${secretOf(caller)}`, accept: "text/event-stream" };
  const { body } = await fetch(url + path, { headers, signal: controller.signal });
  // What an allowed subscription of the kernel's events has to tell.
  const busy = setInterval(() => void kernel.connect().call("kernel.ping", {}), 10);
  let text = "";
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (/^(?:event: serialized-error|id: )/m.test(text)) break;
    }
  } finally {
    clearInterval(busy);
    controller.abort();
  }
  return text.includes("event: serialized-error") ? text : "";
};

const version = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "access", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const toolOf = async ({ name }: CatalogEntry): Promise<string | undefined> =>
  (await kernel.manifest.tools()).find(({ procedure }) => procedure === name)?.tool.name;

const callOf = (tool: string, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: tool, arguments: {}, ...more },
});

const overMcp: Way = async (caller, entry) => {
  const tool = (await toolOf(entry)) ?? "";
  const { text } = await ask(caller, "/mcp", {
    method: "POST",
    headers: { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": tool },
    body: callOf(tool, { _meta: envelope }),
  });
  expect(text).toContain('"result"');
  return text.includes('"isError":true') && text.includes('"permission_denied"');
};

const openSession = async (caller: Caller): Promise<string> => {
  const opened = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${secretOf(caller)}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "access", version: "1" } },
    }),
  });
  await opened.text();
  const session = opened.headers.get("mcp-session-id");
  if (session === null) throw new Error(`no session: ${opened.status}`);
  return session;
};

const overSession: Way = async (caller, entry) => {
  const session = await openSession(caller);
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  const { text } = await ask(caller, "/mcp", { method: "POST", headers, body: callOf((await toolOf(entry)) ?? "") });
  await ask(caller, "/mcp", { method: "DELETE", headers });
  expect(text).toContain('"result"');
  return text.includes('"isError":true') && text.includes('"permission_denied"');
};

const inMemory: Way = async (caller, { name, procedure }) => {
  const transport = kernel.connect({ id: caller.name, ...caller });
  // What is allowed may go on without end. A refusal comes within a few turns of the event loop, however long these take.
  const stop = new AbortController();
  const abort = async (): Promise<void> => {
    await pause(200);
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
  };
  const way = procedure.kind === "subscription" ? transport.subscribe : transport.call;
  void abort();
  const reply = await way(name, {}, { signal: stop.signal });
  return !reply.ok && reply.error.code === "permission_denied";
};

describe.each([
  ["HTTP", overHttp, false, 0],
  ["tRPC", overTrpc, false, 1],
  ["MCP 2026-07-28", overMcp, true, 2],
  ["MCP 2025-11-25", overSession, true, 3],
  ["memory", inMemory, false, 4],
] as const)("over %s", (_, way, toolsOnly, turn) => {
  it.each(callers.filter((_caller, at) => isTried(at + turn)))(
    "$name may call what its token allows, and nothing else",
    async (caller) => {
      const entries = kernel.catalog.list();
      expect(entries.length).toBeGreaterThan(15);
      const wrong: string[] = [];
      for (const entry of entries) {
        if (toolsOnly && (await toolOf(entry)) === undefined) continue;
        if ((await way(caller, entry)) === isAllowed(caller, entry)) wrong.push(entry.name);
      }
      expect(wrong).toEqual([]);
    },
  );
});

it("a stranger gets no further than the door, whatever it asks for", async () => {
  const stranger: Caller = { name: "stranger", access: [] };
  const answers = await Promise.all(
    kernel.catalog.list().map(({ name, service, procedure }) => {
      const path = httpPath(service, name.slice(service.length + 1), procedure);
      return ask(stranger, path, { method: "POST", body: {} });
    }),
  );
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 401 });
});

it("a session belongs to its caller alone", async () => {
  const [reader, , , everything] = callers;
  if (reader === undefined || everything === undefined) throw new Error("the table has changed");
  const session = await openSession(everything);
  const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  expect((await ask(reader, "/mcp", { method: "POST", headers, body })).status).toBe(404);
  expect((await ask(everything, "/mcp", { method: "POST", headers, body })).status).toBe(200);
});
