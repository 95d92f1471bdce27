/** What must hold in a project's folder after its server was killed: every guarantee is kept, once, and files and database agree. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { DirectClient } from "../direct-client.ts";
import { Project } from "../session/project.ts";
import { formatLine, isIntactLine } from "../store/log-line.ts";
import { replayRun } from "../tool/run.ts";
import type { RunId } from "../value/id.ts";
import { randomIds } from "../value/random-id.ts";
import type { Guarantee } from "./crash-child.ts";

export const guaranteedIds = (guarantees: readonly Guarantee[], kind: Guarantee["kind"]): readonly string[] =>
  guarantees.filter((guarantee) => guarantee.kind === kind).map(({ id }) => id);

const counts = {
  event: "SELECT count(*) AS n FROM events WHERE id = ?",
  completion: "SELECT count(*) AS n FROM events WHERE type = 'QA_PASSED' AND id = ?",
  ticket: "SELECT count(*) AS n FROM events WHERE type = 'TICKET_ASSIGNED' AND payload ->> 'ticket_id' = ?",
} as const;

/** The database is intact and has each event, completion and taken ticket once; the repository has the branches. */
export const checkAfterKill = (path: string, guarantees: readonly Guarantee[], kill: number): void => {
  const db = new Database(join(path, ".promptwheel/state.sqlite"));
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  for (const kind of guarantees.length > 0 ? (["event", "completion", "ticket"] as const) : []) {
    const count = db.prepare<[string], { n: number }>(counts[kind]);
    for (const id of guaranteedIds(guarantees, kind))
      expect(count.get(id)?.n, `${kind} ${id} after kill ${kill}`).toBe(1);
  }
  db.close();
  for (const branch of guaranteedIds(guarantees, "branch"))
    expect(existsSync(join(path, ".git/refs/heads", branch)), `${branch} after kill ${kill}`).toBe(true);
};

/** Checks each run's log, files and replay. Gives the number of patches. */
export const checkAtEnd = async (path: string, guarantees: readonly Guarantee[]): Promise<number> => {
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
    expect(guaranteedIds(guarantees, kind).filter((id) => !known.has(id))).toEqual([]);
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
