/**
 * How long a stdio server takes from its start to the answered first request, with all services, against `node -e` that prints a line as
 * the limit: wall time, and the CPU time of the main thread where the system tells. The processes take turns; the least and the median
 * of each are printed, since other work on the machine only ever makes them longer. On a quiet machine the two times are much the same.
 *
 * `BENCH_BIN` names another `fairlead.js`, like an installed one.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { start, stop } from "../e2e/command.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const bin = process.env.BENCH_BIN ?? fileURLToPath(new URL("../../clients/cli/bin/fairlead.js", import.meta.url));
const { intent, ...state } = JSON.parse(readFileSync(new URL("../../examples/attack.json", import.meta.url), "utf8"));

const clientInfo = { name: "bench", version: "1.0.0" };
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const requests = {
  "fairlead mcp serve --stdio, initialize": {
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  },
  "fairlead mcp serve --stdio, tools/list": { method: "tools/list", params: { _meta } },
  "fairlead mcp serve --stdio, tools/call": {
    method: "tools/call",
    params: { _meta, name: "resolve_attack", arguments: { ...state, ...intent } },
  },
};

interface Took {
  readonly wall: number;
  /** Milliseconds of CPU; `NaN` where the system does not tell. */
  readonly cpu: number;
}

/** Until its first line of output. */
const run = (args: readonly string[], request?: object, env = process.env): Promise<Took> =>
  new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"], env });
    let took: Took | undefined;
    createInterface({ input: child.stdout }).once("line", (line) => {
      took = { wall: performance.now() - started, cpu: mainThreadCpu(child.pid) };
      if (request !== undefined && (!line.includes('"result"') || line.includes('"isError":true')))
        reject(new Error(`it answered ${line.slice(0, 300)}`));
      child.kill();
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (took === undefined) reject(new Error(`${args.join(" ")} ended with ${code} and said nothing`));
      else resolve(took);
    });
    if (request !== undefined) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, ...request })}\n`);
  });

const mainThreadCpu = (pid: number | undefined): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
};

const stdio = (env?: NodeJS.ProcessEnv): Readonly<Record<string, () => Promise<Took>>> =>
  Object.fromEntries(
    Object.entries(requests).map(([name, request]) => [
      env === undefined ? name : `${name}, attached`,
      () => run([bin, "mcp", "serve", "--stdio"], request, env),
    ]),
  );

const alone: Readonly<Record<string, () => Promise<Took>>> = {
  "node -e": () => run(["-e", "console.log(0)"]),
  "fairlead version": () => run([bin, "version"]),
  "fairlead --help": () => run([bin, "--help"]),
  ...stdio(),
  "fairlead up, until it listens": () => run([bin, "up", "--port", "0", "--quiet"]),
};

/** With a kernel that owns a state folder of its own, which servers that are given it attach to. */
export const benchColdStart = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-cold-start-"));
  const env = { ...process.env, XDG_STATE_HOME: folder };
  const owner = start({ bin, cwd: process.cwd(), env: { XDG_STATE_HOME: folder } }, ["up", "--port", "0", "--json"]);
  try {
    await owner.until(/http:/);
    await timeStarts({ ...alone, ...stdio(env) });
  } finally {
    await stop(owner);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

const timeStarts = async (starts: typeof alone): Promise<void> => {
  const all = new Map(Object.keys(starts).map((name) => [name, [] as Took[]]));
  for (const begin of Object.values(starts)) await begin();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, begin] of Object.entries(starts)) all.get(name)?.push(await begin());
  }
  const leastCpu = (name: string): number => Math.min(...(all.get(name) ?? []).map(({ cpu }) => cpu));
  console.log("\n| start | least, ms | median, ms | CPU (least), ms | of node's |\n|---|---|---|---|---|");
  for (const [name, took] of all) {
    const walls = took.map(({ wall }) => wall).toSorted((a, b) => a - b);
    const [least = Number.NaN, median = Number.NaN] = [walls[0], walls[Math.floor(walls.length / 2)]];
    const cpu = leastCpu(name);
    const cells = [least, median, cpu].map((milliseconds) => milliseconds.toFixed(0));
    console.log(`| ${[name, ...cells, (cpu / leastCpu("node -e")).toFixed(1)].join(" | ")} |`);
  }
};
