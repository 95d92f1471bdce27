/** The ways into a handler: those that come by HTTP, without WebSockets and stdio. */
import { openClient } from "./client.ts";
import { openHttp } from "./http.ts";
import { openMcpSession, openMcpStateless } from "./mcp.ts";
import type { NamedWire } from "./suite.ts";
import { openTrpc, openTrpcBatch } from "./trpc.ts";

const all: readonly NamedWire[] = [
  { name: "HTTP", streams: true, open: openHttp },
  { name: "TypeScript client", streams: true, open: openClient },
  { name: "tRPC", streams: true, open: openTrpc },
  { name: "tRPC, batched", streams: true, open: openTrpcBatch },
  { name: "MCP 2025-11-25 over HTTP", streams: false, open: openMcpSession },
  { name: "MCP 2026-07-28 over HTTP", streams: false, open: openMcpStateless },
];

/** Wires onto the handler at that address, which is known when they are opened; the project's own kernel is what it is compared with. */
export const handlerWires = (url: () => string): readonly NamedWire[] =>
  all.map((wire) => ({ ...wire, open: (project) => wire.open({ ...project, url: url() }) }));
