/** What each client's file gets, and that it is read back as it was meant. */
import { describe, expect, it } from "vitest";
import { mcpClients, type Places } from "./clients.ts";
import { addEntry, readEntries } from "./config-text.ts";
import { addressEntry, programEntry } from "./entry.ts";
import { isOwnEntry, readLaunch } from "./launch.ts";

const place = { node: "/opt/node", bin: "/p/node_modules/fairlead/bin/fairlead.js", project: "/p", config: undefined };
const all = { services: [], profile: undefined, readOnly: false };
const program = programEntry(all, place, []);
const passing = programEntry(all, place, ["API_KEY"]);
const address = addressEntry(all, "http://127.0.0.1:5099", undefined);
const guarded = addressEntry(all, "http://127.0.0.1:5099", "FAIRLEAD_TOKEN");
const secret = "a-secret-that-is-never-written";
const env = { API_KEY: secret, FAIRLEAD_TOKEN: secret };

const written = (id: string, entry: Parameters<(typeof mcpClients)[number]["write"]>[0]): string | undefined => {
  const client = mcpClients.find((one) => one.id === id);
  if (client === undefined) throw new Error(id);
  try {
    const { value, inputs } = client.write(entry);
    return addEntry("", client, { name: "p", value, ...(inputs && { inputs }) });
  } catch {
    return undefined;
  }
};

const takesVariables = ["claude-code", "cursor", "vscode", "codex", "gemini-cli", "windsurf"];

describe.each(mcpClients.map((client) => [client.id, client] as const))("%s", (id, client) => {
  it("starts the program that was meant", () => {
    const entry = readEntries(written(id, program) ?? "", client).p;
    expect(readLaunch(entry, {})).toEqual({
      kind: "program",
      command: "/opt/node",
      args: ["/p/node_modules/fairlead/bin/fairlead.js", "mcp", "serve", "--stdio", "--cwd", "/p"],
      env: {},
      missing: [],
    });
    expect(isOwnEntry(entry, { project: "/p", origin: undefined })).toBe(true);
  });

  it("passes variables on by name, or refuses to", () => {
    const text = written(id, passing);
    expect(text !== undefined).toBe(takesVariables.includes(id));
    if (text === undefined) return;
    expect(text).not.toContain(secret);
    expect(readLaunch(readEntries(text, client).p, env)).toMatchObject({ env: { API_KEY: secret }, missing: [] });
    expect(readLaunch(readEntries(text, client).p, {})).toMatchObject({ missing: ["API_KEY"] });
  });

  it("asks the address that was meant, or refuses to", () => {
    const text = written(id, address);
    expect(text !== undefined).toBe(id !== "claude-desktop");
    if (text === undefined) return;
    expect(readLaunch(readEntries(text, client).p, {})).toMatchObject({
      url: "http://127.0.0.1:5099/mcp",
      headers: {},
    });
  });

  it("writes no token", () => {
    const text = written(id, guarded);
    expect(text !== undefined).toBe(takesVariables.includes(id));
    if (text === undefined) return;
    expect(text).not.toContain(secret);
    expect(readLaunch(readEntries(text, client).p, env)).toMatchObject({
      headers: { Authorization: `Bearer ${secret}` },
    });
  });
});

describe("files", () => {
  const places: Places = { project: "/p", home: "/h", platform: "linux", env: {} };
  const paths = (at: Places) =>
    Object.fromEntries(
      mcpClients.map(({ id, files }) => [id, Object.values(files).map((path) => path(at).replaceAll("\\", "/"))]),
    );

  it("are where the clients look for them", () =>
    expect(paths(places)).toEqual({
      "claude-code": ["/p/.mcp.json", "/h/.claude.json"],
      "claude-desktop": ["/h/.config/Claude/claude_desktop_config.json"],
      cursor: ["/p/.cursor/mcp.json", "/h/.cursor/mcp.json"],
      vscode: ["/p/.vscode/mcp.json", "/h/.config/Code/User/mcp.json"],
      codex: ["/p/.codex/config.toml", "/h/.codex/config.toml"],
      "gemini-cli": ["/p/.gemini/settings.json", "/h/.gemini/settings.json"],
      windsurf: ["/h/.codeium/windsurf/mcp_config.json"],
      zed: ["/p/.zed/settings.json", "/h/.config/zed/settings.json"],
    }));

  it.each([
    ["darwin", {}, "/h/Library/Application Support/Claude/claude_desktop_config.json"],
    ["win32", { APPDATA: "/r" }, "/r/Claude/claude_desktop_config.json"],
    ["linux", { XDG_CONFIG_HOME: "/x" }, "/x/Claude/claude_desktop_config.json"],
  ] as const)("follow the system: %s", (platform, env, path) =>
    expect(paths({ ...places, platform, env })["claude-desktop"]).toEqual([path]),
  );
});

describe("an entry", () => {
  it.each([
    [{ services: ["rules"], profile: undefined, readOnly: false }, "http://h/mcp/rules"],
    [
      { services: ["rules", "loop"], profile: undefined, readOnly: true },
      "http://h/mcp?services=rules%2Cloop&read-only=1",
    ],
    [{ services: [], profile: "ops", readOnly: false }, "http://h/mcp?profile=ops"],
  ])("asks for what was chosen: %j", (choice, url) =>
    expect(addressEntry(choice, "http://h", undefined).url).toBe(url),
  );

  it("says what was chosen to the program", () =>
    expect(
      programEntry(
        { services: ["rules"], profile: "ops", readOnly: true },
        { ...place, config: "/c.ts" },
        [],
      ).args.slice(1),
    ).toEqual([
      "mcp",
      "serve",
      "rules",
      "--stdio",
      "--cwd",
      "/p",
      "--config",
      "/c.ts",
      "--profile",
      "ops",
      "--read-only",
    ]));

  const origin = "http://127.0.0.1:5099";
  it.each([
    [{ command: "npx", args: ["fairlead", "mcp", "serve", "--stdio"] }, true],
    [{ command: "npx", args: ["-y", "fairlead@0.1.0", "mcp", "serve"] }, true],
    [{ command: "C:\\bin\\node.exe", args: ["C:\\x\\fairlead.js", "mcp", "serve", "--cwd", "/p"] }, true],
    [{ command: "node", args: ["/x/fairlead.js", "mcp", "serve", "--cwd", "/other"] }, false],
    [{ command: "sh", args: ["-c", "echo", "fairlead", "mcp", "serve"] }, false],
    [{ command: "node", args: ["-e", "1", "fairlead", "mcp", "serve"] }, false],
    [{ command: "npx", args: ["other", "mcp", "serve"] }, false],
    [{ url: `${origin}/mcp/rules` }, true],
    [{ url: "http://127.0.0.1:3845/mcp" }, false],
    ["text", false],
    [{}, false],
  ])("is known as this project's: %j", (entry, own) => expect(isOwnEntry(entry, { project: "/p", origin })).toBe(own));
});
