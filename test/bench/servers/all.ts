/** Every server under test, by name. Each is started in a process of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { type Echo, echoSchema, mcpMeta, type Peer, sumInput, sumOutput } from "../payload.ts";
import { startRaw, startRawDocument } from "./raw.ts";

const listen = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

const plain: Peer["wire"] = (payload) => ({ path: `/${payload}`, body: undefined });

const raw = (): Promise<Peer> =>
  startRaw({ sum: (value) => value as { a: number; b: number }, echo: (value) => value as Echo });

const rawZod = (): Promise<Peer> => {
  const [input, echo] = [z.compile(sumInput), z.compile(echoSchema)];
  return startRaw({ sum: (value) => z.parse(input, value), echo: (value) => z.parse(echo, z.parse(echo, value)) });
};

/** Microseconds that the sum is held up, for the test that a slowdown is found. */
const slowdown = Number(process.env.BENCH_SLOWDOWN_MICROS ?? 0);

const spin = (micros: number): void => {
  const end = performance.now() + micros / 1_000;
  while (performance.now() < end);
};

/** A state folder for one run: the user's own is none of a bench's business. */
const ownState = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const fairlead = async () => {
  const { defineContract, query } = await import("@fairlead/contracts");
  const { defineService } = await import("@fairlead/kernel/service");
  const { openKernel, makeLog } = await import("@fairlead/kernel");
  const { defineRouter } = await import("@fairlead/kernel/trpc");
  const contract = defineContract({
    id: "bench",
    version: "1.0.0",
    summary: "Answers benches.",
    procedures: {
      sum: query({ summary: "Adds.", input: sumInput, output: sumOutput, policy: { concurrency: 1_000 } }),
      echo: query({ summary: "Gives back.", input: echoSchema, output: echoSchema, policy: { concurrency: 1_000 } }),
    },
  });
  const service = defineService(contract, () => ({
    handlers: {
      sum: ({ a, b }) => {
        if (slowdown > 0) spin(slowdown);
        return { sum: a + b };
      },
      echo: (value) => value,
    },
  }));
  const tool = (name: "sum" | "echo") => {
    const { input, output, summary } = contract.procedures[name];
    return {
      procedure: `bench.${name}`,
      wrapped: false,
      tool: {
        name,
        description: summary,
        inputSchema: z.toJSONSchema(input, { io: "input" }),
        outputSchema: z.toJSONSchema(output),
      },
    };
  };
  const kernel = await openKernel({
    env: {},
    flags: { port: 0, stateDir: ownState() },
    log: makeLog({ level: "error" }),
    services: [service],
    manifest: {
      version: 1,
      url: import.meta.url,
      services: [],
      tools: async () => [tool("sum"), tool("echo")],
      openapi: async () => "{}",
      schema: async () => undefined,
      router: async () =>
        defineRouter(({ query: ask }) => ({ bench: { sum: ask("bench.sum"), echo: ask("bench.echo") } })),
    },
  });
  return (await kernel.serve()).port;
};

const fairleadHttp = async (): Promise<Peer> => ({
  port: await fairlead(),
  wire: (payload) => ({ path: `/api/bench/${payload}`, body: undefined }),
});

const fairleadTrpc = async (): Promise<Peer> => ({
  port: await fairlead(),
  wire: (payload) => ({ path: `/trpc/bench.${payload}`, body: undefined }),
});

const mcpWire: Peer["wire"] = (payload) => ({
  path: "/mcp",
  body: undefined,
  headers: {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": payload,
  },
});

const fairleadMcp = async (): Promise<Peer> => ({ port: await fairlead(), wire: mcpWire });

const trpc = async (): Promise<Peer> => {
  const { initTRPC } = await import("@trpc/server");
  const { createHTTPServer } = await import("@trpc/server/adapters/standalone");
  const t = initTRPC.create();
  const router = t.router({
    sum: t.procedure
      .input(sumInput)
      .output(sumOutput)
      .query(({ input: { a, b } }) => ({ sum: a + b })),
    echo: t.procedure
      .input(echoSchema)
      .output(echoSchema)
      .query(({ input }) => input),
  });
  return { port: await listen(createHTTPServer({ router, allowMethodOverride: true })), wire: plain };
};

const orpc = async (): Promise<Peer> => {
  const { os } = await import("@orpc/server");
  const { RPCHandler } = await import("@orpc/server/node");
  const router = {
    sum: os
      .input(sumInput)
      .output(sumOutput)
      .handler(({ input: { a, b } }) => ({ sum: a + b })),
    echo: os
      .input(echoSchema)
      .output(echoSchema)
      .handler(({ input }) => input),
  };
  const handler = new RPCHandler(router);
  const server = createServer((incoming, response) => void handler.handle(incoming, response, { context: {} }));
  return { port: await listen(server), wire: plain };
};

