/**
 * An MCP server with the 450 tools of other systems: what a kernel relays beside its own in a mixed catalogue. It does nothing; each call answers with a
 * reference that cannot be guessed, so that a right answer shows that the call was made.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
// @boundaries-ignore the catalogue that the search is tested with
import { otherTools } from "../../kernel/src/testing/tool-catalogue.ts";

/** What a call of that tool answers with. */
export const referenceOf = (tool: string): string =>
  `REF-${createHash("sha256").update(tool).digest("hex").slice(0, 10)}`;

interface OtherServer {
  readonly url: string;
  close(): Promise<void>;
}

export const serveOthers = async (): Promise<OtherServer> => {
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "work", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", () => ({ tools: [...otherTools] }));
    server.setRequestHandler("tools/call", ({ params: { name } }) => ({
      content: [{ type: "text", text: JSON.stringify({ ok: true, reference: referenceOf(name) }) }],
    }));
    return server;
  });
  const answer = toNodeHandler(handler);
  const http = createServer((request, response) => void answer(request as Parameters<typeof answer>[0], response));
  // A server that closes a resting connection breaks the call that is on its way to it.
  http.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
};
