/**
 * Opens `state.sqlite`: WAL, synchronous=FULL (what is acknowledged is on the disk), STRICT tables, migrations in one transaction
 * each with a copy of the file made before. A file that is not one of our databases is refused, never overwritten.
 */

import { rmSync } from "node:fs";
import { FairleadError } from "@fairlead/contracts";
import type Database from "better-sqlite3";
import { errorMessage } from "../value/error.ts";
import { migrations } from "./migration.ts";
import { sqlite } from "./sqlite.ts";

export type SqliteConnection = Database.Database;

/** "fldl" in ASCII; marks our files. */
const applicationId = 0x666c646c;

/** Opens the file, making it when there is none, and brings it to the newest schema. */
export const openDatabase = (path: string): SqliteConnection => {
  const db = connect(path);
  try {
    db.pragma("busy_timeout = 1000");
    db.pragma("trusted_schema = OFF");
    checkOwner(db, path);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    migrate(db, path);
    return db;
  } catch (failure) {
    db.close();
    throw failure instanceof FairleadError ? failure : unreadable(path, failure);
  }
};

const connect = (path: string): SqliteConnection => {
  try {
    return new (sqlite())(path);
  } catch (failure) {
    throw unreadable(path, failure);
  }
};

const pragmaNumber = (value: unknown): number => (typeof value === "number" ? value : 0);

const checkOwner = (db: SqliteConnection, path: string): void => {
  const id = pragmaNumber(db.pragma("application_id", { simple: true }));
  const version = pragmaNumber(db.pragma("user_version", { simple: true }));
  const tables = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM sqlite_schema").get()?.n ?? 0;
  if (id === applicationId && version <= migrations.length) return;
  if (id === 0 && version === 0 && tables === 0) return;
  throw new FairleadError({
    code: "data_loss",
    reason: "damaged",
    message:
      id === applicationId
        ? `${path} was written by a newer version (schema ${version}; this one reads up to ${migrations.length})`
        : `${path} is a database, but none of ours`,
    hint: "use the version that wrote it, or move the file away to start again",
  });
};

const migrate = (db: SqliteConnection, path: string): void => {
  const from = pragmaNumber(db.pragma("user_version", { simple: true }));
  if (from === migrations.length) return;
  if (from > 0) copyTo(db, `${path}.before-${migrations.length}`);
  db.transaction(() => {
    const now = pragmaNumber(db.pragma("user_version", { simple: true }));
    for (const sql of migrations.slice(now)) db.exec(sql);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
};

/** A copy of an interrupted migration may be there. */
const copyTo = (db: SqliteConnection, path: string): void => {
  rmSync(path, { force: true });
  db.prepare("VACUUM INTO ?").run(path);
};

const unreadable = (path: string, cause: unknown): FairleadError =>
  new FairleadError(
    {
      code: "data_loss",
      reason: "damaged",
      message: `${path} cannot be opened: ${errorMessage(cause)}`,
      hint: "move .promptwheel/state.sqlite away to start again; the run folders stay readable",
    },
    { cause },
  );
