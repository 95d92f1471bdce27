/** The schema of `state.sqlite`, as numbered migrations. A migration is never edited once released; a new one is added. */

export const migrations: readonly string[] = [
  `
  CREATE TABLE runs (
    run_id      TEXT PRIMARY KEY,
    session_id  TEXT NOT NULL UNIQUE,
    project     TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER,
    phase       TEXT NOT NULL,
    last_seq    INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX runs_one_active ON runs ((1)) WHERE ended_at IS NULL;

  CREATE TABLE events (
    run_id  TEXT NOT NULL REFERENCES runs (run_id),
    seq     INTEGER NOT NULL,
    id      TEXT,
    source  TEXT NOT NULL CHECK (source IN ('input', 'derived')),
    at      INTEGER NOT NULL,
    step    INTEGER NOT NULL,
    type    TEXT NOT NULL,
    payload TEXT NOT NULL,
    context TEXT NOT NULL,
    answer  TEXT,
    PRIMARY KEY (run_id, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX events_by_id ON events (run_id, id) WHERE id IS NOT NULL;

  CREATE TABLE snapshots (
    run_id  TEXT PRIMARY KEY REFERENCES runs (run_id),
    version INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    state   TEXT NOT NULL
  ) STRICT;

  CREATE TABLE tickets (
    ticket_id   TEXT PRIMARY KEY,
    run_id      TEXT NOT NULL REFERENCES runs (run_id),
    title       TEXT NOT NULL,
    description TEXT NOT NULL,
    category    TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('ready', 'in_progress', 'done', 'blocked', 'aborted')),
    priority    INTEGER NOT NULL,
    body        TEXT NOT NULL,
    note        TEXT,
    updated_at  INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tickets_by_run ON tickets (run_id, status);

  CREATE TABLE files (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    path   TEXT NOT NULL,
    seq    INTEGER NOT NULL,
    body   TEXT NOT NULL,
    PRIMARY KEY (run_id, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE baselines (
    ticket_id TEXT PRIMARY KEY,
    body      TEXT NOT NULL
  ) STRICT;

  CREATE TABLE memory (
    name TEXT PRIMARY KEY CHECK (name IN ('learnings', 'remembered', 'deferred')),
    body TEXT NOT NULL
  ) STRICT;
  `,
  `
  DROP INDEX events_by_id;
  CREATE UNIQUE INDEX events_by_id ON events (id, run_id) WHERE id IS NOT NULL;
  `,
  `
  ALTER TABLE memory RENAME TO memory_before;
  CREATE TABLE memory (
    name TEXT PRIMARY KEY CHECK (name IN ('learnings', 'remembered', 'deferred', 'backlog')),
    body TEXT NOT NULL
  ) STRICT;
  INSERT INTO memory (name, body) SELECT name, body FROM memory_before;
  DROP TABLE memory_before;
  `,
];
