/**
 * The one truth of a project: the event table and the tables beside it, a file each. Every write here happens inside a transaction of
 * the committer's; nothing here opens one. Not here: files (`run-folder.ts`), and what events mean (the machine).
 */
import type { RunState, SessionStart } from "../state/run-state.ts";
import type { SqliteConnection } from "./database.ts";
import { type FirstEvent, type LoggedStep, openEventTable } from "./event-table.ts";
import { openFileTable } from "./file-table.ts";
import type { EventRow } from "./log-line.ts";
import { openMemoryTable } from "./memory-table.ts";
import { openRunTable } from "./run-table.ts";
import { openSnapshotTable } from "./snapshot-table.ts";
import { openTicketTable } from "./ticket-table.ts";

export const openStore = (db: SqliteConnection) => {
  const runs = openRunTable(db);
  const events = openEventTable(db);
  const snapshots = openSnapshotTable(db);
  const tickets = openTicketTable(db);
  const files = openFileTable(db);
  const memory = openMemoryTable(db);
  return {
    activeRun: runs.active,
    run: runs.find,
    /** The newest runs. */
    runs: runs.newest,
    /** The event of an id, in whatever run. */
    event: events.find,
    /** Rows after a position, both kinds, in order. */
    rows: events.after,
    files: files.all,
    file: files.find,
    fileEntries: files.entries,
    filesSince: files.since,
    saveFile: files.save,
    snapshot: snapshots.find,
    saveSnapshot: snapshots.save,
    memory: memory.read,
    saveMemory: memory.save,
    baseline: tickets.baseline,
    saveBaseline: tickets.saveBaseline,
    saveTicket: tickets.save,
    abortBlocked: tickets.abortBlocked,

    /** Writes a run's first event. */
    begin: (start: SessionStart, first: FirstEvent): EventRow => {
      runs.insert(start, first.at);
      const row = events.insertFirst(start, first);
      runs.update(start.runId, { phase: "SCOUT", last_seq: row.seq, ended_at: null });
      return row;
    },

    /** Writes an event with the lines that the machine added, after the line `seq`; gives the rows as they are. */
    append: (state: RunState, seq: number, logged: LoggedStep): readonly EventRow[] => {
      const rows = events.insertStep(state.runId, seq, logged);
      const ended_at = state.ended ? logged.event.at : null;
      runs.update(state.runId, { phase: state.phase, last_seq: seq + rows.length, ended_at });
      return rows;
    },

    close: (): void => {
      db.close();
    },
  };
};

export type Store = ReturnType<typeof openStore>;
