/**
 * The main job, as a user does it: start the kernel with the command, ask it to resolve one attack by every way in, and get the
 * same answer from each, byte for byte. Then stop it.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, fetchTransport, memoryTransport } from "@fairlead/client";
import type { AppRouter } from "@fairlead/client/app-router";
import { type ResolveAttackInput, type RulesTypes, rules } from "@fairlead/client/rules";
import { makeLog, openKernel } from "@fairlead/kernel";
import { Client, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Command, environmentOf, ownBin, repository, run, type Started, start, stop } from "./command.ts";

const example = join(repository, "examples/attack.json");
const clientInfo = { name: "main-job", version: "1.0.0" };

interface Addresses {
  readonly http: string;
  readonly trpc: string;
  readonly mcp: string;
  readonly openapi: string;
}

let command: Command;
let up: Started;
let at: Addresses;
let origin: string;
let attack: ResolveAttackInput;
/** The same as the tool takes it. */
let action: Record<string, unknown>;
/** What the command printed: the bytes that all others must give. */
let expected: string;

beforeAll(async () => {
  const state = await mkdtemp(join(tmpdir(), "fairlead-main-job-"));
  command = { bin: ownBin, cwd: repository, env: { XDG_STATE_HOME: state } };
  attack = JSON.parse(await readFile(example, "utf8"));
  const { intent, ...rest } = attack;
  action = { ...rest, ...intent };
  const began = performance.now();
  up = start(command, ["up", "--port", "0"]);
  at = addressesIn(await up.until(/(.*\n){4}/));
  console.info(`fairlead up: listening after ${Math.round(performance.now() - began)} ms`);
  origin = new URL(at.http).origin;
  const called = await run(command, ["call", "rules.resolveAttack", "-d", `@${example}`]);
  expect(called).toMatchObject({ code: 0, err: "" });
  expected = called.out.trimEnd();
});

afterAll(async () => {
  await stop(up);
  await rm(command.env?.XDG_STATE_HOME ?? "", { recursive: true, force: true });
});

/** The four lines that `fairlead up` prints for people. */
const addressesIn = (text: string): Addresses => {
  const found = new Map([...text.matchAll(/^(\w+) +(http:\S+)$/gm)].map(([, name = "", url = ""]) => [name, url]));
  const address = (name: string): string => found.get(name) ?? expect.fail(`no address of ${name} in ${text}`);
  return { http: address("HTTP"), trpc: address("tRPC"), mcp: address("MCP"), openapi: address("OpenAPI") };
};

interface ToolResult {
  readonly structuredContent?: unknown;
  readonly content?: unknown;
  readonly isError?: unknown;
}

/** The answer of the tool, which its text repeats. */
const outputOf = ({ structuredContent, content, isError }: ToolResult): string => {
  expect(isError).not.toBe(true);
  const text = JSON.stringify(structuredContent);
  expect(content).toEqual([{ type: "text", text }]);
  return text;
};

const byElder = async (transport: HttpV1 | StdioV1): Promise<string> => {
  const client = new ClientV1(clientInfo);
  // The SDK's own classes do not fit its own interface under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  try {
    return outputOf((await client.callTool({ name: "resolve_attack", arguments: action })) as ToolResult);
  } finally {
    await client.close();
  }
};

const byModern = async (transport: HttpV2 | StdioV2): Promise<string> => {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(transport);
  try {
    return outputOf(await client.callTool({ name: "resolve_attack", arguments: action }));
  } finally {
    await client.close();
  }
};

const stdio = () => ({
  command: process.execPath,
  args: [ownBin, "mcp", "serve", "--stdio"],
  cwd: repository,
  env: environmentOf(command),
  stderr: "ignore" as const,
});

const asDocumented = async (): Promise<string> => {
  const document = (await (await fetch(at.openapi)).json()) as {
    readonly servers: readonly { readonly url: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
  };
  // Relative to the document, as the specification says.
  const base = new URL(document.servers[0]?.url ?? "/", at.openapi);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => ({ path, method, operationId })),
  );
  const found = operations.find(({ operationId }) => operationId === "rules.resolveAttack");
  const answer = await fetch(new URL(found?.path ?? "", base), {
    method: found?.method.toUpperCase() ?? "",
    headers: { "content-type": "application/json" },
    body: await readFile(example),
  });
  expect(answer.status).toBe(200);
  return answer.text();
};

