/**
 * Opens the file of the kernel's state. What is acknowledged has reached the disk (`synchronous=FULL`). A damaged file is put aside under a
 * dated name, for whoever can read more out of it, and begun again.
 *
 * Runs in the kernel and in the thread that writes answers, which starts the faster for what is not imported here.
 */
import { existsSync, renameSync } from "node:fs";
import Database from "better-sqlite3";

/** Applied in order, each once; never edited after a release. */
const migrations = [
  `CREATE TABLE answers (
    principal TEXT NOT NULL,
    procedure TEXT NOT NULL,
    key TEXT NOT NULL,
    input TEXT NOT NULL,
    reply TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (principal, procedure, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX answers_by_age ON answers (at);`,
  `CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    service TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_number ON events (start, seq);`,
  `CREATE TABLE boot (id TEXT NOT NULL) STRICT;`,
  // Numbers are never used again: a process finds the rows of the others by them.
  `CREATE TABLE appended_answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    principal TEXT NOT NULL,
    procedure TEXT NOT NULL,
    key TEXT NOT NULL,
    input TEXT NOT NULL,
    reply TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO appended_answers (principal, procedure, key, input, reply, at)
    SELECT principal, procedure, key, input, reply, at FROM answers ORDER BY at;
  DROP TABLE answers;
  ALTER TABLE appended_answers RENAME TO answers;`,
  // Apart, so that they push out no rare ones.
  `CREATE TABLE call_events (
    id INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    service TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX call_events_by_number ON call_events (start, seq);`,
  `CREATE TABLE runs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    principal TEXT NOT NULL,
    procedure TEXT NOT NULL,
    key TEXT,
    state TEXT NOT NULL,
    ended INTEGER NOT NULL,
    at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX runs_by_key ON runs (principal, procedure, key) WHERE key IS NOT NULL;
  CREATE INDEX runs_by_end ON runs (ended, at);
  CREATE TABLE run_owner (owner TEXT NOT NULL) STRICT;
  CREATE TABLE run_inputs (id TEXT PRIMARY KEY, input TEXT NOT NULL) STRICT;
  CREATE TRIGGER run_inputs_go AFTER DELETE ON runs BEGIN DELETE FROM run_inputs WHERE id = OLD.id; END;`,
  // One text for all that came at once: a row each took more of a processor than their calls' own work.
  `CREATE TABLE call_batches (
    id INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    events TEXT NOT NULL
  ) STRICT;
  CREATE INDEX call_batches_by_number ON call_batches (start, last);
  INSERT INTO call_batches (id, start, first, last, events)
    SELECT id, start, seq, seq,
      json_array(json_object('seq', seq, 'at', at, 'type', type, 'service', service, 'data', json(data)))
    FROM call_events ORDER BY id;
  DROP TABLE call_events;`,
] as const;

/**
 * Opens (or makes) the file and brings it up to date. Throws SQLite's own error. `FULL`: what is committed is on the disk. `NORMAL`: it outlives this
 * process, and the system only once more was committed with `FULL` or the log of changes was moved into the file.
 */
export const openDatabase = (file: string, synchronous: "FULL" | "NORMAL" = "FULL"): Database.Database => {
  const database = new Database(file);
  try {
    database.pragma("journal_mode = WAL");
    database.pragma(`synchronous = ${synchronous}`);
    migrate(database);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
};

/** Does what opens the file, and once more where it is damaged, after that one has been put aside. */
export const openSound = <T>(file: string, open: () => T, onDamage: (aside: string) => void): T => {
  try {
    return open();
  } catch (cause) {
    if (!isDamaged(cause)) throw cause;
    putAside(file, onDamage);
    return open();
  }
};

/** True for a file that is not a database any more. */
export const isDamaged = (cause: unknown): boolean =>
  cause instanceof Error &&
  "code" in cause &&
  typeof cause.code === "string" &&
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(cause.code);

export const putAside = (file: string, onDamage: (aside: string) => void): void => {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(":", "-")}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`);
  }
  onDamage(aside);
};

const migrate = (database: Database.Database): void => {
  database
    .transaction(() => {
      const done = Number(database.pragma("user_version", { simple: true }));
      if (done > migrations.length) throw new Error(`the state was written by a newer Fairlead (schema ${done})`);
      for (const sql of migrations.slice(done)) database.exec(sql);
      database.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
};
