/** The latest events as rows of the kernel's state. Not here: opening the file, and when events are stored (`observe/event-log.ts`). */
import type Database from "better-sqlite3";
import type { EventHistory, KernelEvent } from "../observe/event.ts";

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

export class EventTable implements EventHistory {
  readonly #sql: ReturnType<typeof prepare>;
  /** `start` of the kernel that writes is known once it has written: its own events are not of an earlier one. */
  #own = Number.MAX_SAFE_INTEGER;

  constructor(database: Database.Database) {
    this.#sql = prepare(database);
  }

  /** Appends events of the kernel that was started at `start`, but those that are there already. Call it in a transaction. */
  append(start: number, events: readonly KernelEvent[]): void {
    this.#own = start;
    for (const { seq, at, type, service, data } of events) {
      this.#sql.insert.run({ start, seq, at, type, service, data: JSON.stringify(data) });
    }
    this.#sql.trim.run();
  }

  read({ start, seq }: Parameters<EventHistory["read"]>[0]): readonly KernelEvent[] {
    const from = start ?? this.#sql.latest.get(this.#own)?.start ?? this.#own;
    return this.#sql.after
      .all(this.#own, from, from, seq)
      .map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) }));
  }

  /** Says which kernel reads, where another connection writes for it. */
  setOwn(start: number): void {
    this.#own = start;
  }
}

const prepare = (database: Database.Database) => ({
  // Events that the end of the process writes may have been on their way already.
  insert: database.prepare(
    `INSERT INTO events (start, seq, at, type, service, data) SELECT $start, $seq, $at, $type, $service, $data
     WHERE NOT EXISTS (SELECT 1 FROM events WHERE start = $start AND seq = $seq AND type = $type)`,
  ),
  trim: database.prepare(`DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ${mostEvents}`),
  latest: database.prepare<[number], { readonly start: number | null }>(
    "SELECT max(start) AS start FROM events WHERE start < ?",
  ),
  after: database.prepare<[number, number, number, number], EventRow>(
    `SELECT start, seq, at, type, service, data FROM events
     WHERE start < ? AND (start > ? OR (start = ? AND seq > ?)) ORDER BY id`,
  ),
});