const ways: readonly (readonly [name: string, ask: () => Promise<string>])[] = [
  [
    "fairlead call --url",
    async () => {
      const called = await run(command, ["call", "rules.resolveAttack", "-d", `@${example}`, "--url", origin]);
      expect(called).toMatchObject({ code: 0, err: "" });
      return called.out.trimEnd();
    },
  ],
  ["plain HTTP, as the OpenAPI document says", asDocumented],
  [
    "the generated TypeScript client",
    async () => {
      const client = createClient<RulesTypes>(rules, fetchTransport({ url: origin }));
      return JSON.stringify(await client.resolveAttack(attack));
    },
  ],
  [
    "a plain tRPC client",
    async () => {
      const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: at.trpc, methodOverride: "POST" })] });
      return JSON.stringify(await client.rules.resolveAttack.query(attack));
    },
  ],
  ["MCP 2025-11-25 at /mcp", () => byElder(new HttpV1(new URL(at.mcp)))],
  ["MCP 2025-11-25 at /mcp/rules", () => byElder(new HttpV1(new URL(`${at.mcp}/rules`)))],
  ["MCP 2026-07-28 at /mcp", () => byModern(new HttpV2(new URL(at.mcp)))],
  ["MCP 2026-07-28 at /mcp/rules", () => byModern(new HttpV2(new URL(`${at.mcp}/rules`)))],
  ["MCP 2025-11-25 over stdio", () => byElder(new StdioV1(stdio()))],
  ["MCP 2026-07-28 over stdio", () => byModern(new StdioV2(stdio()))],
  [
    "the memory transport",
    async () => {
      const log = makeLog({ level: "error", write: () => {} });
      const kernel = await openKernel({ env: {}, log });
      const client = createClient<RulesTypes>(rules, memoryTransport(kernel.connect()));
      const output = await client.resolveAttack(attack);
      await kernel.close();
      return JSON.stringify(output);
    },
  ],
];

it.each(["client.ts", "trpc.ts"])("examples/%s prints it, too", async (script) => {
  const node = { ...command, bin: "--conditions=@fairlead/source", env: { FAIRLEAD_URL: origin } };
  const { code, out, err } = await run(node, [`examples/${script}`]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.split("\n")[0]).toBe(expected);
});

it("is a real answer, with the dice that the seed gives", () => {
  expect(JSON.parse(expected)).toMatchObject({ dice: { seed: "aria-and-the-goblin" } });
});

/** The quick tier takes every other one. */
const tried = ways.filter((_, at) => process.env.TESTS_TIER === "long" || at % 3 === 0);

it.each(tried)("the same bytes from %s", async (_, ask) => {
  expect(await ask()).toBe(expected);
});

it("a wrong field exits 7, with path, expectation and fix", async () => {
  const wrong = JSON.stringify({ ...attack, intent: { ...attack.intent, weapon: 7 } });
  const called = await run(command, ["call", "rules.resolveAttack", "-d", wrong]);
  expect(called).toMatchObject({ code: 7, out: "" });
  expect(JSON.parse(called.err.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    error: {
      code: "invalid_argument",
      issues: [{ path: "intent.weapon", expected: expect.any(String), fix: expect.any(String) }],
    },
  });
});

describe("what MCP clients are offered", () => {
  const toolsAt = async (url: string) => {
    const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new HttpV2(new URL(url)));
    const { tools } = await client.listTools();
    await client.close();
    return tools;
  };

  it("is every tool at /mcp, and one service's at /mcp/rules", async () => {
    const all = (await toolsAt(at.mcp)).map(({ name }) => name);
    const ofRules = (await toolsAt(`${at.mcp}/rules`)).map(({ name }) => name);
    const spec = ["mark_impossible", "mark_no_check", "resolve_attack", "resolve_saving_throw", "resolve_skill_check"];
    expect(ofRules).toEqual(expect.arrayContaining(spec));
    expect(ofRules).not.toContain("kernel_services");
    expect(all).toEqual(expect.arrayContaining([...ofRules, "kernel_services"]));
  });

  it("is described by schemas and annotations", async () => {
    const tool = (await toolsAt(at.mcp)).find(({ name }) => name === "resolve_attack");
    expect(tool).toMatchObject({
      description: expect.any(String),
      inputSchema: { type: "object", required: ["weapon", "target"] },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: false, destructiveHint: false },
    });
  });
});

it("stops cleanly on an interrupt: nothing is left running, and the port is free again", async () => {
  up.child.kill("SIGINT");
  const { code, signal } = await up.ended;
  expect({ code, signal }).toEqual({ code: 130, signal: null });
  expect(up.groupLives()).toBe(false);
  await new Promise<void>((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(Number(new URL(origin).port), "127.0.0.1", () => server.close(() => resolve()));
  });
});
