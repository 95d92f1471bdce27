/**
 * Kills a process that drives a session, at random instants, again and again: nothing that was acknowledged may be lost, nothing
 * may be there twice, and files and database must agree. FAIRLEAD_LOOP_KILLS sets how often; 200 when it is not set.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { DirectClient } from "./direct-client.ts";
import { randomIds } from "./random-id.ts";
import { Project } from "./session/project.ts";
import { replayRun } from "./session/run.ts";
import { isWhole, lineOf } from "./store/log-line.ts";
import { temporaryFolder } from "./testing/repository.ts";

const kills = Number(process.env.FAIRLEAD_LOOP_KILLS ?? 200);
const lanes = 4;
const child = fileURLToPath(new URL("testing/crash-child.ts", import.meta.url));

interface Told {
  readonly acknowledged: readonly string[];
  /** JSON of what was sent and not acknowledged. */
  readonly open: string;
}

/** Milliseconds; every instant between now and then is as likely. */
const someTime = (most: number): number => Math.floor((Number.parseInt(randomIds().slice(0, 6), 36) / 36 ** 6) * most);

const killed = async (running: ChildProcess): Promise<void> => {
  const signal = AbortSignal.timeout(someTime(200));
  if (!signal.aborted) await once(signal, "abort");
  running.kill("SIGKILL");
};

/** One life of the child: from its start to its kill. */
const life = async (folder: string, open: string): Promise<Told> => {
  const running = spawn(process.execPath, ["--conditions=@fairlead/source", child, folder, open], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "fairlead-compile-cache") },
  });
  const acknowledged: string[] = [];
  let unacknowledged = open;
  const lines = createInterface({ input: running.stdout });
  lines.on("line", (line) => {
    const value = line.slice(line.indexOf(" ") + 1);
    if (line.startsWith("ready ")) void killed(running);
    else if (line.startsWith("sent ")) unacknowledged = value;
    else if (line.startsWith("ack ")) {
      acknowledged.push(JSON.parse(value) as string);
      unacknowledged = "";
    }
  });
  const [code, signal] = (await once(running, "close")) as [number | null, string | null];
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  return { acknowledged, open: unacknowledged };
};

/** The last whole line may have been cut by the kill: then it was not acknowledged to anybody. */
const lane = async (times: number): Promise<number> => {
  const { path, remove } = temporaryFolder();
  const acknowledged: string[] = [];
  let open = "";
  for (let time = 0; time < times; time += 1) {
    const told = await life(path, open);
    acknowledged.push(...told.acknowledged);
    open = told.open;
    const db = new Database(join(path, ".promptwheel/state.sqlite"));
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    const count = db.prepare<[string], { n: number }>("SELECT count(*) AS n FROM events WHERE id = ?");
    for (const id of told.acknowledged) expect(count.get(id)?.n, `${id} after kill ${time}`).toBe(1);
    db.close();
  }
  await checkEnd(path, acknowledged);
  remove();
  return acknowledged.length;
};

const checkEnd = async (path: string, acknowledged: readonly string[]): Promise<void> => {
  const client = await DirectClient.create({ projectPath: path });
  await client.nudge("take the session up");
  const run = String(client.getState()?.run_id);
  const state = client.getState();
  await client.close();
  const project = new Project("default", path, {
    clock: Date.now,
    ids: randomIds,
    warn: () => undefined,
    qaEnvironment: [],
    qaTimeLimitMs: 1_000,
  });
  const { store } = project;
  const rows = store.rows(run, 0, 1_000_000);
  const folder = join(path, ".promptwheel/runs", run);
  const lines = readFileSync(join(folder, "events.ndjson"), "utf8").trimEnd().split("\n");
  expect(lines.every(isWhole)).toBe(true);
  expect(lines).toEqual(rows.map(lineOf));
  const ids = rows.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  expect(JSON.parse(readFileSync(join(folder, "state.json"), "utf8"))).toEqual(state);
  for (const file of store.files(run)) expect(readFileSync(join(folder, file.path), "utf8")).toBe(file.body);
  expect(replayRun(project, { run_id: run, project: undefined })).toMatchObject({ equal: true, differences: [] });
  project.close();
};

describe("a process killed at any instant", () => {
  it(
    `loses nothing and doubles nothing (${kills} kills)`,
    async () => {
      const counts = await Promise.all(Array.from({ length: lanes }, () => lane(Math.ceil(kills / lanes))));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(kills / 4);
    },
    kills * 6_000,
  );
});
