/**
 * The lock of a project's session: held by one process, freed by the operating system the moment that process ends, even when
 * it is killed. It is an exclusive transaction on a file of its own; nothing is ever written to it, so no stale owner can remain.
 */
import { sqlite } from "./sqlite.ts";

export interface SessionLock {
  release(): void;
}

/** Takes the lock, or gives `undefined` when another connection has it. */
export const acquireLock = (path: string): SessionLock | undefined => {
  const Database = sqlite();
  const db = new Database(path, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
    return { release: () => db.close() };
  } catch (failure) {
    db.close();
    if (failure instanceof Database.SqliteError && failure.code.startsWith("SQLITE_BUSY")) return undefined;
    throw failure;
  }
};
