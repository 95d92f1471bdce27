/**
 * For tests only: processes that change one token file at the same time, some of them killed on their way, and whether each change that was
 * acknowledged holds afterwards.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isExpired } from "../config/tokens/token.ts";
import { readAudit } from "../config/tokens/token-audit.ts";
import { changeTokens } from "../config/tokens/token-changes.ts";
import { readTokens } from "../config/tokens/token-file.ts";

interface StormOptions {
  readonly processes: number;
  /** Changes of each process. */
  readonly changes: number;
  /** Share of the processes that are killed after a part of their changes, from 0 to 1. */
  readonly killed: number;
  readonly seed: number;
}

interface StormResult {
  readonly acknowledged: number;
  /** Names whose last acknowledged change is not what the file has. */
  readonly lost: readonly string[];
  /** Acknowledged changes that the audit does not call done. */
  readonly unrecorded: number;
}

const fixture = fileURLToPath(new URL("./token-storm.fixture.ts", import.meta.url));

/** Runs one storm in a folder of its own. */
export const tokenStorm = async ({ processes, changes, killed, seed }: StormOptions): Promise<StormResult> => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-token-storm-"));
  const path = join(folder, "state", "tokens.json");
  const start = new Barrier(processes);
  const outputs = await Promise.all(
    Array.from({ length: processes }, (_, at) => {
      const killAfter = ((seed + at * 7) % 100) / 100 < killed ? 1 + ((seed + at) % Math.max(1, changes)) : undefined;
      return runChanges([path, `p${at}`, String(changes), String(seed * 1_000 + at + 1)], { start, killAfter });
    }),
  );
  // The next change settles what a killed one has left.
  changeTokens(path, { change: "revoke", name: "nobody", apply: (all) => all });
  const now = Date.now();
  const valid = readTokens(path).filter((token) => !isExpired(token, now));
  const done = new Set(readAudit(path).flatMap(({ id, state }) => (state === "done" ? [id] : [])));
  rmSync(folder, { recursive: true });
  const lines = outputs.flat();
  const acknowledged = lines.filter(({ word }) => word === "ok").length;
  const lost = [...Map.groupBy(lines, ({ name }) => name)].flatMap(([name, own]) => {
    const found = valid.findLast((token) => token.name === name)?.sha256 ?? "none";
    const last = own.findLast(({ word }) => word === "ok")?.digest ?? "none";
    const [tried] = own.slice(-1);
    const possible = tried?.word === "try" ? [last, tried.digest] : [last];
    return possible.includes(found) ? [] : [name];
  });
  return { acknowledged, lost, unrecorded: Math.max(0, acknowledged + 1 - done.size) };
};

interface Line {
  readonly word: string;
  readonly name: string;
  readonly digest: string;
}

/** Opens when all have come. */
class Barrier {
  readonly #opened = Promise.withResolvers<void>();
  #missing: number;

  constructor(count: number) {
    this.#missing = count;
  }

  arrive(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing === 0) this.#opened.resolve();
    return this.#opened.promise;
  }
}

interface RunOptions {
  readonly start: Barrier;
  /** Changes after which it is killed. */
  readonly killAfter: number | undefined;
}

const runChanges = (args: readonly string[], { start, killAfter }: RunOptions): Promise<readonly Line[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--conditions=@fairlead/source", fixture, ...args], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.once("data", () => void start.arrive().then(() => child.stdin.end("x")));
    child.stdin.on("error", () => undefined);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (killAfter !== undefined && text.split("try ").length > killAfter) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", () => resolve(text.split("\n").flatMap(parseLine)));
  });

const parseLine = (line: string): readonly Line[] => {
  const [word = "", name = "", digest] = line.split(" ");
  return digest === undefined ? [] : [{ word, name, digest }];
};
