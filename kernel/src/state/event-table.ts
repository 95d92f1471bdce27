/** The latest events as rows of the kernel's state. Not here: opening the file, and when events are stored (`observe/event-log.ts`). */
import type Database from "better-sqlite3";
import type { EarlierPlace, EventHistory, KernelEvent } from "../observe/event.ts";
import { callEvents } from "../observe/events.ts";
import { type CallBatch, callsAfter, type PackedEvents, unpackCalls } from "./event-batch.ts";

/** Events that are kept at least, of calls and of all others; the oldest go first. */
const mostEvents = 10_000;

interface EventRow {
  readonly start: number;
  readonly seq: number;
  readonly at: number;
  readonly type: string;
  readonly service: string;
  readonly data: string;
}

export class EventTable implements EventHistory {
  readonly #sql: ReturnType<typeof prepare>;
  /** `start` of the kernel that writes is known once it has written: its own events are not of an earlier one. */
  #own = Number.MAX_SAFE_INTEGER;
  constructor(database: Database.Database) {
    this.#sql = prepare(database);
  }

  /** Appends events of the kernel that was started at `start`, but those that are there already. Call it in a transaction. */
  append(start: number, { calls, others }: PackedEvents): void {
    this.#own = start;
    if (calls !== undefined) this.#appendCalls(start, calls);
    if (others.length === 0) return;
    for (const { seq, at, type, service, data } of others)
      this.#sql.insert.run({ start, seq, at, type, service, data: JSON.stringify(data) });
    this.#sql.trim.run();
  }

  read({ start, seq }: EarlierPlace, accepts: (type: string) => boolean = () => true): readonly KernelEvent[] {
    const { others, calls, latest } = this.#sql;
    const from = start ?? latest.get(this.#own)?.start ?? this.#own;
    const rest = others
      .all(this.#own, from, from, seq)
      .map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) }));
    // Most readers want no calls, and most of what is stored are calls.
    if (![...callEvents].some(accepts)) return rest;
    const ofCalls = calls
      .all(this.#own, from, from, seq)
      .flatMap((batch) => unpackCalls(batch).map((event) => ({ ...event, start: batch.start })))
      .filter((event) => event.start > from || event.seq > seq);
    return [...ofCalls, ...rest].toSorted((a, b) => a.start - b.start || a.seq - b.seq);
  }

  /** Says which kernel reads, where another connection writes for it. */
  setOwn(start: number): void {
    this.#own = start;
  }

  /** What the end of the process writes may have been on its way already. */
  #appendCalls(start: number, batch: CallBatch): void {
    const { lastCall, insertCalls, trimCalls } = this.#sql;
    const fresh = callsAfter(batch, lastCall.get(start)?.last ?? 0);
    if (fresh === undefined) return;
    insertCalls.run({ start, ...fresh });
    trimCalls.run();
  }
}

const prepare = (database: Database.Database) => ({
  insert: database.prepare(
    `INSERT INTO events (start, seq, at, type, service, data) SELECT $start, $seq, $at, $type, $service, $data
     WHERE NOT EXISTS (SELECT 1 FROM events WHERE start = $start AND seq = $seq AND type = $type)`,
  ),
  trim: database.prepare(`DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ${mostEvents}`),
  others: database.prepare<[number, number, number, number], EventRow>(
    `SELECT start, seq, at, type, service, data FROM events
     WHERE start < ? AND (start > ? OR (start = ? AND seq > ?)) ORDER BY id`,
  ),
  latest: database.prepare<[number], { readonly start: number | null }>(
    "SELECT max(start) AS start FROM events WHERE start < ?",
  ),
  // Numbered by how many events there have been, so that it is known how many come after a batch.
  insertCalls: database.prepare(
    `INSERT INTO call_batches (id, start, first, last, events)
     SELECT coalesce(max(id), 0) + $count, $start, $first, $last, $events FROM call_batches`,
  ),
  trimCalls: database.prepare(
    `DELETE FROM call_batches WHERE id <= (SELECT max(id) FROM call_batches) - ${mostEvents}`,
  ),
  lastCall: database.prepare<[number], { readonly last: number | null }>(
    "SELECT max(last) AS last FROM call_batches WHERE start = ?",
  ),
  calls: database.prepare<[number, number, number, number], { readonly start: number; readonly events: string }>(
    `SELECT start, events FROM call_batches
     WHERE start < ? AND (start > ? OR (start = ? AND last > ?)) ORDER BY id`,
  ),
});
