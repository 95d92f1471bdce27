/**
 * Encounters on disk: one SQLite file in the service's state folder, WAL, `synchronous=FULL`. A call is stored under its version, which is part of the
 * primary key: of two that made the same version, in one kernel or in two, one is stored.
 *
 * Not here: what calls do (`log.ts`). Loaded with the first encounter: a start that has none does not pay for SQLite.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { EncounterCall } from "./log.ts";

/** A call, and the digest of its answer. */
export interface StoredCall {
  readonly version: number;
  readonly call: EncounterCall;
  readonly answer: string;
}

interface StoredEncounter {
  readonly principal: string;
  readonly calls: readonly StoredCall[];
}

/** A fight without what happened in between. */
export interface ListedEncounter {
  readonly handle: string;
  readonly first: EncounterCall;
  readonly version: number;
  readonly latest: EncounterCall["type"];
}

export interface EncounterStore {
  create(handle: string, principal: string, first: StoredCall): void;
  /** False where that version is taken. */
  append(handle: string, next: StoredCall): boolean;
  /** The calls after a version; `undefined` where there is no such encounter. */
  read(handle: string, after: number): StoredEncounter | undefined;
  /** A caller's, the newest first. */
  list(principal: string, limit: number): readonly ListedEncounter[];
  close(): void;
}

/** Encounters of one caller; the oldest go when there are more. */
const mostEncounters = 200;

const schema = `
CREATE TABLE IF NOT EXISTS encounter (
  number INTEGER PRIMARY KEY,
  handle TEXT NOT NULL UNIQUE,
  principal TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS call (
  handle TEXT NOT NULL REFERENCES encounter (handle) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (handle, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS encounter_of ON encounter (principal, number);
`;

interface CallRow {
  readonly version: number;
  readonly body: string;
  readonly answer: string;
}

interface ListedRow {
  readonly handle: string;
  readonly first: string;
  readonly version: number;
  readonly latest: string;
}

export const openEncounterStore = (folder: string): EncounterStore => {
  const db = new Database(join(folder, "encounters.sqlite"));
  db.pragma("busy_timeout = 1000");
  db.pragma("trusted_schema = OFF");
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.pragma("foreign_keys = ON");
  db.exec(schema);
  const insertEncounter = db.prepare("INSERT INTO encounter (handle, principal) VALUES (?, ?)");
  const prune = db.prepare(
    "DELETE FROM encounter WHERE principal = ? AND number NOT IN (SELECT number FROM encounter WHERE principal = ? ORDER BY number DESC LIMIT ?)",
  );
  const insertCall = db.prepare(
    "INSERT INTO call (handle, version, body, answer) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const findPrincipal = db.prepare<[string], { principal: string }>("SELECT principal FROM encounter WHERE handle = ?");
  const findCalls = db.prepare<[string, number], CallRow>(
    "SELECT version, body, answer FROM call WHERE handle = ? AND version > ? ORDER BY version",
  );
  const findEncounters = db.prepare<[string, number], ListedRow>(
    `SELECT encounter.handle, first.body AS first, newest.version, json_extract(newest.body, '$.type') AS latest
     FROM encounter
     JOIN call AS first ON first.handle = encounter.handle AND first.version = 1
     JOIN call AS newest ON newest.handle = encounter.handle
       AND newest.version = (SELECT max(version) FROM call WHERE call.handle = encounter.handle)
     WHERE encounter.principal = ? ORDER BY encounter.number DESC LIMIT ?`,
  );
  const append: EncounterStore["append"] = (handle, { version, call, answer }) =>
    insertCall.run(handle, version, JSON.stringify(call), answer).changes === 1;
  return {
    create: db.transaction((handle: string, principal: string, first: StoredCall) => {
      insertEncounter.run(handle, principal);
      append(handle, first);
      prune.run(principal, principal, mostEncounters);
    }),
    append,
    read(handle, after) {
      const found = findPrincipal.get(handle);
      if (found === undefined) return undefined;
      return { principal: found.principal, calls: findCalls.all(handle, after).map(readCall) };
    },
    list: (principal, limit) => findEncounters.all(principal, limit).map(readListed),
    close: () => void db.close(),
  };
};

/** A named boundary: this file wrote the text, as the JSON of a call. */
const readCall = ({ version, body, answer }: CallRow): StoredCall => ({
  version,
  call: JSON.parse(body) as EncounterCall,
  answer,
});

/** The same boundary. */
const readListed = ({ first, latest, ...row }: ListedRow): ListedEncounter => ({
  ...row,
  first: JSON.parse(first) as EncounterCall,
  latest: latest as EncounterCall["type"],
});
