/**
 * The same suite with the service at two nodes of a cluster, each of which owns a half of the keys, whichever they are this time. No caller can see that.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, openKernel } from "@fairlead/kernel";
import { afterAll, describe } from "vitest";
// @boundaries-ignore the helper is the kernel's own
import { hasPostgres, type PostgresServer, startPostgres } from "../../kernel/src/testing/postgres-server.ts";
import { openClient } from "./client.ts";
import { openHttp } from "./http.ts";
import { projectFolder } from "./kernel.ts";
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

let server: PostgresServer | undefined;
let other: Kernel | undefined;

/** What each node is configured with. */
const startOther = async (): Promise<object> => {
  server = await startPostgres(["-c", "fsync=off"]);
  const stateDir = mkdtempSync(join(tmpdir(), "fairlead-conformance-"));
  const secretFile = join(stateDir, "secret");
  writeFileSync(secretFile, randomBytes(32).toString("hex"));
  const settings = { cluster: { listen: "127.0.0.1:0", secretFile }, store: { postgres: server.settings } };
  other = await openKernel({
    config: { manifest: "./gen/manifest.ts", ...settings },
    root: projectFolder,
    env: {},
    flags: { stateDir, lagMs: 60_000 },
    log: () => undefined,
  });
  await other.started();
  return settings;
};

describe.runIf(hasPostgres())("in a cluster", () => {
  afterAll(async () => {
    await other?.close();
    await server?.stop();
  });
  testWires(wires, startOther);
});
