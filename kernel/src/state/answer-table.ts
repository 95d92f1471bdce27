/**
 * Stored answers of keyed procedures as rows. They are appended, so that a commit writes few pages whatever the keys are; which row has a key
 * is known in memory, read from the rows once, and from then on from the newest of them. Answers go when they are old, by a clock that only goes
 * forward, whether or not anyone comes for more.
 *
 * Not here: opening the file and transactions (`state-file.ts`), and what an answer means (`policy/idempotency.ts`).
 */
import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import type { KeyUse } from "../policy/idempotency.ts";
import type { AnswerLimits, AnswerWrite, AnswerWritten, ClaimWritten } from "./state-write.ts";

/** Milliseconds an answer is kept. */
export const answerLifetimeMs = 24 * 60 * 60 * 1_000;

/** Rows that one look for old ones takes. */
const sweepRows = 1_000;

/** Bytes that a row takes beside its texts. */
const rowBytes = 100;

/** The bytes of a row, in SQL. */
const sizeOfRow = `octet_length(key) + octet_length(input) + coalesce(octet_length(reply), 0) + ${rowBytes}`;

interface KeyRow {
  readonly id: number;
  readonly principal: string;
  readonly procedure: string;
  readonly key: string;
  readonly bytes: number;
}

interface AnswerRow {
  readonly input: string;
  readonly reply: string | null;
  readonly at: number;
}

/** What was known of a key and of its principal. */
interface KeyChange {
  readonly name: string;
  readonly id: number | undefined;
  readonly principal: string;
  readonly kept: number;
}

interface AnswerTableOptions {
  /** Milliseconds since the system started. */
  readonly now: () => number;
  readonly limits: AnswerLimits;
}

export class AnswerTable {
  readonly #options: AnswerTableOptions;
  readonly #sql: ReturnType<typeof prepare>;
  /** Rows by the digest of principal, procedure and key. */
  readonly #ids = new Map<string, number>();
  /** Bytes of each principal's answers. */
  readonly #kept = new Map<string, number>();
  /** The newest row that is known. */
  #last = 0;
  /** The same before the present transaction, and what it has changed of the rest. */
  #lastBefore = 0;
  #undo: KeyChange[] = [];

  constructor(database: Database.Database, options: AnswerTableOptions) {
    this.#options = options;
    this.#sql = prepare(database);
  }

  /** Does what it is given, in order. Call it in a transaction, and then `committed` or `rolledBack`. */
  apply(writes: readonly AnswerWrite[]): readonly AnswerWritten[] {
    this.#catchUp();
    const now = this.#options.now();
    const oldest = this.#sql.oldest.get();
    if (oldest !== undefined && oldest < now - answerLifetimeMs) this.#sweep(now);
    const isFull = this.#isFull();
    return writes.map((write) => {
      if (write.kind === "claim") return this.#claim(write.use, now, isFull);
      if (write.kind === "finish") return this.#finish(write.use, write.reply);
      this.#release(write.use);
      return "done";
    });
  }

  /** Deletes old answers, so many at most. The same holds for it. */
  sweep(): void {
    this.#catchUp();
    this.#sweep(this.#options.now());
  }

  committed(): void {
    this.#lastBefore = this.#last;
    this.#undo = [];
  }

  rolledBack(): void {
    this.#last = this.#lastBefore;
    for (const { name, id, principal, kept } of this.#undo.reverse()) {
      if (id === undefined) this.#ids.delete(name);
      else this.#ids.set(name, id);
      this.#kept.set(principal, kept);
    }
    this.#undo = [];
  }

