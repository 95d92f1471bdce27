/**
 * The same suite with the service behind NATS: a kernel that listens, and a worker that runs what is stateless and has the one place that keys belong to. No
 * caller can see that.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { afterAll, describe } from "vitest";
// @boundaries-ignore the helper is the kernel's own
import { hasNats, type NatsServer, startNats } from "../../kernel/src/testing/nats-server.ts";
import { openClient } from "./client.ts";
import { openHttp } from "./http.ts";
import { projectFolder } from "./kernel.ts";
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
const sampled = new Set(["HTTP", "TypeScript client"]);

let server: NatsServer | undefined;
let worker: Kernel | undefined;

/** What the kernel that listens is configured with: a server, and a worker on it. */
const startWorker = async (): Promise<object> => {
  // As large as what the contract takes: NATS carries 1 MiB by default.
  server = await startNats("max_payload: 8388608");
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-conformance-"));
  const secretFile = join(stateDir, "secret");
  writeFileSync(secretFile, randomBytes(32).toString("hex"));
  const nats = { servers: server.url, places: 1, place: 1, secretFile };
  worker = await openKernel({
    config: { manifest: "./gen/manifest.ts", nats },
    root: projectFolder,
    env: {},
    flags: { stateDir, lagMs: 60_000 },
    log: () => undefined,
    isWorker: true,
  });
  await worker.offer();
  return { nats };
};

describe.runIf(hasNats())("behind NATS", () => {
  // After the kernel that calls it, which the suite closes.
  afterAll(async () => {
    await worker?.close();
    await server?.stop();
  });
  testWires(
    wires.filter(({ name }) => inLongTier || sampled.has(name)),
    startWorker,
  );
});
