/**
 * The self-test: kernels of the user's own services on throw-away folders, tried by malformed requests, MCP clients, slow and deaf sockets, kills, a
 * full disk, crashes and stops. Seeds of requests that failed are kept in the corpus, and are sent first next time.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fuzz } from "./fuzz.ts";
import { startKernel } from "./kernel-process.ts";
import { mcpSessions } from "./mcp-sessions.ts";
import { mcpStdio } from "./mcp-stdio.ts";
import type { SelftestRun } from "./report.ts";
import { sockets } from "./sockets.ts";
import type { StageResult, StageSetup } from "./stage.ts";
import { childCrashes, crashes, stops } from "./stops.ts";
import { timeFaults } from "./time-faults.ts";
import { fullDisk, kills } from "./writes.ts";

interface SelftestOptions {
  /** Folder of the project. */
  readonly project: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly seed: number;
  readonly quick: boolean;
  /** Folder that keeps the seeds that failed. */
  readonly corpus: string;
  readonly onStage: (result: StageResult) => void;
}

/** How much more a whole run does than a quick one. */
const wholeScale = 10;

const stages: readonly (readonly [name: string, run: (setup: StageSetup) => Promise<StageResult>])[] = [
  ["malformed requests", fuzz],
  ["MCP sessions", mcpSessions],
  ["MCP on stdio", mcpStdio],
  ["drips, stalls and resets", timeFaults],
  ["slow and deaf sockets", sockets],
  ["kills during writes", kills],
  ["full disk", fullDisk],
  ["crashes of a service", crashes],
  ["crashes of children", childCrashes],
  ["stops under load", stops],
];

export const runSelftest = async (options: SelftestOptions): Promise<SelftestRun> => {
  const { project, env, seed, quick, corpus, onStage } = options;
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "fairlead-selftest-"));
  let folders = 0;
  const newFolder = (): string => {
    folders += 1;
    return join(folder, String(folders));
  };
  const setup: StageSetup = {
    seed,
    scale: quick ? 1 : wholeScale,
    newFolder,
    project,
    env,
    start: (more) => startKernel({ project, env, stateDir: newFolder(), ...more }),
    corpus: readCorpus(corpus),
  };
  const results: StageResult[] = [];
  try {
    for (const [name, run] of stages) {
      const pauses = monitorEventLoopDelay();
      pauses.enable();
      const found = await run(setup).catch((cause: unknown): StageResult => {
        const why = cause instanceof Error ? cause.message : String(cause);
        return { name, ok: false, figures: "it could not be run", problems: [why] };
      });
      pauses.disable();
      const result = { ...found, figures: `${found.figures}${describePause(pauses.max / 1e9)}` };
      results.push(result);
      onStage(result);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  keepSeeds(
    corpus,
    results.flatMap(({ seeds = [] }) => seeds),
  );
  return { seed, quick, seconds: (performance.now() - began) / 1_000, results };
};

/** How busy the machine was, by the seconds that this process waited for its turn: the other figures depend on it. */
const describePause = (seconds: number): string =>
  seconds < 1 ? "" : `; the machine was busy: it let us wait for ${seconds.toFixed(1)} s`;

const corpusFile = (folder: string): string => join(folder, "seeds.json");

const readCorpus = (folder: string): readonly number[] => {
  const file = corpusFile(folder);
  if (!existsSync(file)) return [];
  const seeds: unknown = JSON.parse(readFileSync(file, "utf8"));
  return Array.isArray(seeds) ? seeds.filter((seed): seed is number => Number.isSafeInteger(seed)) : [];
};

const keepSeeds = (folder: string, found: readonly number[]): void => {
  if (found.length === 0) return;
  mkdirSync(folder, { recursive: true });
  const seeds = [...new Set([...readCorpus(folder), ...found])].toSorted((a, b) => a - b);
  writeFileSync(corpusFile(folder), `[${seeds.join(", ")}]\n`);
};
