/**
 * The file of stored answers, events and runs, opened at the first batch: each batch is one transaction, and is on the disk when its results are known.
 * A batch that fails has changed nothing, and the next one tries again, so that a disk may have room by then.
 *
 * Not here: the thread in which it runs (`writer-thread.ts`), and how batches come about (`group-commit.ts`).
 */
import type Database from "better-sqlite3";
import type { RunRead, RunWrite, RunWritten } from "../runs/store.ts";
import { AnswerTable } from "./answer-table.ts";
import { isDamaged, openDatabase, openSound, putAside } from "./database.ts";
import type { PackedEvents } from "./event-batch.ts";
import { EventTable } from "./event-table.ts";
import { RunTable } from "./run-table.ts";
import type { AnswerLimits, AnswerWrite, AnswerWritten } from "./state-write.ts";
import { readBootId, uptimeMs } from "./uptime.ts";

export interface StateFileOptions {
  readonly limits: AnswerLimits;
  /** Called when the file was damaged, with the name under which it was put aside. */
  readonly onDamage: (aside: string) => void;
  /** Milliseconds since the system started, and which start that was. */
  readonly now?: () => number;
  readonly boot?: string;
}

interface OpenFile {
  readonly database: Database.Database;
  readonly table: AnswerTable;
  readonly events: EventTable;
  readonly runs: RunTable;
  /** Does the work in a transaction. */
  readonly commit: <T>(work: () => T) => T;
}

export class StateFile {
  readonly #file: string;
  readonly #options: StateFileOptions;
  #open: OpenFile | undefined;
  #hasClaimed = false;

  constructor(file: string, options: StateFileOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Commits the writes; the result of each. Throws SQLite's error. */
  commit(writes: readonly AnswerWrite[]): readonly AnswerWritten[] {
    const results = this.#sound(() => {
      const { table, commit } = this.#opened();
      return commit(() => table.apply(writes));
    });
    this.#hasClaimed ||= results.includes("claimed");
    return results;
  }

  /** Commits events of the kernel that was started at `start`. Throws SQLite's error. */
  append(start: number, events: PackedEvents): void {
    this.#sound(() => {
      const { events: table, commit } = this.#opened();
      commit(() => table.append(start, events));
    });
  }

  /** Commits changes of runs; the result of each. Throws SQLite's error. */
  commitRuns(writes: readonly RunWrite[]): readonly RunWritten[] {
    return this.#sound(() => {
      const { runs, commit } = this.#opened();
      const results = commit(() => runs.apply(writes));
      this.#hasClaimed = true;
      return results;
    });
  }

  readRuns(read: RunRead): unknown {
    return this.#sound(() => this.#opened().runs.read(read));
  }

  /** Deletes old answers and runs, a number of them. What it cannot take the next look takes, or the next batch. */
  sweep(): void {
    try {
      const { table, runs, commit } = this.#opened();
      commit(() => {
        table.sweep();
        runs.sweep();
      });
    } catch {
      return;
    }
  }

  close(): void {
    this.#open?.database.close();
    this.#open = undefined;
  }

  /** Opening looks at few pages. While nothing was claimed here, no run needs its row: late damage is treated as if it were found then. */
  #sound<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (this.#hasClaimed || !isDamaged(cause)) throw cause;
      this.close();
      putAside(this.#file, this.#options.onDamage);
      return work();
    }
  }

  #opened(): OpenFile {
    const { onDamage } = this.#options;
    this.#open ??= openSound(this.#file, () => openFile(this.#file, this.#options), onDamage);
    return this.#open;
  }
}

/** Pages that the log of changes may hold before they go into the file: fewer, larger moves than by default. */
const logPages = 4_000;

const openFile = (file: string, { limits, now = uptimeMs, boot = readBootId() }: StateFileOptions): OpenFile => {
  const database = openDatabase(file);
  try {
    database.pragma(`wal_autocheckpoint = ${logPages}`);
    restartLifetimes(database, boot, now());
    const transaction = database.transaction((work: () => unknown) => work());
    const table = new AnswerTable(database, { now, limits });
    const commit = <T>(work: () => T): T => {
      try {
        const result = transaction.immediate(work) as T;
        table.committed();
        return result;
      } catch (cause) {
        table.rolledBack();
        throw cause;
      }
    };
    return { database, table, events: new EventTable(database), runs: new RunTable(database, { now, limits }), commit };
  } catch (cause) {
    database.close();
    throw cause;
  }
};

/** The clock has begun again with the system: it is not known how long that was ago, so all that is kept is kept for its whole time again. */
const restartLifetimes = (database: Database.Database, boot: string, now: number): void => {
  const last = database.prepare("SELECT id FROM boot").pluck().get();
  if (last === boot) return;
  database
    .transaction(() => {
      database.prepare("UPDATE answers SET at = ?").run(now);
      database.prepare("UPDATE runs SET at = ?").run(now);
      database.prepare("DELETE FROM boot").run();
      database.prepare("INSERT INTO boot (id) VALUES (?)").run(boot);
    })
    .immediate();
};
