/**
 * The same suite with two processes that share the port of the kernel: no caller can see which of them answers, or that the kernel does.
 */
import { openClient } from "./client.ts";
import { openHttp } from "./http.ts";
import { openMcpSession } from "./mcp.ts";
import { openMemory } from "./memory.ts";
import { type NamedWire, testWires } from "./suite.ts";
import { openTrpc } from "./trpc.ts";

const wires: readonly NamedWire[] = [
  { name: "memory", streams: true, open: async ({ kernel }) => openMemory(kernel) },
  { name: "HTTP", streams: true, open: openHttp },
  { name: "TypeScript client", streams: true, open: openClient },
  { name: "tRPC", streams: true, open: openTrpc },
  { name: "MCP 2025-11-25 over HTTP", streams: false, open: openMcpSession },
];

testWires(wires, { workers: 2, sharedPort: true });
