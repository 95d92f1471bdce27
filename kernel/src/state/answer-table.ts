/**
 * Stored answers of keyed procedures as rows. They are appended, so that a commit writes few pages whatever the keys are; which row has a key
 * is known in memory, read from the rows once, and from then on from the newest of them. Answers go when they are old, by a clock that only goes
 * forward, whether or not anyone comes for more.
 *
 * Not here: opening the file and transactions (`state-file.ts`), and what an answer means (`policy/idempotency.ts`).
 */
import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import {
  type AnswerClaim,
  type AnswerLimits,
  type AnswerWrite,
  type AnswerWritten,
  type ClaimWritten,
  mostOpenClaims,
  type UsedKey,
} from "./state-write.ts";

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

/** What was known of a key. */
interface KeyChange {
  readonly name: string;
  readonly id: number | undefined;
}

/** The row of a claim whose answer is to come. */
interface OpenClaim {
  readonly id: number;
  readonly principal: string;
}

/** Rows that one statement writes: as many as it can at first, then the rest. */
const rowsAtOnce = [32, 8, 1] as const;

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
  readonly #open = new Map<number, OpenClaim>();
  /** Columns of claims that have their row and are not written yet, one row after the other. */
  #unwritten: (string | number)[] = [];
  /** The newest row that is known, and the newest that there ever was; the latter is read by the first claim of a transaction. */
  #last = 0;
  #newest: number | undefined;
  /** What was known before the present transaction, of what it has changed. */
  #lastBefore = 0;
  #idsBefore: KeyChange[] = [];
  readonly #keptBefore = new Map<string, number>();

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
    const results = writes.map((write) => {
      if (write.kind === "claim") return this.#claim(write, now, isFull);
      this.#writeRows();
      if (write.kind === "answer") return this.#answer(write.number, write.reply);
      if (write.kind === "finish") return this.#finish(write.use, write.reply);
      this.#release(write.use);
      return "done";
    });
    this.#writeRows();
    return results;
  }

  /** Deletes old answers, so many at most. The same holds for it. */
  sweep(): void {
    this.#catchUp();
    this.#sweep(this.#options.now());
  }

  committed(): void {
    this.#lastBefore = this.#last;
    this.#endTransaction();
  }

  rolledBack(): void {
    this.#last = this.#lastBefore;
    for (const { name, id } of this.#idsBefore.reverse()) {
      if (id === undefined) this.#ids.delete(name);
      else this.#ids.set(name, id);
    }
    for (const [principal, kept] of this.#keptBefore) this.#kept.set(principal, kept);
    this.#endTransaction();
  }

  #endTransaction(): void {
    this.#idsBefore = [];
    this.#keptBefore.clear();
    this.#unwritten = [];
    this.#newest = undefined;
  }

  /** Rows of other processes, and at first all of them. */
  #catchUp(): void {
    for (const row of this.#sql.newer.iterate(this.#last)) {
      this.#setId(digest(row), row.id);
      this.#count(row.principal, row.bytes);
      this.#last = row.id;
    }
    // They are there, whatever comes of this transaction.
    this.committed();
  }

  #sweep(now: number): void {
    for (const row of this.#sql.expire.all(now - answerLifetimeMs)) this.#remove(row);
  }

  #claim({ use, number }: AnswerClaim, now: number, isFull: boolean): ClaimWritten {
    const name = digest(use);
    const row = this.#find(name);
    if (row !== undefined && row.at >= now - answerLifetimeMs) {
      const { input, reply } = row;
      return reply === null ? { tag: "pending", input } : { tag: "answered", input, reply };
    }
    if (row !== undefined) this.#release(use);
    const { mostOfOne, unlimited } = this.#options.limits;
    if (isFull || (use.principal !== unlimited && (this.#kept.get(use.principal) ?? 0) >= mostOfOne)) return "full";
    const { principal, procedure, key, input } = use;
    this.#newest ??= Math.max(this.#last, this.#sql.sequence.get() ?? 0);
    this.#newest += 1;
    this.#last = this.#newest;
    this.#unwritten.push(this.#last, principal, procedure, key, input, now);
    this.#setId(name, this.#last);
    this.#count(principal, Buffer.byteLength(key) + Buffer.byteLength(input) + rowBytes);
    this.#open.set(number, { id: this.#last, principal });
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= mostOpenClaims) break;
      this.#open.delete(oldest);
    }
    return "claimed";
  }

  #find(name: string): AnswerRow | undefined {
    const id = this.#ids.get(name);
    if (id === undefined) return undefined;
    this.#writeRows();
    return this.#sql.find.get(id);
  }

  /** Many rows by one statement take a third of the time that they take one by one. */
  #writeRows(): void {
    const rows = this.#unwritten;
    if (rows.length === 0) return;
    this.#unwritten = [];
    let at = 0;
    for (const [index, count] of rowsAtOnce.entries()) {
      const columns = count * columnsOfClaim;
      for (; rows.length - at >= columns; at += columns) this.#sql.insert[index]?.run(rows.slice(at, at + columns));
    }
  }

  #answer(number: number, reply: string): "done" | "lost" | "unknown" {
    const claim = this.#open.get(number);
    this.#open.delete(number);
    return claim === undefined ? "unknown" : this.#write(claim, reply);
  }

  #finish(use: UsedKey, reply: string): "done" | "lost" {
    const id = this.#ids.get(digest(use));
    return id === undefined ? "lost" : this.#write({ id, principal: use.principal }, reply);
  }

  #write({ id, principal }: OpenClaim, reply: string): "done" | "lost" {
    if (this.#sql.finish.run(reply, id).changes === 0) return "lost";
    this.#count(principal, Buffer.byteLength(reply));
    return "done";
  }

  #release(use: UsedKey): void {
    this.#writeRows();
    const id = this.#ids.get(digest(use));
    const row = id === undefined ? undefined : this.#sql.release.get(id);
    if (row !== undefined) this.#remove(row);
  }

  #remove({ id, bytes, ...row }: KeyRow): void {
    const name = digest(row);
    if (this.#ids.get(name) === id) this.#setId(name, undefined);
    this.#count(row.principal, -bytes);
  }

  /** Notes which row has a key. */
  #setId(name: string, id: number | undefined): void {
    this.#idsBefore.push({ name, id: this.#ids.get(name) });
    if (id === undefined) this.#ids.delete(name);
    else this.#ids.set(name, id);
  }

  /** Notes how many bytes more a principal has. */
  #count(principal: string, bytes: number): void {
    const kept = this.#kept.get(principal) ?? 0;
    if (!this.#keptBefore.has(principal)) this.#keptBefore.set(principal, kept);
    this.#kept.set(principal, kept + bytes);
  }

  #isFull(): boolean {
    const { pages, free, pageSize } = this.#sql;
    const used = Number(pages.get()) - Number(free.get());
    return used * pageSize >= this.#options.limits.mostBytes;
  }
}

