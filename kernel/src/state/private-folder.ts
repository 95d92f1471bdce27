/**
 * Folders for what must survive a restart; only their owner may look into them. Made one by one: Node's own way to make several does
 * not end where a file system refuses in its own manner, as `/proc` does.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { failure } from "../call/error.ts";

/** Throws a `FairleadError` (`failed_precondition`) that names the folder where it can not be made. */
export const makePrivateFolder = (folder: string): void => {
  try {
    make(resolve(folder));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw failure("failed_precondition", `the folder ${folder} for what must be kept cannot be made: ${why}`, {
      hint: "name another one with `stateDir` in the configuration or FAIRLEAD_STATE_DIR",
    });
  }
};

const make = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(folder) !== folder) make(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (cause) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw cause;
  }
};
