/** What `fairlead doctor` looks at: whether the kernel's state is sound, and what was put aside because it was not. Changes nothing. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { storageError } from "./storage-error.ts";

export interface ExaminedState {
  /** Why the file is of no use; `undefined` for one that is sound, or not there. */
  readonly problem: string | undefined;
  /** Paths of damaged files that a kernel has put aside. */
  readonly aside: readonly string[];
}

/** Looks at the state in that folder, the kernel's own part of the state folder. */
export const examineState = (folder: string): ExaminedState => {
  if (!existsSync(folder)) return { problem: undefined, aside: [] };
  const aside = readdirSync(folder).filter((name) => /\.damaged-[\dT.Z-]+$/.test(name));
  const file = join(folder, "kernel.sqlite");
  return { problem: existsSync(file) ? findProblem(file) : undefined, aside: aside.map((name) => join(folder, name)) };
};

const findProblem = (file: string): string | undefined => {
  try {
    const database = new Database(file, { readonly: true });
    try {
      const found = String(database.pragma("quick_check(1)", { simple: true }));
      return found === "ok" ? undefined : `it is damaged: ${found}`;
    } finally {
      database.close();
    }
  } catch (cause) {
    return storageError(cause)?.message ?? String(cause);
  }
};
