/** Files of clients as they are on a disk: links, rights, other writers, and a client's own command. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apply, findEntry, planAdd, planRemove } from "./change.ts";
import { findClient } from "./choice.ts";
import type { Places } from "./clients.ts";
import { readConfigFile, replaceConfigFile } from "./config-file.ts";
import { programEntry } from "./entry.ts";
import { planWords } from "./show.ts";

let folder: string;
let places: Places;
const plain = { paint: (_: unknown, text: string) => text };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-clients-"));
  mkdirSync(join(folder, "bin"));
  places = { project: folder, home: join(folder, "home"), platform: "linux", env: { PATH: join(folder, "bin") } };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string): string => join(folder, path);
const server = programEntry(
  { services: [], profile: undefined, readOnly: false },
  { node: "/opt/node", bin: "/opt/fairlead.js", project: "/p", config: undefined },
  [],
);
const plan = (id: string, options: { readonly edit?: boolean } = {}) => {
  const target = { client: findClient(id), scope: "project", name: "p" } as const;
  return planAdd(target, findEntry(target, places), { places, edit: options.edit ?? false, server });
};

describe("a file", () => {
  it("is made with its folder, and nothing else is left", async () => {
    expect(await apply(plan("cursor"), places, at("copies"))).toBeUndefined();
    expect(readdirSync(at(".cursor"))).toEqual(["mcp.json"]);
  });

  it("is replaced behind its link, with its rights, and a copy is kept for the user alone", async () => {
    writeFileSync(at("dotfile"), "{}");
    chmodSync(at("dotfile"), 0o640);
    mkdirSync(at(".cursor"));
    symlinkSync(at("dotfile"), at(".cursor/mcp.json"));
    const copy = (await apply(plan("cursor"), places, at("copies"))) ?? "";
    expect(readFileSync(copy, "utf8")).toBe("{}");
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(statSync(at("copies")).mode & 0o777).toBe(0o700);
    expect(statSync(at("dotfile")).mode & 0o777).toBe(0o640);
    expect(JSON.parse(readFileSync(at("dotfile"), "utf8"))).toHaveProperty("mcpServers.p");
  });

  it("that a link leads to is made where the link says", async () => {
    mkdirSync(at(".cursor"));
    symlinkSync(at("not-yet"), at(".cursor/mcp.json"));
    await apply(plan("cursor"), places, at("copies"));
    expect(JSON.parse(readFileSync(at("not-yet"), "utf8"))).toHaveProperty("mcpServers.p");
  });

  it("keeps ten copies of a name", () => {
    writeFileSync(at("mcp.json"), "{}");
    for (let count = 0; count < 12; count += 1) {
      mkdirSync(at("copies"), { recursive: true });
      writeFileSync(at(`copies/2026-01-01T00-00-${10 + count}-mcp.json`), "");
    }
    replaceConfigFile(readConfigFile(at("mcp.json")), "{ }", at("copies"));
    expect(readdirSync(at("copies"))).toHaveLength(10);
  });

  it("keeps its byte order mark", async () => {
    mkdirSync(at(".cursor"));
    writeFileSync(at(".cursor/mcp.json"), "\uFEFF{}");
    await apply(plan("cursor"), places, at("copies"));
    expect(readFileSync(at(".cursor/mcp.json"), "utf8")).toMatch(/^\uFEFF\{\s+"mcpServers"/);
  });

  it("that somebody changed meanwhile is left to them", async () => {
    const planned = plan("cursor");
    mkdirSync(at(".cursor"));
    writeFileSync(at(".cursor/mcp.json"), '{ "theirs": 1 }');
    await expect(apply(planned, places, at("copies"))).rejects.toThrow("was changed meanwhile");
    expect(readFileSync(at(".cursor/mcp.json"), "utf8")).toBe('{ "theirs": 1 }');
  });

  it("that is not text, or no file, is refused", () => {
    writeFileSync(at("latin"), Buffer.from([0x7b, 0xe4, 0x7d]));
    expect(() => readConfigFile(at("latin"))).toThrow("cannot be read as text");
    expect(() => readConfigFile(folder)).toThrow("is not a file");
  });

  it("is not changed where no copy of it can be made", () => {
    writeFileSync(at("mcp.json"), "{}");
    writeFileSync(at("copies"), "a file");
    expect(() => replaceConfigFile(readConfigFile(at("mcp.json")), "{ }", at("copies"))).toThrow("no copy of");
    expect(readFileSync(at("mcp.json"), "utf8")).toBe("{}");
  });

  it("that cannot be read as JSON is named", () => {
    mkdirSync(at(".cursor"));
    writeFileSync(at(".cursor/mcp.json"), "{");
    expect(() => plan("cursor")).toThrow(`${at(".cursor/mcp.json")}: it is not readable as JSON: line 1`);
  });
});

describe("a client's own command", () => {
  const claude = (script: string): void => {
    writeFileSync(at("bin/claude"), `#!/bin/sh\n${script}\n`);
    chmodSync(at("bin/claude"), 0o755);
  };

  it("does the work where it is there, in the project's folder", async () => {
    claude('printf "%s\\n" "$PWD" "$@" > log');
    const planned = plan("claude-code");
    expect(planWords(planned, plain)).toMatch(
      /^\$ \S+\/bin\/claude mcp add-json p '\{"type":"stdio",.*\}' --scope project$/,
    );
    await apply(planned, places, at("copies"));
    const [cwd, ...words] = readFileSync(at("log"), "utf8").trimEnd().split("\n");
    expect(cwd).toBe(folder);
    expect(words.slice(0, 3)).toEqual(["mcp", "add-json", "p"]);
    expect(JSON.parse(words[3] ?? "")).toEqual({ type: "stdio", command: "/opt/node", args: server.args });
  });

  it("is left alone with --edit, and where there is none", () => {
    expect(plan("claude-code").commands).toEqual([]);
    claude("exit 0");
    expect(plan("claude-code", { edit: true }).commands).toEqual([]);
  });

  it("takes an earlier entry out first, and keeps a copy of the file", async () => {
    const text = '{ "mcpServers": { "p": { "command": "fairlead", "args": ["mcp", "serve"] } } }';
    claude("[ $2 = remove ]");
    writeFileSync(at(".mcp.json"), text);
    const planned = plan("claude-code");
    expect(planned.commands.map(([, , verb]) => verb)).toEqual(["remove", "add-json"]);
    await expect(apply(planned, places, at("copies"))).rejects.toMatchObject({
      hint: expect.stringContaining(at("copies")),
    });
    const [copy = ""] = readdirSync(at("copies"));
    expect(readFileSync(join(at("copies"), copy), "utf8")).toBe(text);
  });

  it("has nothing to do with an entry that is there, nor with what it cannot say", () => {
    claude("exit 1");
    const { value } = findClient("claude-code").write(server);
    const own = { ...value, timeout: 60_000 };
    writeFileSync(at(".mcp.json"), JSON.stringify({ mcpServers: { p: own } }));
    expect(plan("claude-code")).toMatchObject({ commands: [], after: JSON.stringify({ mcpServers: { p: own } }) });
    writeFileSync(at(".mcp.json"), JSON.stringify({ mcpServers: { p: { command: "x", timeout: 60_000 } } }));
    const changed = plan("claude-code");
    expect(changed.commands).toEqual([]);
    expect(JSON.parse(changed.after)).toEqual({ mcpServers: { p: own } });
  });

  it("that fails is quoted, with the other way", async () => {
    claude("echo no such scope >&2; exit 3");
    await expect(apply(plan("claude-code"), places, at("copies"))).rejects.toMatchObject({
      message: expect.stringContaining("failed: no such scope"),
      hint: "with --edit the file is edited instead",
    });
  });
});

it("an entry goes out as it came", async () => {
  mkdirSync(at(".codex"));
  writeFileSync(at(".codex/config.toml"), "# mine\n");
  await apply(plan("codex"), places, at("copies"));
  const target = { client: findClient("codex"), scope: "project", name: "p" } as const;
  const found = findEntry(target, places);
  expect(found.entry).toMatchObject({ command: "/opt/node" });
  await apply(planRemove(target, found, { places, edit: false }), places, at("copies"));
  expect(readFileSync(at(".codex/config.toml"), "utf8")).toBe("# mine\n");
});
