/** The last snapshot of each run's state: it only saves time; one whose checksum or version does not agree is not used. */
import type { RunState } from "../state/run-state.ts";
import { lineHash } from "../value/hash.ts";
import type { SqliteConnection } from "./database.ts";

/** Goes up when the state's shape or the machine's meaning changes: older snapshots are then not used. */
const snapshotVersion = 14;

export interface Snapshot {
  readonly seq: number;
  readonly state: RunState;
}

export const openSnapshotTable = (db: SqliteConnection) => {
  const get = db.prepare<[string, number], { seq: number; state: string }>(
    "SELECT seq, state FROM snapshots WHERE run_id = ? AND version = ?",
  );
  const put = db.prepare(
    "INSERT INTO snapshots (run_id, version, seq, state) VALUES (?, ?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET version = excluded.version, seq = excluded.seq, state = excluded.state",
  );
  return {
    find: (runId: string): Snapshot | undefined => {
      const row = get.get(runId, snapshotVersion);
      const state = row === undefined ? undefined : parseState(row.state);
      return row === undefined || state === undefined ? undefined : { seq: row.seq, state };
    },
    save: (state: RunState, seq: number): void => {
      put.run(state.runId, snapshotVersion, seq, withChecksum(JSON.stringify(state)));
    },
  };
};

/** Undefined when the checksum does not agree. This is the named boundary of its type. */
const parseState = (text: string): RunState | undefined => {
  const json = text.slice(text.indexOf(" ") + 1);
  return text === withChecksum(json) ? (JSON.parse(json) as RunState) : undefined;
};

const withChecksum = (json: string): string => `${lineHash(json)} ${json}`;
