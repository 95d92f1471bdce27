/**
 * What is loaded in a session, kept for the next process: the journal, and whether the caller still has to learn that it was replayed.
 * Not here: when a process starts or ends (`session.ts`).
 */
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import { type Engine, EngineError, type LoadInput } from "../engine/engine.ts";
import {
  appendEdit,
  type Edit,
  emptyJournal,
  type Journal,
  mostEdits,
  removeLastEdit,
  startJournal,
} from "./journal.ts";

interface UndoSteps {
  readonly engine: Engine;
  /** Replaces the process by one that replays the journal. */
  restart(): Promise<void>;
  readonly options: RequestOptions | undefined;
}

/** What an undo took back. */
export interface UndoneEdit {
  readonly edit: Edit;
  /** Edits that are left. */
  readonly left: number;
}

export class BuildHistory {
  #journal: Journal = emptyJournal;
  #recovered = false;

  isEmpty(): boolean {
    return this.#journal.kind === "empty";
  }

  clear(): void {
    this.#journal = emptyJournal;
    this.#recovered = false;
  }

  /** A build was loaded, which ends what was there before. */
  begin(load: LoadInput): void {
    this.#journal = startJournal(load);
    this.#recovered = false;
  }

  /** Writes down an edit that succeeded. A long journal begins again from the build as it is now. */
  async append(edit: Edit, engine: Engine): Promise<void> {
    this.#journal = appendEdit(this.#journal, edit);
    if (this.#journal.kind === "loaded" && this.#journal.edits.length >= mostEdits) {
      const { name } = this.#journal.load;
      const xml = await exportWhereSupported(engine);
      if (xml !== undefined) this.#journal = startJournal({ xml, name, nodes: [] });
    }
  }

  /** Loads the build and makes its edits, in a process that has neither. The options are those of the load. */
  async replay(engine: Engine, options: RequestOptions): Promise<void> {
    await replayJournal(this.#journal, engine, options);
    this.#recovered = true;
  }

  /**
   * Takes the last edit back; nothing when there is none. The journal is shortened first, so that a process that is started in between
   * begins without the edit; it is as it was when the engine could not be asked.
   */
  async undo({ engine, restart, options }: UndoSteps): Promise<UndoneEdit | undefined> {
    const before = this.#journal;
    const back = removeLastEdit(before);
    if (back === undefined) return undefined;
    this.#journal = back.journal;
    try {
      await replayJournal(back.journal, engine, options);
    } catch (error) {
      if (!(error instanceof EngineError)) {
        this.#journal = before;
        throw error;
      }
      // What it was may not be reached from what it is; a new process begins without it.
      await restart();
      this.#recovered = false;
    }
    return { edit: back.edit, left: back.left };
  }

  /** True once after a replay. */
  takeRecovered(): boolean {
    const recovered = this.#recovered;
    this.#recovered = false;
    return recovered;
  }
}

const replayJournal = async (journal: Journal, engine: Engine, options?: RequestOptions): Promise<void> => {
  if (journal.kind === "empty") return;
  await engine.load(journal.load, options);
  for (const edit of journal.edits) {
    if (edit.kind === "tree") await engine.setTree(edit.tree);
    else await engine.apply(edit.changes);
  }
};

const exportWhereSupported = async (engine: Engine): Promise<string | undefined> => {
  try {
    return await engine.exportXml();
  } catch (error) {
    if (error instanceof EngineError && error.code === "unsupported") return undefined;
    throw error;
  }
};
