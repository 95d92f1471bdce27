/**
 * The public conformance suite's client mode, with the connections service as the client: what it connects to, calls and logs in to is
 * judged by others.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const driver = fileURLToPath(new URL("./conformance-driver.ts", import.meta.url));

/** The verdict on each scenario, by its name. */
const judge = async (name: string): Promise<ReadonlyMap<string, boolean>> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-suite-"));
  const command = `${process.execPath} --conditions=@fairlead/source ${driver}`;
  const child = spawn(process.execPath, [suite, "client", "--command", command, "--suite", name], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  await new Promise((resolve) => child.once("close", resolve));
  rmSync(folder, { recursive: true });
  const verdicts = [...out.matchAll(/^([✓✗]) ([^:\s]+):/gm)];
  return new Map(verdicts.map(([, mark, scenario = ""]) => [scenario, mark === "✓"]));
};

it.each([
  ["core", 18],
  ["draft", 17],
])(
  "the %s scenarios",
  async (name, count) => {
    const verdicts = await judge(name);
    expect(verdicts.size).toBe(count);
    expect([...verdicts].filter(([, passed]) => !passed)).toEqual([]);
  },
  240_000,
);
