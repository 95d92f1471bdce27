/**
 * What a call costs through a relay, beside calling directly and beside other relays: the same server behind all of them, the same client
 * in front. Others are installed into a temporary folder when the registry can be reached; otherwise one line says that they are left out.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { ownBin } from "../e2e/command.ts";
import { type Contender, inTurns } from "./turns.ts";

const peer = fileURLToPath(new URL("../faults/peers/v1.ts", import.meta.url));
const behind = { command: process.execPath, args: ["--conditions=@fairlead/source", peer, "stdio"] };
const others = { "mcp-hub": "4.2.1", "mcp-proxy": "6.7.19" } as const;

interface Relay {
  readonly name: string;
  readonly tool: string;
  readonly args: (port: number) => readonly string[];
  readonly cwd: string;
  /** It speaks the HTTP of before 2025-03-26. */
  readonly old?: true;
}

export const benchRelays = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-relays-"));
  const relays = [direct(folder), fairlead(folder), ...((await install(folder)) ? foreign(folder) : [])];
  const runs: Run[] = [];
  for (const relay of relays) {
    const run = await start(relay);
    if (run !== undefined) runs.push(run);
  }
  const figures = await inTurns(runs);
  console.log(
    "\n| one call of echo over HTTP, in turns, a process of the session era behind | p50, ms | CPU of the relay, µs | RSS, MB |",
  );
  console.log("|---|---|---|---|");
  for (const [at, { name, p50, cpu }] of figures.entries()) {
    console.log(`| ${name} | ${p50.toFixed(2)} | ${cpu.toFixed(0)} | ${runs[at]?.rss().toFixed(0)} |`);
  }
  for (const { stop } of runs) await stop();
  rmSync(folder, { recursive: true, maxRetries: 5 });
};

const direct = (folder: string): Relay => ({
  name: "direct, no relay",
  tool: "echo",
  args: (port) => [...behind.args.slice(0, 2), "http", `${port}`],
  cwd: folder,
});

const fairlead = (folder: string): Relay => {
  const upstreams = JSON.stringify({ up: behind });
  writeFileSync(
    join(folder, "fairlead.config.ts"),
    `export default { stateDir: "./state", only: ["connections"], services: { connections: { upstreams: ${upstreams} } } };`,
  );
  return {
    name: "Fairlead",
    tool: "up__echo",
    args: (port) => [ownBin, "up", "--port", `${port}`, "--json"],
    cwd: folder,
  };
};

const foreign = (folder: string): readonly Relay[] => {
  const config = join(folder, "hub.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { up: behind } }));
  const bin = (path: string): string => join(folder, "node_modules", path);
  return [
    {
      name: `mcp-hub ${others["mcp-hub"]}`,
      tool: "up__echo",
      args: (port) => [bin("mcp-hub/dist/cli.js"), "--port", `${port}`, "--config", config],
      cwd: folder,
      old: true,
    },
    {
      name: `mcp-proxy ${others["mcp-proxy"]}`,
      tool: "echo",
      args: (port) => [
        bin("mcp-proxy/dist/bin/mcp-proxy.mjs"),
        "--host",
        "127.0.0.1",
        "--port",
        `${port}`,
        "--server",
        "stream",
        "--",
        behind.command,
        ...behind.args,
      ],
      cwd: folder,
    },
  ];
};

/** False, with a line that says so, when they cannot be had. */
const install = async (folder: string): Promise<boolean> => {
  const wanted = Object.entries(others).map(([name, version]) => `${name}@${version}`);
  const flags = ["--prefix", folder, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)("npm", ["install", ...flags, ...wanted], { timeout: 180_000, cwd: folder });
    return true;
  } catch {
    console.log(`${wanted.join(", ")} are left out: they could not be installed`);
    return false;
  }
};

interface Run extends Contender {
  /** Megabytes. */
  rss(): number;
  stop(): Promise<void>;
}

/** Nothing, with a line that says so, when it cannot be measured. */
const start = async ({ name, tool, args, cwd, old }: Relay): Promise<Run | undefined> => {
  const port = await freePort();
  const child = spawn(process.execPath, args(port), { cwd, stdio: "ignore" });
  try {
    const client = await connected(new URL(`http://127.0.0.1:${port}/mcp`), tool, old === true);
    return {
      name,
      once: async () => void (await client.callTool({ name: tool, arguments: { message: "x" } })),
      cpu: () => cpuOf(child),
      rss: () => rssOf(child),
      stop: async () => {
        await client.close();
        child.kill("SIGTERM");
      },
    };
  } catch (error) {
    child.kill("SIGTERM");
    console.log(`${name} could not be measured: ${error instanceof Error ? error.message.slice(0, 80) : error}`);
    return undefined;
  }
};

/** A client of the session era, once the tool is there. */
const connected = async (url: URL, tool: string, old: boolean): Promise<Client> => {
  const patience = performance.now() + 60_000;
  for (;;) {
    const client = new Client({ name: "bench", version: "1" }, { versionNegotiation: { mode: "legacy" } });
    try {
      await client.connect(old ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url));
      const { tools } = await client.listTools();
      if (tools.some((each) => each.name === tool)) return client;
      throw new Error(`there is no tool ${tool}`);
    } catch (error) {
      await client.close().catch(() => undefined);
      if (performance.now() > patience) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 0;
};

const ticksMs = 10;

/** Milliseconds of CPU so far; Linux only. */
const cpuOf = ({ pid }: ChildProcess): number => {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return Number.NaN;
  const fields = readFileSync(stat, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * ticksMs;
};

const rssOf = ({ pid }: ChildProcess): number => {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return Number.NaN;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1]) / 1_024;
};
