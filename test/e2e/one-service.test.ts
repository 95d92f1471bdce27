/**
 * `fairlead mcp serve rules --stdio` as the owner of a project's state: it introduces itself as that service and starts no other one, until a
 * command needs it.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Command, environmentOf, ownBin, run } from "./command.ts";

let command: Command;
let client: Client;
/** Written by the connections service when it starts. */
let mark: string;

beforeAll(async () => {
  const cwd = mkdtempSync(join(tmpdir(), "fairlead-one-"));
  mark = join(cwd, "started");
  command = { bin: ownBin, cwd, env: { XDG_STATE_HOME: join(cwd, "state") } };
  writeFileSync(join(cwd, "fairlead.config.json"), "{}");
  const script = `import { writeFileSync } from "node:fs";\nexport default () => writeFileSync(${JSON.stringify(mark)}, "");\n`;
  writeFileSync(join(cwd, "startup.ts"), script);
  client = new Client({ name: "one-service", version: "1.0.0" });
  const args = [ownBin, "mcp", "serve", "rules", "--stdio"];
  const env = environmentOf(command);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: "ignore" }));
});

afterAll(async () => {
  await client.close();
  rmSync(command.cwd, { recursive: true, force: true, maxRetries: 5 });
});

it("introduces itself as the service, with its tools alone", async () => {
  expect(client.getServerVersion()).toMatchObject({
    name: "rules",
    version: expect.any(String),
    title: expect.any(String),
  });
  expect(client.getInstructions()).toMatch(/\S/);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("roll_dice");
  expect(tools.map(({ name }) => name)).not.toContain("mcp_list");
});

it("starts no other service before a command needs one", async () => {
  const dice = { values: [1, 2] };
  const rolled = await client.callTool({ name: "roll_dice", arguments: { notation: "2d6", dice } });
  expect(rolled.isError).not.toBe(true);
  expect(existsSync(mark)).toBe(false);
  expect(await run(command, ["call", "connections.list"])).toMatchObject({ code: 0, err: "" });
  await expect.poll(() => existsSync(mark)).toBe(true);
});
