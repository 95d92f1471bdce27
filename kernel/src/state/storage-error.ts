/**
 * Failures of the storage below the kernel's state, told apart from bugs: a full disk, a file that may not be written or is damaged. What
 * a caller can do about each is in the error; where the file is, only in the log.
 */
import type { FairleadError } from "@fairlead/contracts";
import Database from "better-sqlite3";
import { failure } from "../call/error.ts";

/** The error of a failure of SQLite's (`unavailable`, `data_loss`); `undefined` for what is none. */
export const storageError = (cause: unknown): FairleadError | undefined => {
  if (!(cause instanceof Database.SqliteError)) return undefined;
  const { code } = cause;
  const kind = kinds.find(({ codes }) => codes.some((each) => code.startsWith(each)));
  if (kind === undefined) return undefined;
  return failure(kind.code, kind.message, { hint: kind.hint });
};

/** True for a file that is no database any more. */
export const isDamaged = (cause: unknown): boolean => storageError(cause)?.code === "data_loss";

const ask = "ask whoever runs the kernel to look at `fairlead doctor` and its log";

const kinds = [
  {
    codes: ["SQLITE_FULL"],
    code: "unavailable",
    message: "the disk of the kernel's state is full",
    hint: `free space there; what was acknowledged is kept; ${ask}`,
  },
  {
    codes: ["SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"],
    code: "unavailable",
    message: "the kernel's state cannot be written",
    hint: ask,
  },
  { codes: ["SQLITE_IOERR"], code: "unavailable", message: "the disk of the kernel's state fails", hint: ask },
  { codes: ["SQLITE_BUSY"], code: "unavailable", message: "another process holds the kernel's state", hint: ask },
  {
    codes: ["SQLITE_CORRUPT", "SQLITE_NOTADB"],
    code: "data_loss",
    message: "the kernel's state is damaged",
    hint: ask,
  },
] as const;
