/** Upstreams over HTTP that are not as the newest revision has them: the transport of 2024-11-05, and one that sends its clients away for a while. */
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { openBoard } from "./board.ts";
import { peerState, peerTools, runTool } from "./peers/tools.ts";

const listen = async (server: HttpServer): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const close = (server: HttpServer): Promise<void> => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
};

/** A server with a stream at `/sse` and an address to post to, and nothing else. */
const serveOlder = async () => {
  const state = peerState();
  const open = new Map<string, SSEServerTransport>();
  let opened = 0;
  const http = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "GET" && url.pathname === "/sse") {
      const server = new Server(
        { name: "older", version: "1.0.0" },
        { capabilities: { tools: { listChanged: true } } },
      );
      server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: peerTools(state) }));
      server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
        runTool(state, params.name, {
          input: params.arguments ?? {},
          meta: {},
          signal,
          progress: async () => undefined,
          log: async () => undefined,
        }),
      );
      state.changed.push(() => void server.sendToolListChanged().catch(() => undefined));
      const transport = new SSEServerTransport("/messages", response);
      open.set(transport.sessionId, transport);
      opened += 1;
      return server.connect(transport);
    }
    const transport = open.get(url.searchParams.get("sessionId") ?? "");
    if (request.method !== "POST" || url.pathname !== "/messages" || transport === undefined) {
      return void response.writeHead(404).end("Cannot do that");
    }
    return transport.handlePostMessage(request, response);
  });
  const origin = await listen(http);
  return {
    origin,
    opened: () => opened,
    /** Breaks every stream. */
    cut: () => http.closeAllConnections(),
    close: () => close(http),
  };
};

it("a server that knows only the stream of 2024-11-05 is connected, followed and called, and comes back", async () => {
  const peer = await serveOlder();
  const board = await openBoard();
  await board.add("up", `${peer.origin}/sse`);
  await board.becomes("up", "connected");
  expect(await board.status("up")).toMatchObject({ era: "legacy", lastError: null });
  expect(await board.call("up__echo", { message: "hello" })).toMatchObject({ ok: true, text: "hello" });
  const { tools } = await board.status("up");
  await board.call("up__grow");
  await expect.poll(async () => (await board.status("up")).tools).toBe(tools + 1);
  const hanging = board.call("up__hang");
  await expect.poll(async () => JSON.parse(((await board.call("up__seen")) as { text: string }).text).hanging).toBe(1);
  peer.cut();
  expect(await hanging).toMatchObject({ ok: false, error: { reason: "upstream_unavailable", data: { sent: true } } });
  await board.becomes("up", "connected");
  expect(await board.call("up__echo", { message: "again" })).toMatchObject({ ok: true, text: "again" });
  expect(peer.opened()).toBe(2);
  await board.add("elsewhere", `${peer.origin}/nothing`);
  await board.becomes("elsewhere", "blocked");
  expect((await board.status("elsewhere")).lastError).toMatchObject({ reason: "not_found" });
  await board.close();
  await peer.close();
});

it("one that sends its clients away is left alone for as long, and calls are answered at once", async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(503, { "retry-after": "120" }).end("a deployment");
  });
  const board = await openBoard();
  await board.add("up", `${await listen(server)}/mcp`);
  await board.becomes("up", "reconnecting");
  const { nextRetry } = (await board.status("up")) as unknown as { readonly nextRetry: string };
  expect(Date.parse(nextRetry) - Date.now()).toBeGreaterThan(60_000);
  const before = requests;
  expect(await board.call("up__echo")).toMatchObject({ ok: false });
  expect(requests).toBe(before);
  await board.close();
  await close(server);
});
