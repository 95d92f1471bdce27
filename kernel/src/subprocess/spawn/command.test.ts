import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import { describe, expect, test } from "vitest";
import { marked, until } from "../../testing/stage.fixture.ts";
import { type CommandSpec, runCommand } from "./command.ts";
import { probeContainment } from "./probe.ts";

const inLongTier = process.env.TESTS_TIER === "long";

const { commands, denials } = await probeContainment();

const run = (line: string, change: Partial<CommandSpec> = {}) =>
  Effect.runPromise(
    runCommand({ command: "sh", args: ["-c", line], cwd: "/", timeLimitMs: 60_000, outputBytes: 1_000, ...change }),
  );

describe("a command that runs to its end", () => {
  test.each([
    ["echo out; echo err >&2", { code: 0 }],
    ["exit 3", { code: 3 }],
    ["kill -9 $$", { signal: "SIGKILL" }],
  ])("says how %s ended", async (line, exit) => {
    expect((await run(line)).end).toEqual({ kind: "exited", exit });
  });

  test("keeps the end of what both streams printed", async () => {
    const { output, cutBytes } = await run("echo begin; yes 0123456789 | head -c 100000; echo the end >&2");
    expect(output).toHaveLength(1_000);
    expect(output).toContain("the end\n");
    expect(cutBytes).toBe(100_000 + 6 + 8 - 1_000);
    expect(await run("echo out")).toMatchObject({ output: "out\n", cutBytes: 0 });
  });

  test("gives stdout away whole where somebody takes it, and keeps stderr", async () => {
    let bytes = 0;
    const onStdout = (chunk: Uint8Array): void => {
      bytes += chunk.length;
    };
    const { output, end } = await run("yes 0123456789 | head -c 1000000; echo err >&2", { onStdout });
    expect([bytes, output, end]).toEqual([1_000_000, "err\n", { kind: "exited", exit: { code: 0 } }]);
  });

  test("gets nothing to read, and named variables only", async () => {
    process.env.HIDDEN_FROM_CHILDREN = "hidden";
    const { output } = await run("cat; env", { env: { set: { MINE: "1" } } });
    expect(output).toContain("MINE=1");
    expect(output).not.toContain("hidden");
  });

  test("reads its input, all of it, and its end; one that reads nothing of it ends as well", async () => {
    const input = "words\n".repeat(100_000);
    expect((await run("wc -c", { input })).output.trim()).toBe(String(input.length));
    expect((await run("true", { input })).end).toEqual({ kind: "exited", exit: { code: 0 } });
  });

  test.each([
    ["a program that is missing", { command: "no-such-program-anywhere" }, "program"],
    ["a folder that is missing", { cwd: "/no/such/folder" }, "folder"],
  ])("%s is named", async (_name, change, what) => {
    expect((await run("true", change)).end).toMatchObject({ kind: "missing", what });
  });

  test.runIf(process.platform === "linux")("that the system refuses to start says why, in its words", async () => {
    const { end } = await run(`: ${"x".repeat(200_000)}`);
    expect(end).toEqual({ kind: "spawn", why: "spawn E2BIG: argument list too long" });
  });

  test("is shown by execa with NODE_DEBUG=execa, its start and its end", async () => {
    const fixture = fileURLToPath(new URL("../../testing/verbose.fixture.ts", import.meta.url));
    const child = spawn(process.execPath, ["--conditions=@fairlead/source", fixture], {
      env: { ...process.env, NODE_DEBUG: "execa" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => lines.push(chunk.toString()));
    await once(child, "close");
    expect(lines.join("")).toMatch(/\$ .*traced[\s\S]*done in/);
  });

  test.runIf(process.platform === "linux").each([
    ["time is over", () => ({ timeLimitMs: 300 }), "timeout"],
    ["caller gave up", () => ({ signal: AbortSignal.timeout(300) }), "canceled"],
  ])("when its %s, everybody behind it dies, also what ignores SIGTERM", async (_name, change, kind) => {
    const mark = `mark-${randomUUID()}`;
    const line = "trap '' TERM; sh -c 'trap \"\" TERM; sh -c \"sleep 600; true\"; true' & sleep 600; sleep 600";
    const { end } = await run(line, { env: { set: { FAIRLEAD_MARK: mark } }, termMs: 200, ...change() });
    expect(end).toEqual({ kind });
    await until(() => marked(mark) === 0);
  });

  test("a caller that gave up before starts nothing", async () => {
    expect((await run("true", { signal: AbortSignal.abort() })).end).toEqual({ kind: "canceled" });
  });

  test.runIf(process.platform === "linux")("what it leaves behind in its group goes with it", async () => {
    const mark = `mark-${randomUUID()}`;
    await run("sleep 600 & sleep 600 & true", { env: { set: { FAIRLEAD_MARK: mark } } });
    await until(() => marked(mark) === 0);
  });

  test.skipIf(commands !== "cgroup")("nor does what left its group, where there are control groups", async () => {
    const mark = `mark-${randomUUID()}`;
    await run("setsid sleep 600 & sleep 0.1", { env: { set: { FAIRLEAD_MARK: mark } } });
    await until(() => marked(mark) === 0);
  });

  if (inLongTier) {
    test.runIf(process.platform === "linux")("none of its processes survives a SIGKILL of the kernel", async () => {
      const mark = `mark-${randomUUID()}`;
      const fixture = fileURLToPath(new URL("../../testing/command.fixture.ts", import.meta.url));
      const kernel = spawn(process.execPath, ["--conditions=@fairlead/source", fixture, mark], { stdio: "inherit" });
      await until(() => marked(mark) >= 5);
      kernel.kill("SIGKILL");
      await once(kernel, "exit");
      await until(() => marked(mark) === 0);
    });
  }
});

test.skipIf(!denials.includes("writing"))(
  "a command that may not write does so in its folders alone, as its own user, and cannot replace what is read-only in them",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead command "));
    const [own, kept, open, secret] = ["own", "own/kept", "own/kept/open", "secret"].map((name) => join(folder, name));
    for (const path of [own, kept, open, secret]) mkdirSync(path ?? "", { recursive: true });
    writeFileSync(join(folder, "own/config"), "as it was");
    writeFileSync(join(folder, "secret/key"), "x");
    const at = (...names: readonly string[]) => names.map((name) => join(folder, name));
    const held = (line: string) =>
      run(line, {
        cwd: join(folder, "own"),
        deny: ["writing"],
        folders: {
          writable: at("own", "own/kept/open"),
          readOnly: at("own/kept", "own/config"),
          hidden: at("secret"),
        },
        input: "words",
        outputBytes: 10_000,
      });
    const lines = [
      ["cat > by-input", "done"],
      ["echo x > kept/open/x", "done"],
      ["echo x > kept/x", "refused"],
      ["echo x > config", "refused"],
      ["echo x > other; mv other config", "refused"],
      ["rm -f config", "refused"],
      ["mv kept moved", "refused"],
      ["echo x > ../x", "refused"],
      ["cat ../secret/key", "refused"],
      [`test "$(id -u)" = ${process.getuid?.() ?? 0}`, "done"],
    ] as const;
    for (const [line, expected] of lines) {
      const { end } = await held(line);
      expect([line, end.kind === "exited" && end.exit.code === 0 ? "done" : "refused"]).toEqual([line, expected]);
    }
    expect(readFileSync(join(folder, "own/by-input"), "utf8")).toBe("words");
    expect(readFileSync(join(folder, "own/config"), "utf8")).toBe("as it was");
    rmSync(folder, { recursive: true });
  },
);

test.skipIf(!denials.includes("writing"))(
  "a bubblewrap inside of a command that may not write gives it nothing back",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead-command-"));
    const line = `command -v bwrap > /dev/null || exit 5; bwrap --bind / / sh -c 'echo x > "${folder}/x"'`;
    const { end } = await run(line, { deny: ["writing"] });
    expect(end).toMatchObject({ kind: "exited", exit: { code: expect.toSatisfy((code) => code !== 0) } });
    expect(() => readFileSync(join(folder, "x"))).toThrow(/ENOENT/);
    rmSync(folder, { recursive: true });
  },
);

