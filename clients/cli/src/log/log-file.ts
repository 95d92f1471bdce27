/**
 * The log of a project's kernel in its state folder: JSON lines in two files of bounded size, so that what a kernel said before it ended can
 * be read after it.
 *
 * Not here: reading it (`log-reader.ts`).
 */
import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@fairlead/kernel/owner";

/** The file that is written, and the full one before it. */
export const logFiles = (stateFolder: string) => ({
  folder: join(stateFolder, "log"),
  current: join(stateFolder, "log", "kernel.jsonl"),
  previous: join(stateFolder, "log", "kernel.1.jsonl"),
});

/** Bytes after which a file is full. */
const fullAt = 4 * 1_048_576;

export interface LogFile {
  /** Appends a line. It is with the system when this returns. Never throws: a full disk costs the line, not the kernel. */
  write(line: string): void;
  close(): void;
}

/** Opens the files at the first line. */
export const openLogFile = (stateFolder: string, full = fullAt): LogFile => {
  const { folder, current, previous } = logFiles(stateFolder);
  let file: number | undefined;
  let size = 0;
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const open = (): number => {
    makeFolder(folder);
    const opened = openSync(current, "a", 0o600);
    size = fstatSync(opened).size;
    return opened;
  };
  return {
    write: (line) => {
      try {
        file ??= open();
        if (size > 0 && size + line.length > full) {
          close();
          renameSync(current, previous);
          file = open();
        }
        size += writeSync(file, line);
      } catch {
        // stderr has it, too.
      }
    },
    close,
  };
};
