/**
 * The spec's loop, end to end on a real repository, by every way in: MCP over stdio and HTTP in both eras, tRPC, plain HTTP, the
 * generated client and the direct client. Under one clock and one source of ids all of them write the same log, byte for byte.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, fetchTransport } from "@fairlead/client";
import type { AppRouter } from "@fairlead/client/app-router";
import { type LoopTypes, loop as loopDescriptor } from "@fairlead/client/loop";
import { makeLog, openKernel } from "@fairlead/kernel";
import { loopService } from "@fairlead/service-loop";
import { DirectClient } from "@fairlead/service-loop/direct-client";
import { Client, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createTRPCClient, httpLink } from "@trpc/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { environmentOf, ownBin } from "./command.ts";
import { type Ask, play } from "./loop-project/model.ts";
import { emptyRepository } from "./loop-project/repository.ts";
import { countedWorld } from "./loop-project/world.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const config = fileURLToPath(new URL("loop-project/fairlead.config.ts", import.meta.url));
const clientInfo = { name: "loop", version: "1.0.0" };
const modern = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

let folder: string;
let state: string;

beforeEach(() => {
  folder = emptyRepository();
  state = mkdtempSync(join(tmpdir(), "fairlead-loop-state-"));
});

afterEach(() => {
  for (const path of [dirname(folder), state]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
});

interface ToolResult {
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
  readonly content?: unknown;
}

const toolName = (procedure: string): string =>
  `promptwheel_${procedure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

const outputOf = ({ structuredContent, isError, content }: ToolResult): unknown => {
  if (isError === true) throw new Error(JSON.stringify(content));
  return structuredContent;
};

const byElder = async (transport: HttpV1 | StdioV1, use: (ask: Ask) => Promise<void>): Promise<void> => {
  const client = new ClientV1(clientInfo);
  // The SDK's own classes do not fit its own interface under exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  try {
    await use(async (name, input) =>
      outputOf((await client.callTool({ name: toolName(name), arguments: input })) as ToolResult),
    );
  } finally {
    await client.close();
  }
};

const byModern = async (transport: HttpV2 | StdioV2, use: (ask: Ask) => Promise<void>): Promise<void> => {
  const client = new Client(clientInfo, modern);
  await client.connect(transport);
  try {
    await use(async (name, input) => outputOf(await client.callTool({ name: toolName(name), arguments: input })));
  } finally {
    await client.close();
  }
};

/** The stdio server that a coding agent starts in the folder of its project. */
const stdio = () => ({
  command: process.execPath,
  args: [ownBin, "mcp", "serve", "--stdio", "--config", config],
  cwd: folder,
  env: environmentOf({ env: { XDG_STATE_HOME: state } }),
  stderr: "ignore" as const,
});

const overHttp = async (use: (url: string) => Promise<void>): Promise<void> => {
  const kernel = await openKernel({
    root: state,
    env: {},
    flags: { port: 0, lagMs: 60_000, stateDir: state },
    services: [loopService(() => ({ ...countedWorld(), folder }))],
    log: makeLog({ level: "error", write: () => {} }),
  });
  try {
    await use(`http://127.0.0.1:${(await kernel.serve()).port}`);
  } finally {
    await kernel.close();
  }
};

type Way = (use: (ask: Ask) => Promise<void>) => Promise<void>;

const plainHttp: Way = (use) =>
  overHttp((url) =>
    use(async (name, input) => {
      const answer = await fetch(`${url}/api/loop/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    }),
  );

const trpc: Way = (use) =>
  overHttp((url) => {
    const client = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc` })] });
    const procedures: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
      startSession: (input) => client.loop.startSession.mutate(input),
      advance: (input) => client.loop.advance.mutate(input),
      ingestEvent: (input) => client.loop.ingestEvent.mutate(input),
      endSession: (input) => client.loop.endSession.mutate(input),
    };
    return use(async (name, input) => procedures[name]?.(input as never));
  });

const generated: Way = (use) =>
  overHttp((url) => {
    const client = createClient<LoopTypes>(loopDescriptor, fetchTransport({ url }));
    const procedures: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
      startSession: (input) => client.startSession(input),
      advance: (input) => client.advance(input),
      ingestEvent: (input) => client.ingestEvent(input),
      endSession: (input) => client.endSession(input),
    };
    return use(async (name, input) => procedures[name]?.(input as never));
  });

const direct: Way = async (use) => {
  const client = await DirectClient.create({ projectPath: folder, ...countedWorld() });
  const procedures: Readonly<Record<string, (input: never) => unknown>> = {
    startSession: (input) => client.startSession(input),
    advance: () => client.advance(),
    ingestEvent: ({ type, payload }: Parameters<typeof event>[0]) => event({ type, payload }),
    endSession: () => client.endSession(),
  };
  const event = ({
    type,
    payload,
  }: {
    readonly type: "QA_PASSED";
    readonly payload: Readonly<Record<string, unknown>>;
  }) => client.ingestEvent(type, payload);
  try {
    await use(async (name, input) => procedures[name]?.(input as never));
  } finally {
    await client.close();
  }
};

const ways: readonly (readonly [name: string, way: Way])[] = [
  ["the direct client", direct],
  ["MCP 2025-11-25 over stdio", (use) => byElder(new StdioV1(stdio()), use)],
  ["MCP 2026-07-28 over stdio", (use) => byModern(new StdioV2(stdio()), use)],
  ["MCP 2025-11-25 over HTTP", (use) => overHttp((url) => byElder(new HttpV1(new URL(`${url}/mcp/loop`)), use))],
  ["MCP 2026-07-28 over HTTP", (use) => overHttp((url) => byModern(new HttpV2(new URL(`${url}/mcp`)), use))],
  ["tRPC", trpc],
  ["plain HTTP", plainHttp],
  ["the generated client", generated],
];

it("Codex is known by its name on MCP, and gets AGENTS.md first", async () => {
  for (const name of ["CLAUDE.md", "AGENTS.md"]) writeFileSync(join(folder, name), `Read ${name}.\n`);
  await overHttp(async (url) => {
    const client = new Client({ name: "codex-mcp-client", version: "1.0.0" }, modern);
    await client.connect(new HttpV2(new URL(`${url}/mcp`)));
    await client.callTool({ name: toolName("startSession"), arguments: {} });
    const { prompt } = outputOf(await client.callTool({ name: toolName("advance"), arguments: {} })) as {
      readonly prompt: string;
    };
    expect(prompt).toContain('<project-guidelines source="AGENTS.md">');
    await client.close();
  });
});

describe("the canonical loop", () => {
  let first: Readonly<Record<string, string>> | undefined;

  it.each(ways.filter((_, at) => inLongTier || [0, 7].includes(at)))("by %s", async (_name, way) => {
    await way(async (ask) => {
      expect(await play(ask, folder)).toEqual([
        "SCOUT",
        "PLAN",
        "EXECUTE",
        "QA",
        "PR",
        "PLAN",
        "EXECUTE",
        "QA",
        "PR",
        "DONE",
      ]);
    });
    const files = runFiles();
    expect(Object.keys(files).toSorted()).toEqual(
      expect.arrayContaining(["events.ndjson", "state.json", "artifacts/5-pr-created.json"]),
    );
    first ??= files;
    expect(files).toEqual(first);
  });
});

/** Every file of the one run, by name. */
const runFiles = (): Readonly<Record<string, string>> => {
  const runs = join(folder, ".promptwheel/runs");
  const [run = ""] = readdirSync(runs);
  const root = join(runs, run);
  const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length + 1), readFileSync(path, "utf8")];
    }),
  );
};
