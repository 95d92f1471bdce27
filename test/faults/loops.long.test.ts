/**
 * Kernels that are their own upstreams, as a `.mcp.json` makes them when it names both what we connect to and us; and entries of that file
 * that others have changed.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { type Command, type Ended, ownBin, run as runCommand, type Started, start, stop } from "../e2e/command.ts";
import { freshMark, marked } from "./processes.ts";

const peer = fileURLToPath(new URL("./peers/v1.ts", import.meta.url));
const folders: string[] = [];
let kernel: Started | undefined;
afterEach(async () => {
  if (kernel !== undefined) await stop(kernel);
  kernel = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, maxRetries: 5 });
});

const project = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fairlead-loops-")));
  folders.push(folder);
  writeFileSync(
    join(folder, "fairlead.config.ts"),
    `export default { port: 0, stateDir: "${folder}/state", only: ["connections", "rules"],
       services: { connections: { mcpJson: ".mcp.json" } } };`,
  );
  return folder;
};

const servers = (folder: string, mcpServers: unknown): void =>
  writeFileSync(join(folder, ".mcp.json"), JSON.stringify({ mcpServers }));

let url = "";

const up = async (cwd: string): Promise<(...args: string[]) => Promise<Ended>> => {
  if (kernel !== undefined) await stop(kernel);
  kernel = start({ bin: ownBin, cwd }, ["up", "--json"]);
  const { http } = JSON.parse(await kernel.until(/\n/));
  url = String(http).replace(/\/api$/, "");
  const command: Command = { bin: ownBin, cwd, env: { FAIRLEAD_URL: url } };
  return (...args) => runCommand(command, args);
};

type Run = Awaited<ReturnType<typeof up>>;

const status = async (run: Run, name: string) =>
  JSON.parse((await run("conn", "status", name, "--json")).out).connection;

const becomes = (run: Run, name: string, state: string) =>
  expect.poll(async () => (await status(run, name)).state).toBe(state);

const toolsOf = async (run: Run): Promise<readonly string[]> => {
  const { out } = await run("call", "connections.tools", "-d", "{}");
  const { tools } = JSON.parse(out) as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
};

it("a kernel that starts itself as a program does so once", async () => {
  const folder = project();
  const mark = freshMark();
  servers(folder, {
    me: { command: process.execPath, args: [ownBin, "mcp", "serve", "--stdio"], env: { MARK: mark } },
  });
  const run = await up(folder);
  await becomes(run, "me", "connected");
  const tools = await toolsOf(run);
  expect(tools).toContain("me__mcp_list");
  expect(tools.filter((name) => name.startsWith("me__me__"))).toEqual([]);
  const before = marked(mark).length;
  await run("conn", "reconnect", "me");
  await becomes(run, "me", "connected");
  await expect.poll(() => marked(mark).length).toBe(before);
});

it("a kernel that connects to its own address shows its tools once more, and no more than that", async () => {
  const folder = project();
  servers(folder, {});
  const run = await up(folder);
  await run("conn", "add", "me", `${url}/mcp`);
  await becomes(run, "me", "connected");
  const once = await toolsOf(run);
  expect(once).toContain("me__mcp_list");
  for (let at = 0; at < 3; at += 1) {
    await run("conn", "reconnect", "me");
    await becomes(run, "me", "connected");
  }
  expect(await toolsOf(run)).toEqual(once);
  expect(once.filter((name) => name.startsWith("me__me__"))).toEqual([]);
});

it("what a changed entry would start is not started until somebody approves it", async () => {
  const folder = project();
  const mark = freshMark();
  const program = (...args: string[]) => ({
    up: {
      command: process.execPath,
      args: ["--conditions=@fairlead/source", peer, "stdio", ...args],
      env: { MARK: mark },
    },
  });
  servers(folder, program());
  await becomes(await up(folder), "up", "connected");
  servers(folder, program("--evil"));
  const run = await up(folder);
  await becomes(run, "up", "blocked");
  expect(await status(run, "up")).toMatchObject({ lastError: { reason: "unapproved" } });
  expect(marked(mark)).toEqual([]);
  await run("conn", "reconnect", "up");
  await run("conn", "add", "up");
  await becomes(run, "up", "blocked");
  expect(marked(mark)).toEqual([]);
  expect((await run("conn", "status", "up")).out).toContain("--evil");
  expect((await run("conn", "approve", "up")).out).toContain("approved what it starts");
  await becomes(run, "up", "connected");
  await becomes(await up(folder), "up", "connected");
});
