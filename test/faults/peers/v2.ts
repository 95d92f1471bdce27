/**
 * An MCP server made with the SDK's second major: over stdio in both eras, over HTTP in the stateless one alone.
 *
 * `node v2.ts stdio`, or `node v2.ts http <port>`; in this process by `serveV2`.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, inputRequired, inputResponse, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { form, type PeerState, peerState, peerTools, prompt, runTool, text } from "./tools.ts";
import type { ServedPeer } from "./v1.ts";

const serverFor = (state: PeerState): Server => {
  const server = new Server(
    { name: "peer-v2", version: "2.0.0" },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  server.setRequestHandler("tools/list", () => ({ tools: peerTools(state) }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    if (params.name === "ask") {
      const given = inputResponse(mcpReq.inputResponses, "name");
      if (given.kind === "missing") return inputRequired({ inputRequests: { name: inputRequired.elicit(form) } });
      const { action, content } = { content: undefined, ...given } as { action?: string; content?: unknown };
      return text(`${action} ${JSON.stringify(content ?? null)}`);
    }
    if (params.name === "sample") {
      const given = inputResponse(mcpReq.inputResponses, "said");
      if (given.kind !== "sampling")
        return inputRequired({ inputRequests: { said: inputRequired.createMessage(prompt) } });
      return text(JSON.stringify((given.result as { content?: unknown }).content));
    }
    return runTool(state, params.name, {
      input: params.arguments ?? {},
      meta: mcpReq._meta ?? {},
      signal: mcpReq.signal,
      progress: async (progress, total) => {
        const progressToken = mcpReq._meta?.progressToken;
        if (progressToken === undefined) return;
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, total } });
      },
      log: (level, data) => mcpReq.log(level, data),
    });
  });
  return server;
};

export const serveV2 = async (port = 0): Promise<ServedPeer> => {
  const state = peerState();
  let opened = 0;
  const handler = createMcpHandler(
    () => {
      opened += 1;
      return serverFor(state);
    },
    { legacy: "reject" },
  );
  state.changed.push(() => handler.notify.toolsChanged());
  const answer = toNodeHandler(handler);
  const http = createServer((request, response) => void answer(request as Parameters<typeof answer>[0], response));
  // An upstream that closes a resting connection breaks the call that is on its way to it.
  http.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => http.listen(port, "127.0.0.1", resolve));
  const bound = (http.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/mcp`,
    port: bound,
    state,
    opened: () => opened,
    forget: () => undefined,
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
};

const [, file = "", mode, port] = process.argv;
if (file.endsWith("/peers/v2.ts")) {
  const state = peerState();
  if (mode === "stdio") {
    serveStdio(() => {
      const server = serverFor(state);
      state.changed.push(() => void server.sendToolListChanged().catch(() => undefined));
      return server;
    });
  } else console.log((await serveV2(Number(port))).url);
}
