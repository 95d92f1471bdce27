import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isRunning } from "../testing/process.ts";
import { temporaryFolder } from "../testing/repository.ts";
import { limits } from "../value/limits.ts";
import { runCommand } from "./run-command.ts";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const run = (
  command: string,
  change: { timeLimitMs?: number; signal?: AbortSignal; environment?: readonly string[] } = {},
) => runCommand(command, { folder: folder.path, timeLimitMs: 60_000, environment: [], clock: Date.now, ...change });

/** A makefile is the shortest way to run anything through the allow-list. */
const make = (...recipe: readonly string[]): void => {
  folder.write("Makefile", `all:\n${recipe.map((line) => `\t@${line}\n`).join("")}`);
};

describe("running a command", () => {
  it("gives what it printed and whether it passed", async () => {
    make("echo out", "echo err >&2");
    const result = await run("make");
    expect(result).toMatchObject({ command: "make", success: true });
    expect(result.output).toContain("out\n");
    expect(result.output).toContain("err\n");
    make("exit 3");
    expect(await run("make")).toMatchObject({ success: false });
  });

  it("is not run when it is not on the list", async () => {
    expect(await run("touch canary")).toMatchObject({ success: false, output: expect.stringContaining("refused") });
    expect(existsSync(join(folder.path, "canary"))).toBe(false);
  });

  it("says when the program is not there", async () => {
    expect(await run("phpunit")).toMatchObject({
      success: false,
      output: expect.stringContaining("phpunit is not there"),
    });
  });

  it("sees only named variables", async () => {
    process.env.LOOP_SECRET = "hush";
    process.env.LOOP_NAMED = "seen";
    make("env");
    const { output } = await run("make", { environment: ["LOOP_NAMED"] });
    expect(output).toContain("LOOP_NAMED=seen");
    expect(output).not.toContain("LOOP_SECRET");
    expect(output).toContain("CI=1");
  });

  it("dies with its whole group when its time is over", async () => {
    make("sh -c 'echo $$$$ > child.pid; trap \"\" TERM; sleep 1000; true' & sleep 1000");
    const pidFile = join(folder.path, "child.pid");
    // Until the shell had time enough to start.
    for (let timeLimitMs = 2_000; !existsSync(pidFile) || readFileSync(pidFile, "utf8") === ""; timeLimitMs *= 2) {
      const result = await run("make", { timeLimitMs });
      expect(result).toMatchObject({
        success: false,
        output: expect.stringContaining(`timed out after ${timeLimitMs} ms`),
      });
    }
    const pid = Number(readFileSync(pidFile, "utf8"));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("is cancelled by a signal", async () => {
    make("echo ready", "sleep 1000");
    expect(await run("make", { signal: AbortSignal.timeout(500) })).toMatchObject({
      success: false,
      output: expect.stringContaining("cancelled"),
    });
    expect(await run("make", { signal: AbortSignal.abort() })).toMatchObject({
      success: false,
      output: expect.stringContaining("cancelled"),
    });
  });

  it("keeps the end of much output", async () => {
    make("yes 0123456789 | head -c 3000000", "echo the end");
    const { success, output } = await run("make");
    expect(success).toBe(true);
    expect(output.length).toBeLessThanOrEqual(limits.largeText);
    expect(output.startsWith("[cut off here]")).toBe(true);
    expect(output.trimEnd().endsWith("the end")).toBe(true);
  });
});
