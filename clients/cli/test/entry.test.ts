/** The entry on Nodes that are too old, played by this one: `process.versions` is changed before the entry reads it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExitResult, parseError } from "./command-process.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

const root = fileURLToPath(new URL("..", import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fairlead-entry-"));
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });`;
  writeFileSync(join(folder, "old.cjs"), old);
  writeFileSync(join(folder, "older.cjs"), `${old} process.execve = undefined;`);
  cpSync(join(root, "bin"), join(folder, "lone", "bin"), { recursive: true });
  cpSync(join(root, "package.json"), join(folder, "lone", "package.json"));
});

afterAll(() => rmSync(folder, { recursive: true }));

const spawnEntry = (preload: string, bin: string, args: readonly string[]) =>
  spawn(process.execPath, ["-r", join(folder, preload), bin, ...args], { cwd: folder, env: { HOME: folder } });

const run = (preload: string, bin: string, args: readonly string[]): Promise<ExitResult> =>
  new Promise((resolve, reject) => {
    const child = spawnEntry(preload, bin, args);
    let out = "";
    let err = "";
    child.stdout.on("data", (text) => {
      out += text;
    });
    child.stderr.on("data", (text) => {
      err += text;
    });
    child.on("error", reject).on("close", (code) => resolve({ code, out, err }));
  });

const ours = join(root, "bin", "fairlead.js");
const hasOwnNode = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);

test.runIf(hasOwnNode).each(["old.cjs", "older.cjs"])("%s: the Node that came along takes over", async (preload) => {
  const ended = await run(preload, ours, ["version", "--json"]);
  expect(ended).toMatchObject({ code: 0, err: "" });
  expect(Number(JSON.parse(ended.out).node.split(".")[0])).toBeGreaterThanOrEqual(24);
});

test.runIf(hasOwnNode).each(inLongTier ? ["old.cjs", "older.cjs"] : ["old.cjs"])(
  "%s: its exit code is kept",
  async (preload) => {
    expect(await run(preload, ours, ["verison"])).toMatchObject({ code: 2, out: "" });
  },
);

const ends = [
  ["SIGKILL", "SIGKILL"],
  ["SIGTERM", null],
] as const;

test.runIf(hasOwnNode).each(inLongTier ? ends : ends.slice(0, 1))(
  "a kernel ends with the Node that started it, also by %s",
  async (signal, endedBy) => {
    const launcher = spawnEntry("older.cjs", ours, ["up", "--port", "0", "--json"]);
    // The kernel writes where the launcher does: the pipe closes when both are gone.
    const closed = once(launcher, "close");
    const [line] = await once(createInterface({ input: launcher.stdout }), "line");
    const { pid } = JSON.parse(String(line));
    expect(pid).not.toBe(launcher.pid);
    launcher.kill(signal);
    expect(await closed).toEqual(endedBy === null ? [143, null] : [null, endedBy]);
  },
);

test.each(inLongTier ? ["old.cjs", "older.cjs"] : ["older.cjs"])(
  "%s: without one, a sentence says what to do",
  async (preload) => {
    const ended = await run(preload, join(folder, "lone", "bin", "fairlead.js"), ["up"]);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toMatch(/^error: fairlead needs Node 24 or newer, and this is Node 20\.1\.0; install .*\.\n/);
    expect(parseError(ended)).toMatchObject({ code: "usage", message: expect.stringContaining("Node 24") });
    const { err } = await run(preload, join(folder, "lone", "bin", "fairlead.js"), ["up", "--json"]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: "usage" } });
  },
);
