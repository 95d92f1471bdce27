/**
 * The public conformance suite's client mode, with the connections service as the client: what it connects to, calls and logs in to is
 * judged by others.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
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

interface Judgement {
  /** 0 when nothing failed that the revision requires. */
  readonly code: number | null;
  /** The verdict on each scenario, by its name. */
  readonly verdicts: ReadonlyMap<string, boolean>;
  /** Those that no revision requires of a client: extensions. */
  readonly unscored: ReadonlySet<string>;
}

/** Runs what a revision requires of a client, frozen at its release. */
const judge = async (revision: string): Promise<Judgement> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-suite-"));
  const command = `${process.execPath} --conditions=@fairlead/source ${driver}`;
  const child = spawn(process.execPath, [suite, "client", "--command", command, "--requirements", revision], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  const hear = (text: string): void => {
    out += text;
  };
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  const [code] = await once(child, "close");
  rmSync(folder, { recursive: true });
  const verdicts = [...out.matchAll(/^([✓✗]) ([^:\s]+):/gm)];
  const unscored = [...out.matchAll(/^ {2}[✓✗] (\S+) \(/gm)];
  return {
    code,
    verdicts: new Map(verdicts.map(([, mark, scenario = ""]) => [scenario, mark === "✓"])),
    unscored: new Set(unscored.map(([, scenario = ""]) => scenario)),
  };
};

it.each([
  ["2025-11-25", 18],
  ["2026-07-28", 32],
])(
  "all that revision %s requires of a client",
  async (revision, count) => {
    const { code, verdicts, unscored } = await judge(revision);
    const required = [...verdicts].filter(([scenario]) => !unscored.has(scenario));
    expect(required.filter(([, passed]) => !passed)).toEqual([]);
    expect(required).toHaveLength(count);
    expect(code).toBe(0);
  },
  240_000,
);
