/**
 * Failures of the storage below the kernel's state, as opposed to bugs: a full disk, a file that may not be written or is damaged. What
 * a caller can do about each is in the error; where the file is, only in the log.
 */
import type { FairleadError } from "@fairlead/contracts";
import { failure } from "../call/error.ts";

/** The error of a failure of SQLite's or of the file system's (`unavailable`, `data_loss`); `undefined` for what is none. */
export const storageError = (cause: unknown): FairleadError | undefined => {
  const code = findCode(cause);
  const kind = code && kinds.find(({ codes }) => codes.some((each) => code.startsWith(each)));
  return kind ? failure(kind.code, kind.message, { hint: kind.hint }) : undefined;
};

const findCode = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;

/** Throws a failure of the storage as the error that it is; what is none of those is a defect. */
export const inStorageWords = <T>(work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    throw storageError(cause) ?? cause;
  }
};

const ask = "ask whoever runs the kernel to look at `fairlead doctor` and its log";

const kinds = [
  {
    codes: ["SQLITE_FULL", "ENOSPC", "EDQUOT", "EFBIG"],
    code: "unavailable",
    message: "the disk of the kernel's state is full",
    hint: `free space there; what was acknowledged is kept; ${ask}`,
  },
  {
    codes: [
      "SQLITE_READONLY",
      "SQLITE_CANTOPEN",
      "SQLITE_PERM",
      "EROFS",
      "EACCES",
      "EPERM",
      "EEXIST",
      "ENOENT",
      "ENOTDIR",
    ],
    code: "unavailable",
    message: "the kernel's state cannot be written",
    hint: ask,
  },
  { codes: ["SQLITE_IOERR", "EIO"], code: "unavailable", message: "the disk of the kernel's state fails", hint: ask },
  { codes: ["SQLITE_BUSY"], code: "unavailable", message: "another process holds the kernel's state", hint: ask },
  {
    codes: ["DAMAGED_RECORD"],
    code: "data_loss",
    message: "what the kernel's state has of it is damaged",
    hint: `the others are not; ${ask}`,
  },
  {
    codes: ["SQLITE_CORRUPT", "SQLITE_NOTADB"],
    code: "data_loss",
    message: "the kernel's state is damaged",
    hint: ask,
  },
] as const;
