/**
 * The kernel's own state in SQLite: stored answers of keyed procedures, and the latest events. What a method returns from has been committed with
 * `synchronous=FULL`. Answers go when they are old, whether or not anyone comes for more; the file has a largest size.
 *
 * Not here: opening it on first need (`lazy-state.ts`), and what an answer means (`policy/idempotency.ts`).
 */
import { existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { KernelEvent } from "../observe/event.ts";
import type { EventStore } from "../observe/event-log.ts";
import type { AnswerStore, Claim, KeyUse } from "../policy/idempotency.ts";
import { makeAnswerStore } from "./answer-store.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { inStorageWords, isDamaged } from "./storage-error.ts";
import { readBootId, uptimeMs } from "./uptime.ts";

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
] as const;

export interface KernelState {
  readonly answers: AnswerStore;
  readonly events: EventStore;
  close(): void;
}

export interface StateOptions {
  /** Milliseconds since the system started, and which start that was. */
  readonly now?: () => number;
  readonly boot?: string;
  /** Bytes of the file beyond which no new key is taken. */
  readonly mostBytes?: number;
  /** Bytes of one principal's answers; a quarter of `mostBytes` when left out. The local one may take all. */
  readonly mostOfOne?: number;
  /** Called when the file was damaged, with the name under which it was put aside. */
  readonly onDamage?: (aside: string) => void;
}

/** Milliseconds between looks for old answers; one look takes a batch of them. */
const sweepEveryMs = 5_000;

/**
 * Opens (or makes) the file, in a folder of mode 0700. One that is damaged is put aside under a dated name, for whoever can read more out of
 * it, and begun anew. Throws a `FairleadError` (`unavailable`) where the storage fails.
 */
export const openState = (
  file: string,
  {
    now = uptimeMs,
    boot = readBootId(),
    mostBytes = 268_435_456,
    mostOfOne = mostBytes / 4,
    onDamage = () => undefined,
  }: StateOptions = {},
): KernelState => {
  makePrivateFolder(dirname(file));
  const openAll = (): OpenState => {
    const database = openDatabase(file);
    try {
      restartLifetimes(database, boot, now());
      const answers = makeAnswerStore(database, now, { mostBytes, mostOfOne });
      return { database, answers, events: eventStore(database) };
    } catch (cause) {
      database.close();
      throw cause;
    }
  };
  /** `undefined` after damage that was found late, until the file could be begun anew. */
  let current: OpenState | undefined;
  const open = (): OpenState => {
    current ??= inStorageWords(() => openSound(file, openAll, onDamage));
    return current;
  };
  open();
  let hasClaimed = false;
  const claim = (use: KeyUse): Claim => {
    const { database, answers } = open();
    try {
      const found = answers.claim(use);
      hasClaimed ||= found === "claimed";
      return found;
    } catch (cause) {
      // Opening looks at few pages. While nothing was claimed here, no run needs its row: late damage is treated as if it were found then.
      if (hasClaimed || !isDamaged(cause)) throw cause;
      database.close();
      current = undefined;
      putAside(file, onDamage);
      return open().answers.claim(use);
    }
  };
  const sweeping = setInterval(() => {
    try {
      current?.answers.sweep();
    } catch {
      // Another process holds the file: the next look, or the next claim, takes what this one could not.
    }
  }, sweepEveryMs).unref();
  return {
    answers: {
      claim: (use) => inStorageWords(() => claim(use)),
      finish: (use, reply) => inStorageWords(() => open().answers.finish(use, reply)),
      release: (use) => inStorageWords(() => open().answers.release(use)),
    },
    events: {
      append: (start, events) => open().events.append(start, events),
      read: (place) => open().events.read(place),
    },
    close: () => {
      clearInterval(sweeping);
      current?.database.close();
    },
  };
};

interface OpenState {
  readonly database: Database.Database;
  readonly answers: ReturnType<typeof makeAnswerStore>;
  readonly events: EventStore;
}

const openSound = <T>(file: string, open: () => T, onDamage: (aside: string) => void): T => {
  try {
    return open();
  } catch (cause) {
    if (!isDamaged(cause)) throw cause;
    putAside(file, onDamage);
    return open();
  }
};

const putAside = (file: string, onDamage: (aside: string) => void): void => {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(":", "-")}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`);
  }
  onDamage(aside);
};

const openDatabase = (file: string): Database.Database => {
  const database = new Database(file);
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    migrate(database);
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
};

/** The clock has begun anew with the system: it is not known how long that was ago, so all that is kept is kept for its whole time again. */
const restartLifetimes = (database: Database.Database, boot: string, now: number): void => {
  const last = database.prepare("SELECT id FROM boot").pluck().get();
  if (last === boot) return;
  database
    .transaction(() => {
      database.prepare("UPDATE answers SET at = ?").run(now);
      database.prepare("DELETE FROM boot").run();
      database.prepare("INSERT INTO boot (id) VALUES (?)").run(boot);
    })
    .immediate();
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
