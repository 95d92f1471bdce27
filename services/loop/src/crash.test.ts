/**
 * Kills a process that drives sessions with every tool that changes one, at random instants, again and again: nothing that was
 * acknowledged may be lost, nothing may be there twice, and files and database must agree. A fifth of the kills hit sessions in a git
 * repository, where results are measured, patches written and branches set up. FAIRLEAD_LOOP_KILLS sets how often; 200 when it is not set.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { DirectClient } from "./direct-client.ts";
import { Project } from "./session/project.ts";
import { formatLine, isIntactLine } from "./store/log-line.ts";
import type { Promised } from "./testing/crash-child.ts";
import { type Repository, temporaryFolder, temporaryRepository } from "./testing/repository.ts";
import { replayRun } from "./tool/run.ts";
import type { RunId } from "./value/id.ts";
import { randomIds } from "./value/random-id.ts";

const kills = Number(process.env.FAIRLEAD_LOOP_KILLS ?? 200);
const child = fileURLToPath(new URL("testing/crash-child.ts", import.meta.url));

/** Folders that are killed in at the same time; each goes through lives of its own, and a new folder follows after `lives`. */
interface Ground {
  readonly make: () => { readonly path: string; remove(): void };
  readonly kills: number;
  /** Kills in one folder. */
  readonly lives: number;
  /** Milliseconds that may pass between the line a life is killed after and the kill. */
  readonly span: number;
}

interface Told {
  readonly promised: readonly Promised[];
  /** JSON of what was sent and not acknowledged. */
  readonly open: string;
}

/** What the kills of a ground came to. */
interface Toll {
  readonly kills: number;
  /** Promises of replies, by what they are about. */
  readonly promised: Readonly<Record<Promised["kind"], number>>;
  /** Steps and events that were on their way when the kill came. */
  readonly interrupted: number;
  readonly patches: number;
}

/** A whole number from 0 to below `most`, each as likely. */
const some = (most: number): number => Math.floor((Number.parseInt(randomIds().slice(0, 6), 36) / 36 ** 6) * most);

/** A life is killed some time after one of its first lines, so that a slow machine is hit as far in as a fast one. */
const mostLines = 30;

const killed = async (running: ChildProcess, span: number): Promise<void> => {
  const signal = AbortSignal.timeout(some(span));
  if (!signal.aborted) await once(signal, "abort");
  running.kill("SIGKILL");
};

const start = (...args: readonly string[]) =>
  spawn(process.execPath, ["--min-semi-space-size=16", "--conditions=@fairlead/source", child, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "fairlead-compile-cache") },
  });

/** One life of the child: from its start to its kill. */
const life = async (folder: string, open: string, span: number): Promise<Told> => {
  const running = start(folder, open);
  const promised: Promised[] = [];
  let unacknowledged = open;
  let linesLeft = some(mostLines);
  createInterface({ input: running.stdout }).on("line", (line) => {
    const value = line.slice(line.indexOf(" ") + 1);
    if (line.startsWith("sent ")) unacknowledged = value;
    else if (line.startsWith("ack ")) {
      const promise = JSON.parse(value) as Promised | null;
      if (promise !== null) promised.push(promise);
      unacknowledged = "";
    }
    if (linesLeft === 0) void killed(running, span);
    linesLeft -= 1;
  });
  const [code, signal] = (await once(running, "close")) as [number | null, string | null];
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  return { promised, open: unacknowledged };
};

/** Goes through the lives of one folder, looking at the database after each, and at everything at the end. */
const siege = async ({ make, lives, span }: Ground): Promise<Toll> => {
  const { path, remove } = make();
  const promised: Promised[] = [];
  let interrupted = 0;
  let open = "";
  for (let time = 0; time < lives; time += 1) {
    const told = await life(path, open, span);
    promised.push(...told.promised);
    open = told.open;
    if (open !== "") interrupted += 1;
    if (existsSync(join(path, ".promptwheel/state.sqlite"))) checkKept(path, told.promised, time);
    else expect(told.promised).toEqual([]);
  }
  const patches = await checkEnd(path, promised);
  remove();
  return { kills: lives, promised: countByKind(promised), interrupted, patches };
};

const idsOf = (promised: readonly Promised[], kind: Promised["kind"]): readonly string[] =>
  promised.filter((promise) => promise.kind === kind).map(({ id }) => id);

const countByKind = (promised: readonly Promised[]): Toll["promised"] => ({
  event: idsOf(promised, "event").length,
  completion: idsOf(promised, "completion").length,
  ticket: idsOf(promised, "ticket").length,
  branch: idsOf(promised, "branch").length,
});

const counts = {
  event: "SELECT count(*) AS n FROM events WHERE id = ?",
  completion: "SELECT count(*) AS n FROM events WHERE type = 'QA_PASSED' AND id = ?",
  ticket: "SELECT count(*) AS n FROM events WHERE type = 'TICKET_ASSIGNED' AND payload ->> 'ticket_id' = ?",
} as const;

