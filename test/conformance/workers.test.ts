/**
 * The same suite with the service in two workers, but for what is bound to the kernel: no caller can see that. A call's key and its
 * session are the kernel's, whichever worker runs it.
 */
import { openClient } from "./client.ts";
import { openHttp } from "./http.ts";
import { openMcpSession } from "./mcp.ts";
import { openMemory } from "./memory.ts";
import { type NamedWire, testWires } from "./suite.ts";
import { openTrpc } from "./trpc.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const wires: readonly NamedWire[] = [
  { name: "memory", streams: true, open: async ({ kernel }) => openMemory(kernel) },
  { name: "HTTP", streams: true, open: openHttp },
  { name: "TypeScript client", streams: true, open: openClient },
  { name: "tRPC", streams: true, open: openTrpc },
  { name: "MCP 2025-11-25 over HTTP", streams: false, open: openMcpSession },
];

/** The quick tier has those that are farthest from each other. */
const sampled = new Set(["memory", "MCP 2025-11-25 over HTTP"]);

testWires(
  wires.filter(({ name }) => inLongTier || sampled.has(name)),
  { workers: 2 },
);
