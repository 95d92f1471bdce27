/**
 * Events of the kernel's state, as its own thread reads them: at once, and written only while the process exits, when no other thread can be waited
 * for. Not here: writing while the kernel runs (`writer-thread.ts`), and opening it on first need (`lazy-state.ts`).
 */
import { dirname, resolve } from "node:path";
import type Database from "better-sqlite3";
import type { EventHistory, KernelEvent } from "../observe/event.ts";
import { makeFolder } from "../owner/places.ts";
import { openDatabase, openSound } from "./database.ts";
import { packEvents } from "./event-batch.ts";
import { EventTable } from "./event-table.ts";
import { inStorageWords } from "./storage-error.ts";

export interface StoredEvents extends EventHistory {
  /** Stores events of the kernel that was started at `start`, before it returns; those that are stored already are left out. */
  append(start: number, events: readonly KernelEvent[]): void;
  /** Says which kernel reads: its own events are not of an earlier one. */
  setOwn(start: number): void;
  /** Closes the file; it is opened again when it is needed. */
  close(): void;
}

/** Opens (or makes) the file. Throws a `FairleadError` (`unavailable`) where the storage fails. */
export const openEventStore = (file: string, onDamage: (aside: string) => void): StoredEvents => {
  let open: { readonly database: Database.Database; readonly table: EventTable } | undefined;
  let own: number | undefined;
  const opened = () => {
    open ??= inStorageWords(() =>
      openSound(
        file,
        () => {
          makeFolder(resolve(dirname(file)));
          // An end that is stored is not an acknowledgement: it must not wait for the disk.
          const database = openDatabase(file, "NORMAL");
          database.pragma(`wal_autocheckpoint = ${logPages}`);
          return { database, table: new EventTable(database) };
        },
        onDamage,
      ),
    );
    if (own !== undefined) open.table.setOwn(own);
    return open;
  };
  opened();
  return {
    append: (start, events) => {
      const { database, table } = opened();
      database.transaction(() => table.append(start, packEvents(events))).immediate();
    },
    setOwn: (start) => {
      own = start;
    },
    read: (place, accepts) => opened().table.read(place, accepts),
    close: () => {
      open?.database.close();
      open = undefined;
    },
  };
};

/** Pages that the log of changes may hold before they go into the file from here: the thread that writes comes first, at 4,000. */
const logPages = 8_000;