const effect = async (): Promise<Peer> => {
  const { Effect, Layer, Schema } = await import("effect");
  const { HttpRouter } = await import("effect/http");
  const { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } = await import("effect/http-api");
  const { NodeHttpServer } = await import("@effect/platform-node");
  const Item = Schema.Struct({
    id: Schema.Number.check(Schema.isInt()),
    name: Schema.String,
    tags: Schema.Array(Schema.String),
    price: Schema.Number,
    nested: Schema.Struct({ x: Schema.Number, y: Schema.Number, label: Schema.String }),
  });
  const EchoSchema = Schema.Struct({ title: Schema.String, items: Schema.Array(Item) });
  const Int = Schema.Number.check(Schema.isInt());
  const Api = HttpApi.make("bench").add(
    HttpApiGroup.make("bench")
      .add(
        HttpApiEndpoint.post("sum", "/sum", {
          payload: Schema.Struct({ a: Int, b: Int }),
          success: Schema.Struct({ sum: Int }),
        }),
      )
      .add(HttpApiEndpoint.post("echo", "/echo", { payload: EchoSchema, success: EchoSchema })),
  );
  const Group = HttpApiBuilder.group(Api, "bench", (handlers) =>
    handlers
      .handle("sum", ({ payload: { a, b } }) => Effect.succeed({ sum: a + b }))
      .handle("echo", ({ payload }) => Effect.succeed(payload)),
  );
  const server = createServer();
  const Served = HttpRouter.serve(HttpApiBuilder.layer(Api).pipe(Layer.provide(Group)), { disableLogger: true }).pipe(
    Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })),
  );
  Effect.runFork(Layer.launch(Served));
  await new Promise<void>((resolve) => server.once("listening", resolve));
  return { port: (server.address() as AddressInfo).port, wire: plain };
};

const mcpSdk = async (): Promise<Peer> => {
  const { createMcpHandler, Server } = await import("@modelcontextprotocol/server");
  const { toNodeHandler } = await import("@modelcontextprotocol/node");
  const [input, echo] = [z.compile(sumInput), z.compile(echoSchema)];
  const handler = createMcpHandler(
    () => {
      const server = new Server({ name: "bench", version: "1.0.0" }, { capabilities: { tools: {} } });
      server.setRequestHandler("tools/call", ({ params }) => {
        const value =
          params.name === "sum"
            ? addition(z.parse(input, params.arguments))
            : z.parse(echo, z.parse(echo, params.arguments));
        return { structuredContent: value, content: [{ type: "text", text: JSON.stringify(value) }] };
      });
      return server;
    },
    { legacy: "reject" },
  );
  const serve = toNodeHandler(handler);
  return {
    port: await listen(
      createServer((incoming, response) => void serve(incoming as Parameters<typeof serve>[0], response)),
    ),
    wire: mcpWire,
  };
};

const addition = ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b });

const listWire =
  (path: string): Peer["wire"] =>
  () => ({
    path,
    body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: mcpMeta } },
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    },
  });

const allServices = async () => {
  const { openKernel, makeLog } = await import("@fairlead/kernel");
  const kernel = await openKernel({
    env: {},
    flags: { port: 0, stateDir: ownState() },
    log: makeLog({ level: "error" }),
  });
  return { kernel, port: (await kernel.serve()).port };
};

const fairleadList = async (): Promise<Peer> => ({ port: (await allServices()).port, wire: listWire("/mcp") });

/** Parses the request and sends the bytes of the same list, which are there already. */
const rawList = async (): Promise<Peer> => {
  const { kernel, port } = await allServices();
  const { headers, body } = listWire("/mcp")("sum");
  const asked = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const list = Buffer.from(await asked.arrayBuffer());
  await kernel.close();
  return startRawDocument(list, listWire("/"));
};

/** What `bench -- --check` asks beside the servers of the table. */
export const listServers = {
  "Fairlead MCP tools/list": fairleadList,
  "raw node:http, the bytes of tools/list": rawList,
} as const satisfies Readonly<Record<string, () => Promise<Peer>>>;

export const servers = {
  "raw node:http": raw,
  "raw node:http + compiled Zod": rawZod,
  "Fairlead HTTP": fairleadHttp,
  "oRPC RPCHandler": orpc,
  "Effect HttpApi": effect,
  "Fairlead tRPC": fairleadTrpc,
  "tRPC standalone": trpc,
  "Fairlead MCP": fairleadMcp,
  "MCP SDK v2 bare handler": mcpSdk,
} as const satisfies Readonly<Record<string, () => Promise<Peer>>>;

export type ServerName = keyof typeof servers;

export type ListServerName = keyof typeof listServers;
