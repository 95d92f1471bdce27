/** Reads the log that a project's kernel keeps in its state folder: what is there, then what comes, from one kernel to the next. */
import { closeSync, fstatSync, openSync, readSync, watch } from "node:fs";
import { makeFolder } from "@fairlead/kernel/owner";
import { logFiles } from "./log-file.ts";

interface LogReading {
  /** The lines that are there, oldest first. */
  readonly lines: readonly string[];
  /** Calls back for each line that comes after those, until the signal fires. Rejects where the folder cannot be watched. */
  follow(onLine: (line: string) => void, signal: AbortSignal): Promise<void>;
}

export const readLog = (stateFolder: string): LogReading => {
  const { folder, current, previous } = logFiles(stateFolder);
  const older = readLines(previous, 0)?.lines ?? [];
  const { lines, readOn } = openTail(current, previous);
  return {
    lines: [...older, ...lines],
    follow: async (onLine, signal) => {
      if (signal.aborted) return;
      makeFolder(folder);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const take = (): void => {
        for (const line of readOn()) onLine(line);
      };
      const watcher = watch(folder, take);
      watcher.once("error", reject);
      signal.addEventListener("abort", () => resolve(), { once: true });
      // What came between the first reading and the watch.
      take();
      try {
        await promise;
      } finally {
        watcher.close();
      }
    },
  };
};

/** Whole lines of a file, and where the next ones begin. */
interface Piece {
  readonly lines: readonly string[];
  readonly inode: number;
  readonly end: number;
}

/** Reads a file now, and reads on later: in it, and in the one that takes its place when it is full. */
const openTail = (current: string, previous: string) => {
  let at = readLines(current, 0);
  const readOn = (): readonly string[] => {
    const same = readLines(current, at?.end ?? 0);
    if (same === undefined) return [];
    if (at === undefined || same.inode === at.inode) {
      at = same;
      return same.lines;
    }
    const full = readLines(previous, at.end);
    const rest = full?.inode === at.inode ? full.lines : [];
    at = readLines(current, 0);
    return [...rest, ...(at?.lines ?? [])];
  };
  return { lines: at?.lines ?? [], readOn };
};

/** `undefined` where there is no such file. */
const readLines = (path: string, from: number): Piece | undefined => {
  const file = tryOpen(path);
  if (file === undefined) return undefined;
  try {
    const { ino: inode, size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.max(0, size - from));
    const count = readSync(file, bytes, 0, bytes.length, from);
    // A line that is being written is read when it is whole.
    const end = bytes.subarray(0, count).lastIndexOf(0x0a) + 1;
    const lines = bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
    return { lines, inode, end: from + end };
  } finally {
    closeSync(file);
  }
};

const tryOpen = (path: string): number | undefined => {
  try {
    return openSync(path, "r");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    throw cause;
  }
};
