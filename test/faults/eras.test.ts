/**
 * Both eras both ways: clients of 2025 and of 2026 in front of upstreams of 2025 and of 2026, over HTTP and over processes; whatever goes
 * through must arrive as the other side's era says it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Kernel, openKernel } from "@fairlead/kernel";
import connections from "@fairlead/service-connections";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { calmTimes } from "./board.ts";
import { type ServedPeer, serveV1 } from "./peers/v1.ts";
import { serveV2 } from "./peers/v2.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const eras = ["legacy", "modern"] as const;
type Era = (typeof eras)[number];

interface Pair {
  /** The client's era. */
  readonly down: Era;
  /** Name of the connection: the upstream's era, and how it is reached. */
  readonly up: string;
}

const upstreams = eras.flatMap((era) => ["http", "process"].map((by) => `${era}-${by}`));
const pairs: readonly Pair[] = eras.flatMap((down) => upstreams.map((up) => ({ down, up })));

let kernel: Kernel;
let mcp: string;
const peers: ServedPeer[] = [];
const stateDir = mkdtempSync(join(tmpdir(), "fairlead-eras-"));
const program = (name: string) => ({
  command: process.execPath,
  args: ["--conditions=@fairlead/source", fileURLToPath(new URL(`./peers/${name}.ts`, import.meta.url)), "stdio"],
});

beforeAll(async () => {
  const legacy = await serveV1();
  const modern = await serveV2();
  peers.push(legacy, modern);
  kernel = await openKernel({
    services: [connections],
    config: {
      lagMs: 60_000,
      port: 0,
      stateDir,
      services: {
        connections: {
          times: calmTimes,
          upstreams: {
            "legacy-http": { url: legacy.url },
            "modern-http": { url: modern.url },
            "legacy-process": program("v1"),
            "modern-process": program("v2"),
          },
        },
      },
      log: { level: "error" },
    },
    env: { PATH: process.env.PATH },
  });
  ({ mcp } = await kernel.serve());
  const caller = kernel.connect();
  for (const name of upstreams) {
    await vi.waitFor(
      async () => {
        const { value } = { value: {}, ...(await caller.call("connections.status", { name })) };
        expect(value).toMatchObject({ state: "connected", era: name.split("-")[0] });
      },
      { timeout: 60_000 },
    );
  }
});

afterAll(async () => {
  await kernel.close();
  for (const peer of peers) await peer.close();
  rmSync(stateDir, { recursive: true });
});

interface Ears {
  readonly onChanged?: () => void;
  readonly answer?: (asked: { readonly method: string; readonly params: unknown }) => unknown;
}

/** Runs with a client of that era, which is closed afterwards. */
const withClient = async (era: Era, { onChanged, answer }: Ears, work: (client: Client) => Promise<void>) => {
  const mode = era === "modern" ? { pin: "2026-07-28" } : "legacy";
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode },
      ...(answer !== undefined && { capabilities: { elicitation: {}, sampling: {} } }),
      ...(onChanged !== undefined && { listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } } }),
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", (asked) => answer(asked) as { action: "accept" });
    client.setRequestHandler("sampling/createMessage", (asked) => answer(asked) as never);
  }
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp)));
  try {
    await work(client);
  } finally {
    await client.close();
  }
};

const textOf = ({ content }: { readonly content: unknown }): string =>
  (content as readonly { readonly text: string }[])[0]?.text ?? "";

/** What the upstream has seen. */
const seen = async (client: Client, up: string) =>
  JSON.parse(textOf(await client.callTool({ name: `${up}__seen`, arguments: {} }))) as {
    readonly hanging: number;
    readonly cancelled: number;
    readonly traceparent: string | null;
  };

