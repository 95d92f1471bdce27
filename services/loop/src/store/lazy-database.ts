/**
 * A project's database with its one writer, opened when it is there already or when something is to be written for the first
 * time. Reading from a project creates no file in it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openHome } from "../project/home.ts";
import { type CommitHooks, type Committer, createCommitter } from "./committer.ts";
import { openDatabase } from "./database.ts";
import { openStore, type Store } from "./store.ts";

interface OpenDatabase {
  readonly store: Store;
  readonly committer: Committer;
}

export interface LazyDatabase {
  /** The database if the file exists; creates nothing. */
  openExisting(): OpenDatabase | undefined;
  /** Opens it, and creates `.promptwheel` where it is missing. Throws when it cannot be read. */
  open(): OpenDatabase;
  close(): void;
}

/** For the project below `root`, a real path. */
export const createLazyDatabase = (root: string, home: string, hooks: CommitHooks): LazyDatabase => {
  const path = join(home, "state.sqlite");
  let opened: OpenDatabase | undefined;
  const open = (): OpenDatabase => {
    if (opened !== undefined) return opened;
    openHome(root);
    const db = openDatabase(path);
    opened = { store: openStore(db), committer: createCommitter(db, hooks) };
    return opened;
  };
  return {
    openExisting: () => opened ?? (existsSync(path) ? open() : undefined),
    open,
    close: () => {
      opened?.store.close();
      opened = undefined;
    },
  };
};