const digest = ({ principal, procedure, key }: UsedKey): string =>
  hash("sha256", JSON.stringify([principal, procedure, key]), "base64url");

/** Columns of a claim's row that are written with it. */
const columnsOfClaim = 6;

const keyColumns = `id, principal, procedure, key, ${sizeOfRow} AS bytes`;

const prepare = (database: Database.Database) => ({
  newer: database.prepare<[number], KeyRow>(`SELECT ${keyColumns} FROM answers WHERE id > ? ORDER BY id`),
  oldest: database.prepare<[], number>("SELECT at FROM answers ORDER BY id LIMIT 1").pluck(),
  expire: database.prepare<[number], KeyRow>(
    `DELETE FROM answers WHERE id IN (SELECT id FROM (SELECT id, at FROM answers ORDER BY id LIMIT ${sweepRows}) WHERE at < ?)
     RETURNING ${keyColumns}`,
  ),
  find: database.prepare<[number], AnswerRow>("SELECT input, reply, at FROM answers WHERE id = ?"),
  // Of all that there ever were: a number is never used again.
  sequence: database.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'answers'").pluck(),
  insert: rowsAtOnce.map((count) =>
    database.prepare(
      `INSERT INTO answers (id, principal, procedure, key, input, at) VALUES ${Array(count).fill("(?, ?, ?, ?, ?, ?)").join(", ")}`,
    ),
  ),
  finish: database.prepare("UPDATE answers SET reply = ? WHERE id = ?"),
  release: database.prepare<[number], KeyRow>(`DELETE FROM answers WHERE id = ? RETURNING ${keyColumns}`),
  pages: database.prepare("PRAGMA page_count").pluck(),
  free: database.prepare("PRAGMA freelist_count").pluck(),
  pageSize: Number(database.pragma("page_size", { simple: true })),
});
