/**
 * Remembers the last tick of each schedule, in a file of the service's own state folder: a run is swept some days after its end, and its key with it.
 *
 * Not here: which ticks there are (`schedules.ts`).
 */
import { join } from "node:path";
import Database from "better-sqlite3";

/** The last ticks of the schedules of one service. */
interface LastTicks {
  /** The last one that was started, or left out; now where this is the first time, or where the clock was ahead at that time. */
  find(schedule: string): Date;
  /** Notes it as done. Earlier ones than the last are ignored, unless the clock was ahead at that time: two kernels may have a schedule at once. */
  store(schedule: string, at: Date): void;
  close(): void;
}

/** Opens them in that folder. */
export const openLastTicks = (folder: string): LastTicks => {
  const database = new Database(join(folder, "fairlead-schedules.sqlite"));
  database.pragma("journal_mode = WAL");
  database.exec("CREATE TABLE IF NOT EXISTS last_ticks (schedule TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT");
  const insert = database.prepare("INSERT INTO last_ticks VALUES (?, ?) ON CONFLICT DO NOTHING");
  const find = database.prepare<[string], number>("SELECT at FROM last_ticks WHERE schedule = ?").pluck();
  const store = database.prepare(
    "INSERT INTO last_ticks VALUES (?, ?) ON CONFLICT (schedule) DO UPDATE SET at = iif(at > ?, excluded.at, max(at, excluded.at))",
  );
  return {
    find: (schedule) => {
      insert.run(schedule, Date.now());
      return new Date(Math.min(find.get(schedule) ?? Date.now(), Date.now()));
    },
    store: (schedule, at) => void store.run(schedule, at.getTime(), Date.now()),
    close: () => void database.close(),
  };
};