  /** Rows of other processes, and at first all of them. */
  #catchUp(): void {
    for (const row of this.#sql.newer.iterate(this.#last)) {
      this.#set(digest(row), row.id, row);
      this.#last = row.id;
    }
    // They are there, whatever comes of this transaction.
    this.committed();
  }

  #sweep(now: number): void {
    for (const row of this.#sql.expire.all(now - answerLifetimeMs)) this.#remove(row);
  }

  #claim(use: KeyUse, now: number, isFull: boolean): ClaimWritten {
    const name = digest(use);
    const id = this.#ids.get(name);
    const row = id === undefined ? undefined : this.#sql.find.get(id);
    if (row !== undefined && row.at >= now - answerLifetimeMs) {
      const { input, reply } = row;
      return reply === null ? { tag: "pending", input } : { tag: "answered", input, reply };
    }
    if (row !== undefined) this.#release(use);
    const { mostOfOne, unlimited } = this.#options.limits;
    if (isFull || (use.principal !== unlimited && (this.#kept.get(use.principal) ?? 0) >= mostOfOne)) return "full";
    const { principal, procedure, key, input } = use;
    this.#last = Number(this.#sql.insert.run(principal, procedure, key, input, now).lastInsertRowid);
    this.#set(name, this.#last, { principal, bytes: Buffer.byteLength(key) + Buffer.byteLength(input) + rowBytes });
    return "claimed";
  }

  #finish(use: KeyUse, reply: string): "done" | "lost" {
    const name = digest(use);
    const id = this.#ids.get(name);
    if (id === undefined || this.#sql.finish.run(reply, id).changes === 0) return "lost";
    this.#set(name, id, { principal: use.principal, bytes: Buffer.byteLength(reply) });
    return "done";
  }

  #release(use: KeyUse): void {
    const id = this.#ids.get(digest(use));
    const row = id === undefined ? undefined : this.#sql.release.get(id);
    if (row !== undefined) this.#remove(row);
  }

  #remove({ id, bytes, ...row }: KeyRow): void {
    const name = digest(row);
    const known = this.#ids.get(name);
    this.#set(name, known === id ? undefined : known, { principal: row.principal, bytes: -bytes });
  }

  /** Notes which row has a key, and how many bytes more its principal has. */
  #set(name: string, id: number | undefined, { principal, bytes }: { principal: string; bytes: number }): void {
    const kept = this.#kept.get(principal) ?? 0;
    this.#undo.push({ name, id: this.#ids.get(name), principal, kept });
    if (id === undefined) this.#ids.delete(name);
    else this.#ids.set(name, id);
    this.#kept.set(principal, kept + bytes);
  }

  #isFull(): boolean {
    const { pages, free, pageSize } = this.#sql;
    const used = Number(pages.get()) - Number(free.get());
    return used * pageSize >= this.#options.limits.mostBytes;
  }
}

const digest = ({ principal, procedure, key }: Omit<KeyUse, "input">): string =>
  hash("sha256", JSON.stringify([principal, procedure, key]), "base64url");

const keyColumns = `id, principal, procedure, key, ${sizeOfRow} AS bytes`;

const prepare = (database: Database.Database) => ({
  newer: database.prepare<[number], KeyRow>(`SELECT ${keyColumns} FROM answers WHERE id > ? ORDER BY id`),
  oldest: database.prepare<[], number>("SELECT at FROM answers ORDER BY id LIMIT 1").pluck(),
  expire: database.prepare<[number], KeyRow>(
    `DELETE FROM answers WHERE id IN (SELECT id FROM (SELECT id, at FROM answers ORDER BY id LIMIT ${sweepRows}) WHERE at < ?)
     RETURNING ${keyColumns}`,
  ),
  find: database.prepare<[number], AnswerRow>("SELECT input, reply, at FROM answers WHERE id = ?"),
  insert: database.prepare(
    "INSERT INTO answers (principal, procedure, key, input, reply, at) VALUES (?, ?, ?, ?, NULL, ?)",
  ),
  finish: database.prepare("UPDATE answers SET reply = ? WHERE id = ?"),
  release: database.prepare<[number], KeyRow>(`DELETE FROM answers WHERE id = ? RETURNING ${keyColumns}`),
  pages: database.prepare("PRAGMA page_count").pluck(),
  free: database.prepare("PRAGMA freelist_count").pluck(),
  pageSize: Number(database.pragma("page_size", { simple: true })),
});
