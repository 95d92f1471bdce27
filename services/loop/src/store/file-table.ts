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
  const put = db.prepare(
    "INSERT INTO files (run_id, path, seq, body) VALUES (?, ?, ?, ?) ON CONFLICT (run_id, path) DO UPDATE SET seq = excluded.seq, body = excluded.body",
  );
  const all = db.prepare<[string], RunFile>("SELECT path, body FROM files WHERE run_id = ? ORDER BY path");
  return {
    all: (runId: string): readonly RunFile[] => all.all(runId),
    /** Gives the file as it was kept. */
    save: (runId: RunId, { path, body }: RunFile, seq: number): RunFile => {
      const kept = path.startsWith("diffs/") ? cutPatch(body) : cutStart(body, limits.artifact);
      put.run(runId, path, seq, kept);
      return { path, body: kept };
    },
  };
};

const cutPatch = (patch: string): string =>
  patch.length <= limits.patch ? patch : `${patch.slice(0, limits.patch)}\n# the rest of this patch was left out\n`;
