/**
 * The run folder: files that people and `jq` read. All of them are projections of the database, written after each commit and
 * rebuilt from it when a session is loaded; nothing is ever read back from them.
 */

import { closeSync, constants, fstatSync, ftruncateSync, readSync } from "node:fs";
import { appendInside, makeFolder, openInside, readInside, replaceInside } from "../project/safe-file.ts";
import type { RunId } from "../value/id.ts";
import type { RunFile } from "./file-table.ts";
import { type EventRow, formatLine } from "./log-line.ts";
import type { Store } from "./store.ts";

interface RunFolder {
  /** Adds lines and files and replaces state.json. */
  write(rows: readonly EventRow[], files: readonly RunFile[], state: Readonly<Record<string, unknown>>): void;
}

const runPath = (runId: RunId): string => `runs/${runId}`;

/** The folder of a run below `.promptwheel` (a real path), made when it is not there. */
export const openRunFolder = (home: string, runId: RunId): RunFolder => {
  const folder = runPath(runId);
  for (const part of ["", "/diffs", "/artifacts", "/prompts"]) makeFolder(home, `${folder}${part}`);
  return {
    write: (rows, files, state) => {
      if (rows.length > 0)
        appendInside(home, `${folder}/events.ndjson`, rows.map((row) => `${formatLine(row)}\n`).join(""));
      for (const { path, body } of files) replaceInside(home, `${folder}/${path}`, body);
      replaceInside(home, `${folder}/state.json`, `${JSON.stringify(state, null, 2)}\n`);
    },
  };
};

const pageSize = 500;

/**
 * Brings a run's folder to what the database holds: the log is kept as far as it agrees, line by line; from the first line that
 * is torn, damaged or foreign on, the log is cut off and written again. Missing files are written again.
 */
export const rebuildRunFolder = (
  home: string,
  store: Store,
  runId: RunId,
  state: Readonly<Record<string, unknown>>,
): void => {
  const folder = openRunFolder(home, runId);
  const log = `${runPath(runId)}/events.ndjson`;
  let after = truncateToAgreement(home, log, store, runId);
  for (;;) {
    const rows = store.rows(runId, after, pageSize);
    const last = rows.at(-1);
    if (last === undefined) break;
    folder.write(rows, [], state);
    after = last.seq;
  }
  const missing = store.files(runId).filter(({ path, body }) => {
    const found = readInside(home, `${runPath(runId)}/${path}`, Buffer.byteLength(body));
    return found.kind !== "text" || found.text !== body;
  });
  folder.write([], missing, state);
};

/** Truncates the log on the disk where it differs from the database; gives the last line that is kept. */
const truncateToAgreement = (home: string, log: string, store: Store, runId: RunId): number => {
  const descriptor = openInside(home, log, constants.O_RDWR | constants.O_CREAT);
  try {
    const { seq, bytes } =
      fstatSync(descriptor).size === 0 ? { seq: 0, bytes: 0 } : findAgreement(descriptor, store, runId);
    ftruncateSync(descriptor, bytes);
    return seq;
  } finally {
    closeSync(descriptor);
  }
};

/** How far the log equals the database. */
const findAgreement = (
  descriptor: number,
  store: Store,
  runId: RunId,
): { readonly seq: number; readonly bytes: number } => {
  let seq = 0;
  let bytes = 0;
  for (;;) {
    const rows = store.rows(runId, seq, pageSize);
    for (const row of rows) {
      const line = Buffer.from(`${formatLine(row)}\n`);
      const found = Buffer.alloc(line.length);
      const read = readSync(descriptor, found, 0, line.length, bytes);
      if (read !== line.length || !found.equals(line)) return { seq, bytes };
      seq = row.seq;
      bytes += line.length;
    }
    if (rows.length < pageSize) return { seq, bytes };
  }
};
