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

const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const driver = fileURLToPath(new URL("./conformance-driver.ts", import.meta.url));

export interface Judgement {
  /** 0 when nothing failed that the revision requires. */
  readonly code: number | null;
  /** The verdict on each scenario, by its name. */
  readonly verdicts: ReadonlyMap<string, boolean>;
  /** Those that no revision requires of a client: extensions. */
  readonly unscored: ReadonlySet<string>;
}

/** Runs the scenarios that the options of the suite select. */
export const judge = async (...selection: readonly string[]): Promise<Judgement> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-suite-"));
  const command = `${process.execPath} --conditions=@fairlead/source ${driver}`;
  const child = spawn(process.execPath, [suite, "client", "--command", command, ...selection], {
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
