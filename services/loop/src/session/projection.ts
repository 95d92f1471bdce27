/**
 * The files of a project that people and hooks read, written after each commit. What a commit adds is pending until it is written;
 * where it is not known what the files hold, they are rebuilt. A failure here does not fail the call: the next commit rebuilds.
 */

import type { RunState } from "../state/run-state.ts";
import { formatState } from "../state/state-document.ts";
import type { RunFile } from "../store/file-table.ts";
import { writeHookFiles } from "../store/hook-file.ts";
import type { EventRow } from "../store/log-line.ts";
import { type KnownPart, openRunFolder, rebuildRunFolder } from "../store/run-folder.ts";
import type { Store } from "../store/store.ts";

export interface Projection {
  /** Notes what the transaction that is open adds. */
  add(rows: readonly EventRow[], files: readonly RunFile[]): void;
  /** What is on the disk is not known any more: another run, another process, a transaction that was rolled back. */
  forget(): void;
  /** Brings the files to a state that is committed. */
  write(store: Store, state: RunState): void;
}

/** Of the project whose `.promptwheel` is `home`, a real path; `failed` is called for files that could not be written. */
export const createProjection = (home: string, failed: (runId: string, problem: unknown) => void): Projection => {
  let pending: { readonly rows: EventRow[]; readonly files: RunFile[] } | undefined;
  /** It stays true: lines and files that are written do not change. */
  let known: KnownPart | undefined;
  return {
    add: (rows, files) => {
      pending?.rows.push(...rows);
      pending?.files.push(...files);
    },
    forget: () => {
      pending = undefined;
    },
    write: (store, state) => {
      const document = formatState(state);
      try {
        if (pending === undefined)
          known = rebuildRunFolder(home, store, { runId: state.runId, state: document, known });
        else if (pending.rows.length + pending.files.length > 0)
          openRunFolder(home, state.runId).write(pending.rows, pending.files, document);
        writeHookFiles(home, state);
        pending = { rows: [], files: [] };
      } catch (problem) {
        pending = undefined;
        known = undefined;
        failed(state.runId, problem);
      }
    },
  };
};
