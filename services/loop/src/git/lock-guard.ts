/**
 * Mends what a killed git of ours leaves: its lock files. What git is about to lock is noted in a file before it starts, and the note
 * is taken away once it has ended; a note that is still there is that of a git which was killed with its server.
 *
 * A lock is removed only when such a note names it, so that it was not there before that git began; when the server that wrote the note
 * is gone; and when no process has the lock open and no git runs in the repository. A system that does not say who runs (no /proc) keeps
 * its locks.
 */
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { readInside, removeInside, replaceInside } from "../project/safe-file.ts";

export interface LockKeeper {
  /** Runs a git that may take these locks (absolute paths), after those that a killed one left were removed. One at a time. */
  hold<T>(locks: readonly string[], run: () => Promise<T>): Promise<T>;
}

const noteFile = "git-locks.json";

const noteShape = z.object({ pid: z.int().positive(), locks: z.array(z.string()) });

type Note = z.output<typeof noteShape>;

/** A git that dies with its server is gone within this many looks, 100 ms apart. */
const mostLooks = 20;

/** For the repository at `root`; the note stands in `home`. Both are real paths. */
export const lockKeeperOf = (root: string, home: string): LockKeeper => {
  let last: Promise<unknown> = Promise.resolve();

  const mend = async (locks: readonly string[]): Promise<void> => {
    const note = readNote(home);
    if (note === undefined || (note.pid !== process.pid && isAlive(note.pid))) return;
    const left = note.locks.filter((lock) => locks.includes(lock) && existsSync(lock));
    for (let look = 0; left.length > 0 && look < mostLooks; look += 1) {
      if (isFree(root, left)) for (const lock of left.splice(0)) rmSync(lock, { force: true });
      else await pause(100);
    }
  };

  const held = async <T>(locks: readonly string[], run: () => Promise<T>): Promise<T> => {
    await mend(locks);
    if (locks.some((lock) => existsSync(lock))) return run();
    replaceInside(home, noteFile, JSON.stringify({ pid: process.pid, locks: [...locks] } satisfies Note));
    try {
      return await run();
    } finally {
      removeInside(home, noteFile);
    }
  };

  return {
    hold: (locks, run) => {
      const turn = last.then(() => held(locks, run));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
};

const readNote = (home: string): Note | undefined => {
  const found = readInside(home, noteFile, 65_536);
  if (found.kind !== "text") return undefined;
  try {
    return noteShape.safeParse(JSON.parse(found.text)).data;
  } catch {
    return undefined;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (problem) {
    return problem instanceof Error && "code" in problem && problem.code === "EPERM";
  }
};

/** True when nobody has a lock open, and no git runs in the repository or its git folder. False where that cannot be told. */
const isFree = (root: string, locks: readonly string[]): boolean => {
  const folders = [root, ...locks.map(dirname)];
  try {
    return readdirSync("/proc").every(
      (name) => !/^\d+$/.test(name) || isElsewhere(join("/proc", name), folders, locks),
    );
  } catch {
    return false;
  }
};

/** Whether a process, by its folder in /proc, has nothing to do with the repository. A git that hides where it runs may have. */
const isElsewhere = (process: string, folders: readonly string[], locks: readonly string[]): boolean => {
  if (told(() => readFileSync(join(process, "comm"), "utf8"))?.startsWith("git") === true) {
    const at = told(() => readlinkSync(join(process, "cwd")));
    if (at === hidden || folders.some((folder) => at === folder || at?.startsWith(`${folder}/`) === true)) return false;
  }
  const open = told(() => readdirSync(join(process, "fd")).join());
  return (open ?? hidden)
    .split(",")
    .every((name) => !locks.includes(told(() => readlinkSync(join(process, "fd", name))) ?? hidden));
};

const hidden = "";

/** What /proc says; `undefined` when the process has ended, `hidden` when it is another user's. */
const told = (read: () => string): string | undefined => {
  try {
    return read();
  } catch (problem) {
    const code = problem instanceof Error && "code" in problem ? problem.code : undefined;
    return code === "EACCES" || code === "EPERM" ? hidden : undefined;
  }
};
