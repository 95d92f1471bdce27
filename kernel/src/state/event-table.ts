/** The latest events as rows of the kernel's state. Not here: opening the file, and when events are stored (`observe/event-log.ts`). */
import type Database from "better-sqlite3";
import type { EarlierPlace, EventHistory, KernelEvent } from "../observe/event.ts";
import { callEvents } from "../observe/events.ts";

/** Events that are kept, of calls and of all others; the oldest go first. */
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
    const { calls, others } = this.#sql;
    for (const { seq, at, type, service, data } of events) {
      const { insert } = callEvents.has(type) ? calls : others;
      insert.run({ start, seq, at, type, service, data: JSON.stringify(data) });
    }
    calls.trim.run();
    others.trim.run();
  }

  read({ start, seq }: EarlierPlace, accepts: (type: string) => boolean = () => true): readonly KernelEvent[] {
    const { calls, others, latest } = this.#sql;
    const from = start ?? latest.get(this.#own)?.start ?? this.#own;
    const rest = others.after.all(this.#own, from, from, seq);
    // Most readers want no calls, and most of what is stored are calls.
    const ofCalls = [...callEvents].some(accepts) ? calls.after.all(this.#own, from, from, seq) : [];
    return inOrder(ofCalls, rest).map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) }));
  }

  /** Says which kernel reads, where another connection writes for it. */
  setOwn(start: number): void {
    this.#own = start;
  }
}

/** Both in the order of their numbers. The note of what was lost has the number of the event before it. */
const inOrder = (calls: readonly EventRow[], others: readonly EventRow[]): readonly EventRow[] =>
  calls.length === 0 ? others : [...calls, ...others].toSorted((a, b) => a.start - b.start || a.seq - b.seq);

const prepare = (database: Database.Database) => ({
  others: prepareTable(database, "events"),
  calls: prepareTable(database, "call_events"),
  latest: database.prepare<[number], { readonly start: number | null }>(
    "SELECT max(start) AS start FROM events WHERE start < ?",
  ),
});

const prepareTable = (database: Database.Database, table: "events" | "call_events") => ({
  // Events that the end of the process writes may have been on their way already.
  insert: database.prepare(
    `INSERT INTO ${table} (start, seq, at, type, service, data) SELECT $start, $seq, $at, $type, $service, $data
     WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE start = $start AND seq = $seq AND type = $type)`,
  ),
  trim: database.prepare(`DELETE FROM ${table} WHERE id <= (SELECT max(id) FROM ${table}) - ${mostEvents}`),
  after: database.prepare<[number, number, number, number], EventRow>(
    `SELECT start, seq, at, type, service, data FROM ${table}
     WHERE start < ? AND (start > ? OR (start = ? AND seq > ?)) ORDER BY id`,
  ),
});
