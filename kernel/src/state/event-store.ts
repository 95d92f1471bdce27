/**
 * The latest events, in the kernel's database. What `append` returns from outlives the kernel's process; a system that fails may lose the latest of
 * them. Not here: opening it on first need (`lazy-state.ts`).
 */
import { dirname, resolve } from "node:path";
import type Database from "better-sqlite3";
import type { KernelEvent } from "../observe/event.ts";
import type { EventStore } from "../observe/event-log.ts";
import { makeFolder } from "../owner/places.ts";
import { openDatabase, openSound } from "./database.ts";
import { inStorageWords } from "./storage-error.ts";

export interface StoredEvents extends EventStore {
  /** Closes the file; it is opened again when it is needed. */
  close(): void;
}

/** Opens (or makes) the file. Throws a `FairleadError` (`unavailable`) where the storage fails. */
export const openEventStore = (file: string, onDamage: (aside: string) => void): StoredEvents => {
  let open: { readonly database: Database.Database; readonly store: EventStore } | undefined;
  const opened = () => {
    open ??= inStorageWords(() =>
      openSound(
        file,
        () => {
          makeFolder(resolve(dirname(file)));
          // No caller waits for an event to be stored: the event loop must not wait for the disk.
          const database = openDatabase(file, "NORMAL");
          database.pragma(`wal_autocheckpoint = ${logPages}`);
          return { database, store: eventStore(database) };
        },
        onDamage,
      ),
    );
    return open.store;
  };
  opened();
  return {
    append: (start, events) => opened().append(start, events),
    read: (place) => opened().read(place),
    close: () => {
      open?.database.close();
      open = undefined;
    },
  };
};

/** Pages that the log of changes may hold before they go into the file from here: the thread that writes answers comes first, at 4,000. */
const logPages = 8_000;

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
