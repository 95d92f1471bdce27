/**
 * The kernel's own state in SQLite: stored answers of keyed procedures, and the latest events. What a method returns from has been committed with
 * `synchronous=FULL`. Answers go when they are old, whether or not anyone comes for more; the file has a largest size.
 *
 * Not here: opening it on first need (`lazy-state.ts`), and what an answer means (`policy/idempotency.ts`).
 */
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Reply } from "../call/call.ts";
import type { KernelEvent } from "../observe/event.ts";
import type { EventStore } from "../observe/event-log.ts";
import type { AnswerStore, Claim, KeyUse } from "../policy/idempotency.ts";
import { makePrivateFolder } from "./private-folder.ts";

/** Milliseconds an answer is kept. */
export const answerLifetimeMs = 24 * 60 * 60 * 1_000;

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
] as const;

export interface KernelState {
  readonly answers: AnswerStore;
  readonly events: EventStore;
  close(): void;
}

export interface StateOptions {
  readonly now?: () => number;
  /** Bytes of the file beyond which no new key is taken. */
  readonly mostBytes?: number;
}

/** Milliseconds between looks for old answers; one look takes a batch of them. */
const sweepEveryMs = 5_000;
const batch = 1_000;

/** Opens (or makes) the file, in a folder of mode 0700. */
export const openState = (
  file: string,
  { now = Date.now, mostBytes = 268_435_456 }: StateOptions = {},
): KernelState => {
  makePrivateFolder(dirname(file));
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  migrate(database);
  const { sweep, ...answers } = answerStore(database, now, mostBytes);
  const sweeping = setInterval(() => {
    try {
      sweep();
    } catch {
      // Another process holds the file: the next look, or the next claim, takes what this one could not.
    }
  }, sweepEveryMs).unref();
  return {
    answers,
    events: eventStore(database),
    close: () => {
      clearInterval(sweeping);
      database.close();
    },
  };
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

/** Events that are kept; the oldest go first. */
const mostEvents = 10_000;

interface EventRow {
  readonly start: number;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly service: string;
  readonly data: string;
}

/** `start` of the kernel that writes is known once it has written: its own events are not of an earlier one. */
const eventStore = (database: Database.Database): EventStore => {
  const insert = database.prepare("INSERT INTO events (start, seq, at, type, service, data) VALUES (?, ?, ?, ?, ?, ?)");
  const trim = database.prepare(`DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ${mostEvents}`);
  const latest = database.prepare<[number], { readonly start: number | null }>(
    "SELECT max(start) AS start FROM events WHERE start < ?",
  );
  const after = database.prepare<[number, number, number, number], EventRow>(
    `SELECT start, seq, at, type, service, data FROM events
     WHERE start < ? AND (start > ? OR (start = ? AND seq > ?)) ORDER BY id`,
  );
  let own = Number.MAX_SAFE_INTEGER;
  const append = database.transaction((start: number, events: readonly KernelEvent[]): void => {
    for (const { seq, at, type, service, data } of events) {
      insert.run(start, seq, at, type, service, JSON.stringify(data));
    }
    trim.run();
  });
  return {
    append: (start, events) => {
      own = start;
      append.immediate(start, events);
    },
    read: ({ start, seq }) => {
      const from = start ?? latest.get(own)?.start ?? own;
      return after.all(own, from, from, seq).map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) }));
    },
  };
};

interface AnswerRow {
  readonly input: string;
  readonly reply: string | null;
}

const answerStore = (database: Database.Database, now: () => number, mostBytes: number) => {
  const expire = database.prepare(
    `DELETE FROM answers WHERE at < ? AND at <= (SELECT max(at) FROM (SELECT at FROM answers ORDER BY at LIMIT ${batch}))`,
  );
  const find = database.prepare<[string, string, string], AnswerRow>(
    "SELECT input, reply FROM answers WHERE principal = ? AND procedure = ? AND key = ?",
  );
  const claim = database.prepare(
    "INSERT INTO answers (principal, procedure, key, input, reply, at) VALUES (?, ?, ?, ?, NULL, ?)",
  );
  const finish = database.prepare("UPDATE answers SET reply = ? WHERE principal = ? AND procedure = ? AND key = ?");
  const release = database.prepare("DELETE FROM answers WHERE principal = ? AND procedure = ? AND key = ?");
  const identity = ({ principal, procedure, key }: KeyUse): [string, string, string] => [principal, procedure, key];
  const sweep = (): void => void expire.run(now() - answerLifetimeMs);
  const pages = (name: string): number => Number(database.pragma(name, { simple: true }));
  const isFull = (): boolean => (pages("page_count") - pages("freelist_count")) * pages("page_size") >= mostBytes;
  const claimOrFind = database.transaction((use: KeyUse): Claim => {
    sweep();
    const row = find.get(...identity(use));
    if (row?.reply === null) return { tag: "pending", input: row.input };
    if (row !== undefined) return { tag: "answered", input: row.input, reply: JSON.parse(row.reply) as Reply };
    if (isFull()) return "full";
    claim.run(...identity(use), use.input, now());
    return "claimed";
  });
  return {
    claim: (use: KeyUse) => claimOrFind.immediate(use),
    finish: (use: KeyUse, reply: Reply) => void finish.run(JSON.stringify(reply), ...identity(use)),
    release: (use: KeyUse) => void release.run(...identity(use)),
    sweep,
  };
};
