/** SQLite's write errors, as errors a caller can act on. Every other error stays as it is. */

import { FairleadError } from "@fairlead/contracts";
import { errorCode } from "../value/error.ts";
import { damagedError } from "./stored-event.ts";

const causes: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, "the disk is full"],
  [/^SQLITE_IOERR/, "the disk refused it"],
  [/^SQLITE_BUSY|^SQLITE_LOCKED/, "another program holds it"],
  [/^SQLITE_READONLY|^SQLITE_CANTOPEN|^SQLITE_PERM/, "it may not be written"],
];

/** For a transaction that failed: nothing of it was recorded. */
export const toStorageError = (failure: unknown): unknown => {
  const code = errorCode(failure);
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return damagedError(".promptwheel/state.sqlite", code);
  const cause = causes.find(([sign]) => sign.test(code));
  if (cause === undefined) return failure;
  return new FairleadError(
    {
      code: "unavailable",
      message: `the project's state could not be written, and nothing was recorded: ${cause[1]} (${code})`,
      hint: "make room for .promptwheel/state.sqlite, or end what holds it, then call again",
    },
    { cause: failure },
  );
};
