/**
 * Sessions of one machine: a file of SQLite in the service's own folder, or memory where a kernel has no folder. There is one process that has it, so there is no
 * epoch; versions hold as in a cluster.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { StaleSession } from "../service/errors.ts";
import type { SessionState, Sessions } from "../service/sessions.ts";

interface StateRow {
  readonly version: number;
  readonly state: string;
}

export class FileSessions implements Sessions {
  readonly #database: Database.Database;
  readonly #sql: Readonly<Record<"load" | "insert" | "update" | "remove", Database.Statement>>;

  /** `folder`: of the service; in memory where left out. */
  constructor(folder: string | undefined) {
    this.#database = new Database(folder === undefined ? ":memory:" : join(folder, "sessions.sqlite"));
    this.#database.pragma("journal_mode = WAL");
    this.#database.pragma("synchronous = FULL");
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS sessions (key TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL) STRICT",
    );
    this.#sql = {
      load: this.#database.prepare("SELECT version, state FROM sessions WHERE key = ?"),
      insert: this.#database.prepare(
        "INSERT INTO sessions (key, version, state) VALUES (?, 1, ?) ON CONFLICT DO NOTHING",
      ),
      update: this.#database.prepare(
        "UPDATE sessions SET version = version + 1, state = ? WHERE key = ? AND version = ?",
      ),
      remove: this.#database.prepare("DELETE FROM sessions WHERE key = ? AND version = ?"),
    };
  }

  async load(key: string): Promise<SessionState | undefined> {
    const row = this.#sql.load.get(key) as StateRow | undefined;
    return row && { value: JSON.parse(row.state), version: row.version, epoch: 0 };
  }

  async save(key: string, value: unknown, after: SessionState | undefined): Promise<SessionState> {
    const state = JSON.stringify(value);
    if (state === undefined) throw new TypeError("a session's state is a value that JSON has a form for");
    const { changes } =
      after === undefined ? this.#sql.insert.run(key, state) : this.#sql.update.run(state, key, after.version);
    if (changes === 0) throw new StaleSession(key, "version");
    return { value: JSON.parse(state), version: (after?.version ?? 0) + 1, epoch: 0 };
  }

  async remove(key: string, { version }: SessionState): Promise<void> {
    const { changes } = this.#sql.remove.run(key, version);
    if (changes === 0 && this.#sql.load.get(key) !== undefined) throw new StaleSession(key, "version");
  }

  close(): void {
    this.#database.close();
  }
}
