/**
 * Kills a process that drives sessions with every tool that changes one, at random instants, again and again: nothing that was
 * acknowledged may be lost, nothing may be there twice, and files and database must agree (`crash-check.ts`). A fifth of the kills hit
 * sessions in a git repository, where results are measured, patches written and branches set up.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { randomIds } from "../value/random-id.ts";
import { checkAfterKill, checkAtEnd, guaranteedIds } from "./crash-check.ts";
import type { Guarantee } from "./crash-child.ts";
import { type Repository, temporaryFolder, temporaryRepository } from "./repository.ts";

const child = fileURLToPath(new URL("crash-child.ts", import.meta.url));

/** A series of kills, one folder after another. */
interface Series {
  readonly makeFolder: () => { readonly path: string; remove(): void };
  readonly kills: number;
  /** Milliseconds that may pass between the line a process is killed after and the kill. */
  readonly maxDelay: number;
}

const killsPerFolder = 20;

/** What a process had acknowledged when it was killed. */
interface KilledRun {
  readonly guarantees: readonly Guarantee[];
  /** JSON of the call that was sent and not acknowledged; "" without one. */
  readonly openCall: string;
}

interface KillTally {
  readonly kills: number;
  /** Guarantees that replies gave, by what they are about. */
  readonly guarantees: Readonly<Record<Guarantee["kind"], number>>;
  /** Calls that were under way when the kill came. */
  readonly interrupted: number;
  readonly patches: number;
}

/** Kills so often and checks after each kill and at the end. From 100 kills on every kind of guarantee must have occurred. */
export const expectCrashSafe = async (kills: number): Promise<void> => {
  await once(start(), "close");
  const part = (share: number): number => Math.max(1, Math.round(kills * share));
  const plain: Series = { makeFolder: folder, kills: part(0.4), maxDelay: 25 };
  const inGit: Series = { makeFolder: repository, kills: part(0.2), maxDelay: 60 };
  const tallies = await Promise.all([plain, plain, inGit].map(runSeries));
  const all = sum(tallies);
  expect(all.kills).toBeGreaterThanOrEqual(kills);
  expect(all.guarantees.event).toBeGreaterThan(kills / 4);
  if (kills < 100) return;
  expect(all.interrupted).toBeGreaterThan(0);
  expect(all.patches).toBeGreaterThan(0);
  for (const { guarantees } of tallies) expect(guarantees.completion).toBeGreaterThan(0);
  expect(all.guarantees.ticket).toBeGreaterThan(0);
  expect(all.guarantees.branch).toBeGreaterThan(0);
  process.stdout.write(`${JSON.stringify(tallies)}\n`);
};

const runSeries = async (series: Series): Promise<KillTally> => {
  const tallies: KillTally[] = [];
  for (let left = series.kills; left > 0; left -= killsPerFolder)
    tallies.push(await killInOneFolder(series, Math.min(killsPerFolder, left)));
  return sum(tallies);
};

/** Kills one process after another in a folder, checks the database after each, and everything at the end. */
const killInOneFolder = async ({ makeFolder, maxDelay }: Series, kills: number): Promise<KillTally> => {
  const { path, remove } = makeFolder();
  const guarantees: Guarantee[] = [];
  let interrupted = 0;
  let openCall = "";
  for (let kill = 0; kill < kills; kill += 1) {
    const run = await runUntilKilled(path, openCall, maxDelay);
    guarantees.push(...run.guarantees);
    openCall = run.openCall;
    if (openCall !== "") interrupted += 1;
    if (existsSync(join(path, ".promptwheel/state.sqlite"))) checkAfterKill(path, run.guarantees, kill);
    else expect(run.guarantees).toEqual([]);
  }
  const patches = await checkAtEnd(path, guarantees);
  remove();
  return { kills, guarantees: countByKind(guarantees), interrupted, patches };
};

/** A process is killed some time after one of its first lines, so that a slow machine is hit as far in as a fast one. */
const maxLines = 30;

const runUntilKilled = async (folder: string, openCall: string, maxDelay: number): Promise<KilledRun> => {
  const running = start(folder, openCall);
  const guarantees: Guarantee[] = [];
  let unacknowledged = openCall;
  let linesLeft = randomBelow(maxLines);
  createInterface({ input: running.stdout }).on("line", (line) => {
    const value = line.slice(line.indexOf(" ") + 1);
    if (line.startsWith("sent ")) unacknowledged = value;
    else if (line.startsWith("ack ")) {
      const guarantee = JSON.parse(value) as Guarantee | null;
      if (guarantee !== null) guarantees.push(guarantee);
      unacknowledged = "";
    }
    if (linesLeft === 0) void killAfter(running, maxDelay);
    linesLeft -= 1;
  });
  const [code, signal] = (await once(running, "close")) as [number | null, string | null];
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  return { guarantees, openCall: unacknowledged };
};

const start = (...args: readonly string[]) =>
  spawn(process.execPath, ["--min-semi-space-size=16", "--conditions=@fairlead/source", child, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });

const killAfter = async (running: ChildProcess, maxDelay: number): Promise<void> => {
  const signal = AbortSignal.timeout(randomBelow(maxDelay));
  if (!signal.aborted) await once(signal, "abort");
  running.kill("SIGKILL");
};

/** A whole number from 0 to below `limit`, each as likely. */
const randomBelow = (limit: number): number =>
  Math.floor((Number.parseInt(randomIds().slice(0, 6), 36) / 36 ** 6) * limit);

const countByKind = (guarantees: readonly Guarantee[]): KillTally["guarantees"] => ({
  event: guaranteedIds(guarantees, "event").length,
  completion: guaranteedIds(guarantees, "completion").length,
  ticket: guaranteedIds(guarantees, "ticket").length,
  branch: guaranteedIds(guarantees, "branch").length,
});

const sum = (tallies: readonly KillTally[]): KillTally => {
  const total = (read: (tally: KillTally) => number): number => tallies.reduce((all, tally) => all + read(tally), 0);
  return {
    kills: total(({ kills }) => kills),
    guarantees: {
      event: total(({ guarantees }) => guarantees.event),
      completion: total(({ guarantees }) => guarantees.completion),
      ticket: total(({ guarantees }) => guarantees.ticket),
      branch: total(({ guarantees }) => guarantees.branch),
    },
    interrupted: total(({ interrupted }) => interrupted),
    patches: total(({ patches }) => patches),
  };
};

const makefile = "all:\n\t@true\n";

const repository = (): Repository => temporaryRepository({ "src/part-1.ts": "one\n", Makefile: makefile });

const folder = (): ReturnType<typeof temporaryFolder> => {
  const made = temporaryFolder();
  made.write("Makefile", makefile);
  return made;
};
