/** The same suite with the service in a thread of its own: nobody who calls it can see that. */
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

/** The quick tier has those that are farthest from each other. */
const sampled = new Set(["memory", "MCP 2025-11-25 over HTTP"]);
const inLongTier = process.env.TESTS_TIER === "long";

testWires(
  wires.filter(({ name }) => inLongTier || sampled.has(name)),
  { placement: { probe: "thread" } },
);
