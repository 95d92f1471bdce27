/**
 * One change of the token file at a time, over all processes: the lock of an SQLite file, which the system gives back when its holder dies.
 *
 * Not here: what is changed (`token-changes.ts`).
 */
import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { failure } from "../../call/error.ts";

/** Milliseconds that a change waits for those before it. */
const longestWaitMs = 30_000;

/** Runs `work` while no other process runs such work for that file. Throws a `FairleadError` (`unavailable`) when it has to wait too long. */
export const whileLocked = <T>(path: string, work: () => T): T => {
  const lock = `${path}.lock`;
  closeSync(openSync(lock, "a", 0o600));
  const database = new Database(lock, { timeout: longestWaitMs });
  try {
    return database.transaction(work).immediate();
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError) || !cause.code.startsWith("SQLITE_BUSY")) throw cause;
    throw failure("unavailable", `another process has been changing ${path} for ${longestWaitMs / 1_000} seconds`, {
      hint: "see which `fairlead token` is still running, and end it",
    });
  } finally {
    database.close();
  }
};
