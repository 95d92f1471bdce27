/**
 * The kernel's own state in SQLite: stored answers of keyed procedures. Opened on first need; what a method returns from has been
 * committed with `synchronous=FULL`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Reply } from "./call.ts";
import type { AnswerStore, KeyUse, KnownUse } from "./policy/idempotency.ts";

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
] as const;

export interface KernelState {
  readonly answers: AnswerStore;
  close(): void;
}

/** Opens (or makes) `kernel.sqlite` in a folder of mode 0700. */
export const openState = (folder: string, now: () => number = Date.now): KernelState => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new Database(join(folder, "kernel.sqlite"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  migrate(database);
  return { answers: answerStore(database, now), close: () => database.close() };
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

interface AnswerRow {
  readonly input: string;
  readonly reply: string | null;
}

const answerStore = (database: Database.Database, now: () => number): AnswerStore => {
  const expire = database.prepare("DELETE FROM answers WHERE at < ?");
  const find = database.prepare<[string, string, string], AnswerRow>(
    "SELECT input, reply FROM answers WHERE principal = ? AND procedure = ? AND key = ?",
  );
  const claim = database.prepare(
    "INSERT INTO answers (principal, procedure, key, input, reply, at) VALUES (?, ?, ?, ?, NULL, ?) ON CONFLICT DO NOTHING",
  );
  const finish = database.prepare("UPDATE answers SET reply = ? WHERE principal = ? AND procedure = ? AND key = ?");
  const release = database.prepare("DELETE FROM answers WHERE principal = ? AND procedure = ? AND key = ?");
  const identity = ({ principal, procedure, key }: KeyUse): [string, string, string] => [principal, procedure, key];
  const claimOrFind = database.transaction((use: KeyUse): KnownUse | "claimed" => {
    expire.run(now() - answerLifetimeMs);
    if (claim.run(...identity(use), use.input, now()).changes === 1) return "claimed";
    const row = find.get(...identity(use));
    if (row === undefined) throw new Error("a claimed key is gone within its own transaction");
    return row.reply === null
      ? { tag: "pending", input: row.input }
      : { tag: "answered", input: row.input, reply: JSON.parse(row.reply) as Reply };
  });
  return {
    claim: (use) => claimOrFind.immediate(use),
    finish: (use, reply) => void finish.run(JSON.stringify(reply), ...identity(use)),
    release: (use) => void release.run(...identity(use)),
  };
};
