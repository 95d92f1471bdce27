/**
 * An MCP server of the session era, made with the SDK's first major: over stdio, or HTTP with sessions.
 *
 * `node v1.ts stdio`, or `node v1.ts http <port>`; in this process by `serveV1`.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  isInitializeRequest,
  ListToolsRequestSchema,
  SetLevelRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { form, type PeerState, peerState, peerTools, prompt, runTool, text } from "./tools.ts";

const serverFor = (state: PeerState): Server => {
  const server = new Server(
    { name: "peer-v1", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    state.logLevels.push(params.level);
    return {};
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: peerTools(state) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    if (params.name === "ask") {
      const request = { method: "elicitation/create" as const, params: form };
      const { action, content } = await extra.sendRequest(request, ElicitResultSchema);
      return text(`${action} ${JSON.stringify(content ?? null)}`);
    }
    if (params.name === "sample") {
      const request = { method: "sampling/createMessage" as const, params: prompt };
      const { content } = await extra.sendRequest(request, CreateMessageResultSchema);
      return text(JSON.stringify(content));
    }
    return runTool(state, params.name, {
      input: params.arguments ?? {},
      meta: params._meta ?? {},
      signal: extra.signal,
      progress: async (progress, total) => {
        const progressToken = params._meta?.progressToken;
        if (progressToken === undefined) return;
        await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress, total } });
      },
      log: (level, data) => extra.sendNotification({ method: "notifications/message", params: { level, data } }),
    });
  });
  state.changed.push(() => void server.sendToolListChanged().catch(() => undefined));
  return server;
};

export interface ServedPeer {
  readonly url: string;
  readonly port: number;
  readonly state: PeerState;
  /** How many sessions were opened, or servers made. */
  readonly opened: () => number;
  /** Forgets every session, as a restart behind a balancer does. */
  forget(): void;
  close(): Promise<void>;
}

export const serveV1 = async (port = 0): Promise<ServedPeer> => {
  const state = peerState();
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let opened = 0;
  const http = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    const body = request.method === "POST" ? await bodyOf(request) : undefined;
    if (known !== undefined) return void known.handleRequest(request, response, body);
    if (id !== undefined) return void response.writeHead(404).end("no such session");
    if (!isInitializeRequest(body)) return void response.writeHead(400).end("no session");
    opened += 1;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void sessions.set(made, transport),
    });
    await serverFor(state).connect(transport as Parameters<Server["connect"]>[0]);
    await transport.handleRequest(request, response, body);
  });
  // An upstream that closes a resting connection breaks the call that is on its way to it.
  http.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const bound = (http.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    port: bound,
    state,
    opened: () => opened,
    forget: () => sessions.clear(),
    close: async () => {
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
};

export const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const [, file = "", mode, port] = process.argv;
if (file.endsWith("/peers/v1.ts")) {
  if (mode === "stdio") await serverFor(peerState()).connect(new StdioServerTransport());
  else console.log((await serveV1(Number(port))).url);
}
