/**
 * Folders for what must survive a restart; only their owner may look into them.
 */
import { resolve } from "node:path";
import { failure } from "../call/error.ts";
import { makeFolder } from "../owner/places.ts";

/** Throws a `FairleadError` (`failed_precondition`) that names the folder where it can not be made. */
export const makePrivateFolder = (folder: string): void => {
  try {
    makeFolder(resolve(folder));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw failure("failed_precondition", `the folder ${folder} for what must be kept cannot be made: ${why}`, {
      hint: "name another one with `stateDir` in the configuration or FAIRLEAD_STATE_DIR",
    });
  }
};
