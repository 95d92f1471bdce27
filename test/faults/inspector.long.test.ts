/** A foreign client in front of us, a foreign server behind us: the MCP Inspector's command calls server-everything through the kernel. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Command, ownBin, type Started, start, stop } from "../e2e/command.ts";

const { resolve } = createRequire(import.meta.url);
const packageFile = (name: string, file: string): string =>
  join(dirname(resolve(`@modelcontextprotocol/${name}/package.json`)), file);

const folder = mkdtempSync(join(tmpdir(), "fairlead-inspector-"));
const execute = promisify(execFile);
let kernel: Started;
let mcp: string;

beforeAll(async () => {
  const everything = { command: process.execPath, args: [packageFile("server-everything", "dist/index.js"), "stdio"] };
  writeFileSync(
    join(folder, "fairlead.config.ts"),
    `export default { port: 0, stateDir: "./state", only: ["connections"],
       services: { connections: { upstreams: { everything: ${JSON.stringify(everything)} } } } };`,
  );
  const command: Command = { bin: ownBin, cwd: folder };
  kernel = start(command, ["up", "--json"]);
  ({ mcp } = JSON.parse(await kernel.until(/\n/)));
});
afterAll(async () => {
  await stop(kernel);
  rmSync(folder, { recursive: true });
});

/** What the Inspector prints for one method. */
const inspect = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
  // It looks for its package file from the folder it is run in.
  const cwd = packageFile("inspector-cli", "build");
  const { stdout } = await execute(process.execPath, ["cli.js", mcp, "--transport", "http", "--cli", ...args], { cwd });
  return JSON.parse(stdout);
};

it("lists the upstream's tools and calls them", async () => {
  const call = ["--method", "tools/call", "--tool-name", "everything__get-sum", "--tool-arg", "a=2", "b=3"];
  // The first call waits until the upstream has been reached.
  expect(await inspect(...call)).toMatchObject({ content: [{ type: "text", text: "The sum of 2 and 3 is 5." }] });
  const { tools } = await inspect("--method", "tools/list");
  expect(tools).toContainEqual(expect.objectContaining({ name: "everything__echo" }));
  expect(tools).toContainEqual(expect.objectContaining({ name: "mcp_status" }));
  const status = ["--method", "tools/call", "--tool-name", "mcp_status", "--tool-arg", "name=everything"];
  expect(await inspect(...status)).toMatchObject({
    structuredContent: { value: { name: "everything", state: "connected", era: "legacy", calls: 1 } },
  });
});
