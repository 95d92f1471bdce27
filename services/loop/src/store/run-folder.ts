/**
 * The run folder: files that people and `jq` read. All of them are projections of the database, written after each commit and
 * rebuilt from it when a session is loaded; nothing is ever read back from them.
 */

import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, readSync } from "node:fs";
import { join } from "node:path";
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

/** How far a run's folder is known to hold what the database does. */
export interface KnownPart {
  readonly runId: RunId;
  /** The last line. */
  readonly seq: number;
  /** Where it ends in the log. */
  readonly bytes: number;
}

interface Rebuild {
  readonly runId: RunId;
  readonly state: Readonly<Record<string, unknown>>;
  /** What need not be looked at again. */
  readonly known?: KnownPart | undefined;
}

/** Files that are compared to the byte: the last ones. Of older ones, which were written whole or not at all, the size is. */
const compared = 100;

/**
 * Brings a run's folder to what the database holds: the log is kept as far as it agrees, line by line; from the first line that
 * is torn, damaged or foreign on, the log is cut off and written again. Missing files are written again.
 */
export const rebuildRunFolder = (home: string, store: Store, { runId, state, known }: Rebuild): KnownPart => {
  const folder = openRunFolder(home, runId);
  const log = `${runPath(runId)}/events.ndjson`;
  const sure = known?.runId === runId && sizeInside(home, log) >= known.bytes ? known : { seq: 0, bytes: 0 };
  let after = truncateToAgreement(home, log, { store, runId, sure });
  for (;;) {
    const rows = store.rows(runId, after, pageSize);
    const last = rows.at(-1);
    if (last === undefined) break;
    folder.write(rows, [], state);
    after = last.seq;
  }
  folder.write([], findMissing(home, store, { runId, seq: sure.seq }), state);
  return { runId, seq: after, bytes: sizeInside(home, log) };
};

const sizeInside = (home: string, path: string): number => {
  const found = lstatSync(join(home, path), { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : -1;
};

/** Files since that line that are not there as they were kept. */
const findMissing = (
  home: string,
  store: Store,
  { runId, seq }: Pick<KnownPart, "runId" | "seq">,
): readonly RunFile[] => {
  const entries = store.filesSince(runId, seq);
  return entries.flatMap(({ path, bytes }, index) => {
    const place = `${runPath(runId)}/${path}`;
    const isNew = index >= entries.length - compared;
    if (!isNew && sizeInside(home, place) === bytes) return [];
    const file = store.file(runId, path);
    const found = readInside(home, place, bytes);
    return file === undefined || (found.kind === "text" && found.text === file.body) ? [] : [file];
  });
};

interface LogReading {
  readonly store: Store;
  readonly runId: RunId;
  /** Up to there it agrees. */
  readonly sure: Pick<KnownPart, "seq" | "bytes">;
}

/** Truncates the log on the disk where it differs from the database; gives the last line that is kept. */
const truncateToAgreement = (home: string, log: string, reading: LogReading): number => {
  const descriptor = openInside(home, log, constants.O_RDWR | constants.O_CREAT);
  try {
    const { seq, bytes } = fstatSync(descriptor).size === 0 ? { seq: 0, bytes: 0 } : findAgreement(descriptor, reading);
    ftruncateSync(descriptor, bytes);
    return seq;
  } finally {
    closeSync(descriptor);
  }
};

/** How far the log equals the database: by pages, and where one differs by its lines. */
const findAgreement = (descriptor: number, { store, runId, sure }: LogReading): Pick<KnownPart, "seq" | "bytes"> => {
  let { seq, bytes } = sure;
  for (;;) {
    const rows = store.rows(runId, seq, pageSize);
    const lines = rows.map((row) => Buffer.from(`${formatLine(row)}\n`));
    const whole = Buffer.concat(lines);
    const found = Buffer.alloc(whole.length);
    const read = readSync(descriptor, found, 0, whole.length, bytes);
    if (read === whole.length && found.equals(whole)) {
      seq = rows.at(-1)?.seq ?? seq;
      bytes += whole.length;
      if (rows.length < pageSize) return { seq, bytes };
      continue;
    }
    let from = 0;
    for (const [at, line] of lines.entries()) {
      if (from + line.length > read || !found.subarray(from, from + line.length).equals(line)) break;
      seq = rows[at]?.seq ?? seq;
      from += line.length;
    }
    return { seq, bytes: bytes + from };
  }
};