/** The eight things that go through. */
const matters: Readonly<Record<string, (pair: Pair) => Promise<void>>> = {
  "tools, their results and their errors": ({ down, up }) =>
    withClient(down, {}, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === `${up}__echo`)).toMatchObject({
        description: "Gives back what it is given.",
        inputSchema: { type: "object", properties: { message: { type: "string" } } },
        annotations: { readOnlyHint: true },
      });
      const result = await client.callTool({ name: `${up}__echo`, arguments: { message: "hello" } });
      expect(result.content).toEqual([{ type: "text", text: "hello" }]);
      const failed = await client.callTool({ name: `${up}__fail`, arguments: {} });
      expect(failed).toMatchObject({ isError: true, content: [{ type: "text", text: "it failed" }] });
    }),

  progress: ({ down, up }) =>
    withClient(down, {}, async (client) => {
      const told: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => {
        told.push(progress);
        // The SDK's client forgets progress that comes in one piece with the result: so the result waits for it.
        if (progress === 3) client.callTool({ name: `${up}__go`, arguments: {} }).catch(() => undefined);
      };
      await client.callTool({ name: `${up}__slow`, arguments: { ms: 1, waits: true } }, { onprogress });
      expect(told).toEqual([1, 2, 3]);
    }),

  cancellation: ({ down, up }) =>
    withClient(down, {}, async (client) => {
      const before = await seen(client, up);
      const stop = new AbortController();
      const call = client.callTool({ name: `${up}__hang`, arguments: {} }, { signal: stop.signal });
      call.catch(() => undefined);
      const now = () => seen(client, up);
      await expect.poll(now).toMatchObject({ hanging: before.hanging + 1 });
      stop.abort();
      await expect(call).rejects.toThrow();
      await expect.poll(now).toMatchObject({ cancelled: before.cancelled + 1 });
      // A process that does not answer what was cancelled may still ask for it: until then other clients' questions are refused (ADR 0244).
      const caller = kernel.connect();
      await caller.call("connections.reconnect", { name: up });
      const status = async () => ({ value: {}, ...(await caller.call("connections.status", { name: up })) }).value;
      await expect.poll(status, { timeout: 60_000 }).toMatchObject({ state: "connected" });
    }),

  "log messages, of the level that the client wants": ({ down, up }) =>
    withClient(down, {}, async (client) => {
      const messages: unknown[] = [];
      client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params));
      const talk = (level?: string) =>
        client.callTool({
          name: `${up}__talk`,
          arguments: {},
          ...(level !== undefined && { _meta: { "io.modelcontextprotocol/logLevel": level } }),
        });
      expect(textOf(await talk())).toBe("talked");
      if (down === "legacy") await client.setLoggingLevel("info");
      expect(textOf(await talk(down === "modern" ? "info" : undefined))).toBe("talked");
      await expect
        .poll(() => messages)
        .toEqual([
          { level: "info", logger: up, data: "a step" },
          { level: "error", logger: up, data: "a fault" },
        ]);
    }),

  elicitation: ({ down, up }) =>
    withClient(
      down,
      {
        answer: ({ params }) => {
          expect(params).toMatchObject({ message: "What is your name?" });
          return { action: "accept", content: { name: "Ada" } };
        },
      },
      async (client) => {
        const answered = await client.callTool({ name: `${up}__ask`, arguments: {} });
        expect(textOf(answered)).toBe('accept {"name":"Ada"}');
      },
    ),

  "a question that the client cannot answer": ({ down, up }) =>
    withClient(down, {}, async (client) => {
      const refused = await client.callTool({ name: `${up}__ask`, arguments: {} });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toMatch("the caller could not be asked (elicitation/create)");
    }),

  sampling: ({ down, up }) =>
    withClient(
      down,
      {
        answer: ({ params }) => {
          expect(params).toMatchObject({ maxTokens: 100 });
          return { role: "assistant", model: "test", content: { type: "text", text: "Paris" } };
        },
      },
      async (client) => {
        const answered = await client.callTool({ name: `${up}__sample`, arguments: {} });
        expect(textOf(answered)).toBe('{"type":"text","text":"Paris"}');
      },
    ),

  "that the tools have changed": async ({ down, up }) => {
    let told = 0;
    const onChanged = (): void => {
      told += 1;
    };
    await withClient(down, { onChanged }, async (client) => {
      const count = async () =>
        (await client.listTools(undefined, { cacheMode: "refresh" })).tools.filter(({ name }) => name.startsWith(up))
          .length;
      const before = await count();
      const already = told;
      await client.callTool({ name: `${up}__grow`, arguments: {} });
      await expect.poll(() => told).toBeGreaterThan(already);
      await expect.poll(count).toBe(before + 1);
    });
  },

  "the trace": ({ down, up }) =>
    withClient(down, {}, async (client) => {
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      await client.callTool({ name: `${up}__echo`, arguments: { message: "x" }, _meta: { traceparent } });
      expect((await seen(client, up)).traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
    }),
};

/** In the quick tier each matter over one pair, in turn. */
describe.each(pairs.map((pair, turn) => ({ ...pair, turn })))("$down client, $up upstream", ({ turn, ...pair }) => {
  const tried = Object.entries(matters).filter((_, at) => inLongTier || at % pairs.length === turn);
  it.each(tried.filter((_, at) => inLongTier || at % 2 === 0))("passes on %s (property 5)", (_, matter) =>
    matter(pair),
  );
});

/** A process of the session era cannot say which call a question belongs to: `caller-questions.test.ts` has what follows. */
describe.each(pairs.filter(({ up }) => up !== "legacy-process"))("$down clients, $up upstream", ({ down, up }) => {
  it("each is asked its own question", async () => {
    const users = Array.from({ length: 8 }, (_, at) => `user ${at}`);
    const answers = await Promise.all(
      users.map(async (name) => {
        let text = "";
        await withClient(down, { answer: () => ({ action: "accept", content: { name } }) }, async (client) => {
          text = textOf(await client.callTool({ name: `${up}__ask`, arguments: {} }));
        });
        return text;
      }),
    );
    expect(answers).toEqual(users.map((name) => `accept ${JSON.stringify({ name })}`));
  });
});