test.skipIf(!denials.includes("writing"))(
  "a path with line breaks in it opens nothing else, and a link that is to stay as it is has to be a file itself",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead command "));
    const open = join(folder, "w\n", "\nfoo");
    mkdirSync(open, { recursive: true });
    mkdirSync(join(folder, "own"));
    writeFileSync(join(folder, "own/target"), "x");
    symlinkSync(join(folder, "own/target"), join(folder, "own/link"));
    const held = (folders: CommandSpec["folders"]) =>
      run(`echo x > '${folder}/outside'; echo x > '${folder}/own/x'`, { deny: ["writing"], folders: folders ?? {} });
    const writable = [join(folder, "own")];
    for (const [folders, why] of [
      [{ writable: [open] }, "has a line break in its path"],
      [{ writable, readOnly: [join(folder, "own/link")] }, "own/link is a link in a folder that may be written in"],
    ] as const)
      expect((await held(folders)).end).toMatchObject({ kind: "spawn", why: expect.stringContaining(why) });
    expect(readdirSync(folder).toSorted()).toEqual(["own", "w\n"]);
    rmSync(folder, { recursive: true });
  },
);

test.skipIf(!denials.includes("writing"))(
  "a folder above what is kept cannot be renamed to put another in its place",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "fairlead command "));
    for (const name of ["a/b/kept", "c/d/secret"]) mkdirSync(join(folder, name), { recursive: true });
    const lines = ["mv a x", "mv a/b a/x", "mv c x", "mv c/d c/x", "echo x > a/b/kept/x", "echo x > a/b/x"];
    const { output } = await run(lines.map((line) => `(${line}) 2>/dev/null && echo done || echo refused`).join("\n"), {
      cwd: folder,
      deny: ["writing"],
      folders: { writable: [folder], readOnly: [join(folder, "a/b/kept")], hidden: [join(folder, "c/d/secret")] },
    });
    expect(output.trim().split("\n")).toEqual(["refused", "refused", "refused", "refused", "refused", "done"]);
    rmSync(folder, { recursive: true });
  },
);