/** Right after a kill: the database is whole and has each event, completion and taken ticket once, the repository has the branches. */
const checkKept = (path: string, promised: readonly Promised[], time: number): void => {
  const db = new Database(join(path, ".promptwheel/state.sqlite"));
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  for (const kind of promised.length > 0 ? (["event", "completion", "ticket"] as const) : []) {
    const count = db.prepare<[string], { n: number }>(counts[kind]);
    for (const id of idsOf(promised, kind)) expect(count.get(id)?.n, `${kind} ${id} after kill ${time}`).toBe(1);
  }
  db.close();
  for (const branch of idsOf(promised, "branch"))
    expect(existsSync(join(path, ".git/refs/heads", branch)), `${branch} after kill ${time}`).toBe(true);
};

/** Everything there is: each run's log, files and replay. Gives the number of patches. */
const checkEnd = async (path: string, promised: readonly Promised[]): Promise<number> => {
  const client = await DirectClient.create({ projectPath: path });
  if (client.getState() === null) client.startSession();
  await client.nudge("take the session up");
  const state = client.getState();
  await client.close();
  const project = new Project("default", path, {
    clock: Date.now,
    ids: randomIds,
    warn: () => undefined,
    qaEnvironment: [],
    qaTimeLimitMs: 1_000,
  });
  const runs = project.store.runs(10_000);
  const checked = runs.map(({ run_id }) => checkRun(project, path, run_id));
  const ids = checked.flatMap((run) => run.ids);
  expect(new Set(ids).size).toBe(ids.length);
  const known = new Set(ids);
  for (const kind of ["event", "completion"] as const)
    expect(idsOf(promised, kind).filter((id) => !known.has(id))).toEqual([]);
  expect(runs.filter(({ ended_at }) => ended_at === null).map(({ run_id }) => run_id)).toEqual([state?.run_id]);
  const folder = join(path, ".promptwheel/runs", String(state?.run_id));
  expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8"))).toEqual(state);
  project.close();
  return checked.reduce((sum, { patches }) => sum + patches, 0);
};

const checkRun = (project: Project, path: string, run: RunId): { ids: readonly string[]; patches: number } => {
  const { store } = project;
  const rows = store.rows(run, 0, 1_000_000);
  const folder = join(path, ".promptwheel/runs", run);
  const lines = readFileSync(join(folder, "events.ndjson"), "utf8").trimEnd().split("\n");
  expect(lines.every(isIntactLine)).toBe(true);
  expect(lines).toEqual(rows.map(formatLine));
  const files = store.files(run);
  for (const file of files) expect(readFileSync(join(folder, file.path), "utf8")).toBe(file.body);
  const advances = rows.filter(({ type }) => type === "ADVANCE_CALLED");
  expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8"))).toMatchObject({ step_count: advances.length });
  expect(replayRun(project, { run_id: run, project: undefined })).toMatchObject({ equal: true, differences: [] });
  return {
    ids: rows.flatMap(({ id }) => id ?? []),
    patches: files.filter((file) => file.path.startsWith("diffs/")).length,
  };
};

/** One folder after another, until the ground's kills are used up. */
const campaign = async (ground: Ground): Promise<Toll> => {
  const tolls: Toll[] = [];
  for (let left = ground.kills; left > 0; left -= ground.lives)
    tolls.push(await siege({ ...ground, lives: Math.min(ground.lives, left) }));
  return together(tolls);
};

const together = (tolls: readonly Toll[]): Toll => {
  const sum = (of: (toll: Toll) => number): number => tolls.reduce((total, toll) => total + of(toll), 0);
  return {
    kills: sum(({ kills }) => kills),
    promised: {
      event: sum(({ promised }) => promised.event),
      completion: sum(({ promised }) => promised.completion),
      ticket: sum(({ promised }) => promised.ticket),
      branch: sum(({ promised }) => promised.branch),
    },
    interrupted: sum(({ interrupted }) => interrupted),
    patches: sum(({ patches }) => patches),
  };
};

const makefile = "all:\n\t@true\n";

const repository = (): Repository => temporaryRepository({ "src/part-1.ts": "one\n", Makefile: makefile });

const folder = (): ReturnType<typeof temporaryFolder> => {
  const made = temporaryFolder();
  made.write("Makefile", makefile);
  return made;
};

const share = (part: number): number => Math.max(1, Math.round(kills * part));

describe("a process killed at any instant", () => {
  it(
    `loses nothing and doubles nothing (${kills} kills)`,
    async () => {
      await once(start(), "close");
      const plain: Ground = { make: folder, kills: share(0.4), lives: 20, span: 25 };
      const inGit: Ground = { make: repository, kills: share(0.2), lives: 20, span: 60 };
      const tolls = await Promise.all([plain, plain, inGit].map(campaign));
      const all = together(tolls);
      expect(all.kills).toBeGreaterThanOrEqual(kills);
      expect(all.promised.event).toBeGreaterThan(kills / 4);
      expect(all.interrupted).toBeGreaterThan(0);
      if (kills >= 100) {
        expect(all.patches).toBeGreaterThan(0);
        for (const { promised } of tolls) expect(promised.completion).toBeGreaterThan(0);
        expect(all.promised.ticket).toBeGreaterThan(0);
        expect(all.promised.branch).toBeGreaterThan(0);
      }
      process.stdout.write(`${JSON.stringify(tolls)}\n`);
    },
    kills * 6_000,
  );
});
