/** The runs of a project, one row each: which one is active, where its log ends. */
import type { SessionStart } from "../state/run-state.ts";
import type { RunId } from "../value/id.ts";
import type { SqliteConnection } from "./database.ts";

export interface RunRow {
  readonly run_id: RunId;
  readonly session_id: string;
  readonly project: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly phase: string;
  readonly last_seq: number;
}

/** Where a run is after an event. */
type RunPosition = Pick<RunRow, "phase" | "last_seq" | "ended_at">;

export const openRunTable = (db: SqliteConnection) => {
  const insert = db.prepare(
    "INSERT INTO runs (run_id, session_id, project, started_at, phase, last_seq) VALUES (?, ?, ?, ?, 'SCOUT', 0)",
  );
  const update = db.prepare("UPDATE runs SET phase = ?, last_seq = ?, ended_at = ? WHERE run_id = ?");
  const active = db.prepare<[], RunRow>("SELECT * FROM runs WHERE ended_at IS NULL");
  const byId = db.prepare<[string], RunRow>("SELECT * FROM runs WHERE run_id = ?");
  const newest = db.prepare<[number], RunRow>("SELECT * FROM runs ORDER BY started_at DESC, run_id DESC LIMIT ?");
  return {
    active: (): RunRow | undefined => active.get(),
    find: (runId: string): RunRow | undefined => byId.get(runId),
    newest: (limit: number): readonly RunRow[] => newest.all(limit),
    insert: ({ runId, sessionId, project }: SessionStart, at: number): void => {
      insert.run(runId, sessionId, project, at);
    },
    update: (runId: RunId, { phase, last_seq, ended_at }: RunPosition): void => {
      update.run(phase, last_seq, ended_at, runId);
    },
  };
};
