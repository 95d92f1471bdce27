/**
 * The files of a project that people and hooks read, brought up after each commit. What a commit adds is owed to them; where it is
 * not known what they hold, they are rebuilt. A failure here is no failure of the call: the next commit rebuilds.
 */

import type { RunState } from "../state/run-state.ts";
import { stateDocument } from "../state/state-document.ts";
import { writeHookFiles } from "../store/hook-file.ts";
import type { Row } from "../store/log-line.ts";
import { openRunFolder, rebuildRunFolder } from "../store/run-folder.ts";
import type { RunFile, Store } from "../store/store.ts";

export interface Projection {
  /** Notes what the transaction that is open adds. */
  owe(rows: readonly Row[], files: readonly RunFile[]): void;
  /** What is on the disk is not known any more: another run, another process, a transaction that was rolled back. */
  forget(): void;
  /** Brings the files to a state that is committed. */
  write(store: Store, state: RunState): void;
}

/** Of the project whose `.promptwheel` is `home`, a real path; `failed` hears of files that could not be written. */
export const projectionIn = (home: string, failed: (runId: string, problem: unknown) => void): Projection => {
  let owed: { readonly rows: Row[]; readonly files: RunFile[] } | undefined;
  return {
    owe: (rows, files) => {
      owed?.rows.push(...rows);
      owed?.files.push(...files);
    },
    forget: () => {
      owed = undefined;
    },
    write: (store, state) => {
      const document = stateDocument(state);
      try {
        if (owed === undefined) rebuildRunFolder(home, store, state.runId, document);
        else if (owed.rows.length > 0) openRunFolder(home, state.runId).write(owed.rows, owed.files, document);
        writeHookFiles(home, state);
        owed = { rows: [], files: [] };
      } catch (problem) {
        owed = undefined;
        failed(state.runId, problem);
      }
    },
  };
};
