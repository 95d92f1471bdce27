/** The loop in clients' files: what is written, and that every byte is as before when it is taken out. */
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/repository.ts";
import { install, uninstall } from "./install.ts";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Every file and folder, with its bytes and permissions. */
const everything = (): readonly string[] =>
  readdirSync(folder.path, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const found = statSync(join(folder.path, name));
      const text = found.isDirectory() ? "folder" : readFileSync(join(folder.path, name), "base64");
      return `${name} ${(found.mode & 0o777).toString(8)} ${text}`;
    });

const read = (path: string): string => readFileSync(join(folder.path, path), "utf8");

const usersHooks =
  '{\n\t"hooks" : { "PreToolUse": [{"matcher":"Edit","hooks":[{"type":"command","command":"mine"}]}] },\n\t"statusLine": {"type":"command","command":"mine"}}';

const usersFiles: Readonly<Record<string, string>> = {
  ".mcp.json": '{"mcpServers":{"mine":{"command":"x"}}}',
  ".claude/settings.json": usersHooks,
  ".cursor/mcp.json": "",
  ".cursor/hooks.json": '{ "version": 1,\r\n "hooks": { "stop": [{ "command": "mine" }] } }\r\n',
  ".codex/config.toml": 'model = "x"',
};

describe.each(["claude-code", "codex", "cursor"] as const)("%s", (client) => {
  it.each([
    ["a project without its files", {}],
    ["the user's own files", usersFiles],
  ])("leaves every byte of %s as it was", (_, files) => {
    for (const [path, text] of Object.entries(files)) {
      folder.write(path, text);
      chmodSync(join(folder.path, path), 0o600);
    }
    const before = everything();
    expect(install(folder.path, client).length).toBeGreaterThan(0);
    const installed = everything();
    expect(installed).not.toEqual(before);
    install(folder.path, client);
    expect(everything()).toEqual(installed);
    uninstall(folder.path, client);
    expect(everything()).toEqual(before);
    expect(uninstall(folder.path, client)).toEqual([]);
  });
});

it("a shell command's end is noted while a session is active, and never through a link or over what is there", () => {
  install(folder.path, "claude-code");
  const { hooks } = JSON.parse(read(".claude/settings.json"));
  const { command } = hooks.PostToolUse.find(({ matcher }: { readonly matcher: string }) => matcher === "Bash")
    .hooks[0];
  const noted = (): string => {
    execFileSync("sh", ["-e", "-c", command], { env: { PATH: process.env.PATH, CLAUDE_PROJECT_DIR: folder.path } });
    return read(".promptwheel/tool-end");
  };
  folder.write(".promptwheel/tool-end", "");
  expect(noted()).toBe("");
  folder.write(".promptwheel/loop-state.json", "{}");
  expect([noted(), noted()]).toEqual(["\n", "\n\n"]);
  folder.write("precious", "precious\n");
  rmSync(join(folder.path, ".promptwheel/tool-end"));
  symlinkSync("../precious", join(folder.path, ".promptwheel/tool-end"));
  expect(noted()).toBe("precious\n");
  renameSync(join(folder.path, ".promptwheel"), join(folder.path, "elsewhere"));
  symlinkSync("elsewhere", join(folder.path, ".promptwheel"));
  rmSync(join(folder.path, "elsewhere/tool-end"));
  folder.write("elsewhere/tool-end", "theirs");
  expect(noted()).toBe("theirs");
});

it("keeps what somebody has changed since, without our entries", () => {
  folder.write(".claude/settings.json", usersHooks);
  install(folder.path, "claude-code");
  const edited = JSON.parse(read(".claude/settings.json"));
  folder.write(".claude/settings.json", JSON.stringify({ ...edited, model: "other" }));
  folder.write(".claude/commands/improve.md", "my own words\n");
  const reports = uninstall(folder.path, "claude-code");
  expect(reports).toContainEqual({ path: ".claude/commands/improve.md", action: "left" });
  expect(JSON.parse(read(".claude/settings.json"))).toEqual({ ...JSON.parse(usersHooks), model: "other" });
  expect(read(".claude/commands/improve.md")).toBe("my own words\n");
});

it("installs again only where it can, and else leaves the first installation as it is", () => {
  install(folder.path, "claude-code");
  folder.write(".claude/commands/improve.md", "my own words\n");
  const before = everything();
  expect(() => install(folder.path, "claude-code")).toThrow(".claude/commands/improve.md");
  expect(everything()).toEqual(before);
});

it("keeps a hook that the user has put beside ours", () => {
  install(folder.path, "claude-code");
  const settings = JSON.parse(read(".claude/settings.json"));
  const [entry] = settings.hooks.PreToolUse;
  const mine = { type: "command", command: "mine" };
  entry.hooks.push(mine);
  folder.write(".claude/settings.json", JSON.stringify(settings));
  uninstall(folder.path, "claude-code");
  expect(JSON.parse(read(".claude/settings.json"))).toEqual({
    hooks: { PreToolUse: [{ matcher: entry.matcher, hooks: [mine] }] },
  });
});

it.each([
  [".mcp.json", "{ // a comment\n}"],
  [".mcp.json", '{"mcpServers":{"fairlead-loop":{"command":"mine"}}}'],
  [".claude/commands/improve.md", "my own words\n"],
])("writes nothing where %s cannot take its entry: %s", (path, text) => {
  folder.write(path, text);
  const before = everything();
  expect(() => install(folder.path, "claude-code")).toThrow(path);
  expect(everything()).toEqual(before);
});
