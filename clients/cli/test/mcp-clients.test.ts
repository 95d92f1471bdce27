/** `fairlead mcp add` and its sisters in a project: what is written is proved by a real handshake. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProcessOptions, parseError, run } from "./command-process.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

let project: OutsideProject;
const here = (args: readonly string[], options: Partial<ProcessOptions> = {}) =>
  runHere(args, { cwd: project.folder, env: { HOME: join(project.folder, "home"), PATH: "" }, ...options });
const file = (): string => join(project.folder, ".cursor/mcp.json");

beforeAll(async () => {
  project = outsideProject();
  expect((await here(["gen"])).code).toBe(0);
});

afterAll(() => project.remove());

test("a dry run shows the change and writes nothing", async () => {
  const shown = await here(["mcp", "add", "cursor", "--name", "todo", "--dry-run"]);
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.out).toContain('+    "todo": {');
  expect(existsSync(file())).toBe(false);
});

test("an entry is written, proved by a handshake, listed, and taken out again", async () => {
  const options = { cwd: project.folder, env: { PATH: "" } };
  const added = await run(["mcp", "add", "cursor", "--name", "todo", "--json"], options);
  expect(added).toMatchObject({ code: 0 });
  expect(JSON.parse(added.out)).toMatchObject({ changed: true, check: { ok: true, tools: expect.any(Number) } });
  const { command, args } = JSON.parse(readFileSync(file(), "utf8")).mcpServers.todo;
  expect([command, ...args].slice(0, 1)).toEqual([process.execPath]);
  expect(JSON.parse((await here(["mcp", "ls", "--json"])).out).entries).toMatchObject([
    { client: "cursor", scope: "project", name: "todo", own: true },
  ]);
  expect(
    JSON.parse((await here(["mcp", "add", "cursor", "--name", "todo", "--no-check", "--json"])).out),
  ).toMatchObject({ changed: false });
  expect(await here(["mcp", "remove", "cursor", "todo"])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({});
});

test("an entry that does not answer is a finding, with what the program wrote", async () => {
  const bin = fileURLToPath(new URL("../bin/fairlead.js", import.meta.url));
  const args = [bin, "mcp", "serve", "absent", "--stdio", "--cwd", project.folder];
  writeFileSync(file(), JSON.stringify({ mcpServers: { broken: { command: process.execPath, args } } }));
  const checked = await here(["mcp", "check", "cursor", "--json"]);
  expect(checked.code).toBe(9);
  expect(JSON.parse(checked.out).entries).toMatchObject([
    { name: "broken", check: { ok: false, fault: expect.stringContaining('it wrote: there is no service "absent"') } },
  ]);
});

test("another program that a project's file names is not started", async () => {
  const program = join(project.folder, "node");
  const args = [join(project.folder, "fairlead.js"), "mcp", "serve"];
  writeFileSync(file(), JSON.stringify({ mcpServers: { odd: { command: program, args } } }));
  const checked = await here(["mcp", "check", "cursor", "--json"]);
  expect(checked.code).toBe(9);
  expect(JSON.parse(checked.out).entries).toMatchObject([
    { check: { fault: expect.stringMatching(/^not started: /) } },
  ]);
});

test.each([
  [["mcp", "add", "cursr"], 6, { message: 'there is no MCP client "cursr"', hint: "did you mean cursor?" }],
  [
    ["mcp", "add", "cursor", "--scope", "everywhere"],
    2,
    { message: '--scope takes project or user, not "everywhere"' },
  ],
  [
    ["mcp", "add", "claude-desktop", "--scope", "project"],
    2,
    { message: "Claude Desktop has no file for the project" },
  ],
  [["mcp", "add", "cursor", "--service", "nots"], 6, { message: 'there is no service "nots"' }],
  [
    ["mcp", "add", "cursor", "--name", "a b"],
    2,
    { message: expect.stringMatching(/^--name takes at most 32 letters/) },
  ],
  [["mcp", "add", "zed", "--env", "KEY"], 2, { message: "Zed passes no variables on to its servers" }],
  [["mcp", "add", "cursor", "--env", "KEY=secret"], 2, { message: "--env takes names of variables alone" }],
  [["mcp", "add", "cursor", "--url", "http://a:secret@127.0.0.1:1"], 2, { hint: "like http://127.0.0.1:5099" }],
  [
    ["mcp", "add", "cursor", "--url", "http://127.0.0.1:1", "--env", "A"],
    2,
    { hint: "an address is given no variables" },
  ],
  [["mcp", "remove", "cursor", "absent"], 6, { hint: "run `fairlead mcp ls` for the list" }],
] as const)("%j is refused", async (args, code, error) => {
  const refused = await here(args);
  expect(refused.code).toBe(code);
  expect(parseError(refused)).toMatchObject(error);
  expect(refused.err).not.toContain("secret");
});

test("the address of a kernel may be any of those that it prints", async () => {
  for (const url of ["http://127.0.0.1:5099", "http://127.0.0.1:5099/mcp", "http://127.0.0.1:5099/mcp/rules/"]) {
    const shown = await here(["mcp", "add", "cursor", "--name", "far", "--url", url, "--dry-run", "--json"]);
    expect(JSON.parse(JSON.parse(shown.out).after).mcpServers.far).toEqual({ url: "http://127.0.0.1:5099/mcp" });
  }
});

test("somebody else's entry is neither replaced nor taken out", async () => {
  const text = JSON.stringify({ mcpServers: { theirs: { command: "their-server" } } });
  writeFileSync(file(), text);
  expect(await here(["mcp", "add", "cursor", "--name", "theirs"])).toMatchObject({ code: 8 });
  expect(await here(["mcp", "remove", "cursor", "theirs"])).toMatchObject({ code: 8 });
  expect(readFileSync(file(), "utf8")).toBe(text);
});
