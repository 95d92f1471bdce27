/** The files of the run folders, each cut to its limit. */
import type { RunId } from "../value/id.ts";
import { limits } from "../value/limits.ts";
import { cutStart } from "../value/text.ts";
import type { SqliteConnection } from "./database.ts";

/** A file of the run folder, as the database keeps it. */
export interface RunFile {
  /** Like `artifacts/1-scout-proposals.json`. */
  readonly path: string;
  readonly body: string;
}

export const openFileTable = (db: SqliteConnection) => {
  const put = db.prepare("INSERT INTO files (run_id, path, seq, body) VALUES (?, ?, ?, ?)");
  const one = db.prepare<[string, string], RunFile>("SELECT path, body FROM files WHERE run_id = ? AND path = ?");
  const all = db.prepare<[string], RunFile>("SELECT path, body FROM files WHERE run_id = ? ORDER BY path");
  const entries = db.prepare<[string], Pick<RunFile, "path"> & { readonly bytes: number }>(
    "SELECT path, octet_length(body) AS bytes FROM files WHERE run_id = ? ORDER BY seq, path",
  );
  const since = db.prepare<[string, number], Pick<RunFile, "path"> & { readonly bytes: number }>(
    "SELECT path, octet_length(body) AS bytes FROM files WHERE run_id = ? AND seq >= ? ORDER BY seq, path",
  );
  return {
    find: (runId: string, path: string): RunFile | undefined => one.get(runId, path),
    /** In the order they were kept. */
    entries: (runId: string): readonly (Pick<RunFile, "path"> & { readonly bytes: number })[] => entries.all(runId),
    /** Those that were kept with that line of the log or later, in the same order. */
    since: (runId: string, seq: number): readonly (Pick<RunFile, "path"> & { readonly bytes: number })[] =>
      since.all(runId, seq),
    all: (runId: string): readonly RunFile[] => all.all(runId),
    /** Keeps a file under its name, or the next one that is free: nothing is overwritten, and the same content kept once. Gives it as it was kept. */
    save: (runId: RunId, { path: wished, body: whole }: RunFile, seq: number): RunFile => {
      const body = wished.startsWith("diffs/") ? cutPatch(whole) : cutStart(whole, limits.artifact);
      for (const path of candidatePaths(wished)) {
        const kept = one.get(runId, path);
        if (kept === undefined) put.run(runId, path, seq, body);
        if (kept === undefined || kept.body === body) return { path, body };
      }
      throw new Error("the names are endless");
    },
  };
};

/** `4-qa.log`, then `4-qa-2.log`, and so on. */
function* candidatePaths(wished: string): Generator<string> {
  const dot = wished.lastIndexOf(".");
  yield wished;
  for (let count = 2; ; count += 1) yield `${wished.slice(0, dot)}-${count}${wished.slice(dot)}`;
}

const cutPatch = (patch: string): string =>
  patch.length <= limits.patch ? patch : `${patch.slice(0, limits.patch)}\n# the rest of this patch was left out\n`;
