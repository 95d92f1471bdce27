/**
 * A project's database with its one writer, opened when it is there already or when something is to be written for the first
 * time. Only looking at a project leaves no trace in it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openHome } from "../project/home.ts";
import { type CommitHooks, type Committer, createCommitter } from "./committer.ts";
import { openDatabase } from "./database.ts";
import { openStore, type Store } from "./store.ts";

export interface Vault {
  readonly store: Store;
  readonly committer: Committer;
}

export interface VaultKey {
  /** What is there; makes nothing. */
  look(): Vault | undefined;
  /** Opens it, and makes `.promptwheel` where it is missing. Throws when it cannot be read. */
  open(): Vault;
  close(): void;
}

/** Of the project below `root`, a real path. */
export const vaultOf = (root: string, home: string, hooks: CommitHooks): VaultKey => {
  const path = join(home, "state.sqlite");
  let vault: Vault | undefined;
  const open = (): Vault => {
    if (vault !== undefined) return vault;
    openHome(root);
    const db = openDatabase(path);
    vault = { store: openStore(db), committer: createCommitter(db, hooks) };
    return vault;
  };
  return {
    look: () => vault ?? (existsSync(path) ? open() : undefined),
    open,
    close: () => {
      vault?.store.close();
      vault = undefined;
    },
  };
};
