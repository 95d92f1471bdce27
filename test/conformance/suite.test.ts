/** The suite over every way in, with services on the kernel's own event loop. */
import { python } from "../python/bridge.ts";
import { openClient } from "./client.ts";
import { openHttp } from "./http.ts";
import { projectFolder } from "./kernel.ts";
import { openMcpSession, openMcpStateless, openStdioSession, openStdioStateless } from "./mcp.ts";
import { openMemory } from "./memory.ts";
import { openPython } from "./python.ts";
import { stdioOf } from "./stdio.ts";
import { type NamedWire, testWires } from "./suite.ts";
import { openTrpc, openTrpcBatch } from "./trpc.ts";

/** The quick tier leaves out those that differ from another in one stage only. */
const inLongTier = process.env.TESTS_TIER === "long";

const stdio = stdioOf(projectFolder);

/** None on a machine that lacks what they need. */
const pythonWires: readonly NamedWire[] =
  python === undefined
    ? []
    : [
        { name: "Python client", streams: true, open: openPython("threads") },
        { name: "Python client for asyncio", streams: true, open: openPython("aio") },
      ];

const variants = new Set(["tRPC, batched", "Python client for asyncio", "MCP 2025-11-25 over stdio"]);

const wires: readonly NamedWire[] = [
  { name: "memory", streams: true, open: async ({ kernel }) => openMemory(kernel) },
  { name: "HTTP", streams: true, open: openHttp },
  { name: "TypeScript client", streams: true, open: openClient },
  ...pythonWires,
  { name: "tRPC", streams: true, open: openTrpc },
  { name: "tRPC, batched", streams: true, open: openTrpcBatch },
  { name: "MCP 2025-11-25 over HTTP", streams: false, open: openMcpSession },
  { name: "MCP 2026-07-28 over HTTP", streams: false, open: openMcpStateless },
  { name: "MCP 2025-11-25 over stdio", streams: false, open: () => openStdioSession(stdio) },
  { name: "MCP 2026-07-28 over stdio", streams: false, open: () => openStdioStateless(stdio) },
];

testWires(wires.filter(({ name }) => inLongTier || !variants.has(name)));
