/**
 * Removes what a killed git of ours leaves: its lock files. What git is about to lock is noted in a file before it starts, and the note
 * is removed once it has ended; a note that is still there is that of a git which was killed with its server.
 *
 * A lock is removed only when such a note names it, so that it was not there before that git began; when the server that wrote the note
 * is gone; and when no process has the lock open and no git runs in the repository. A system that does not say who runs (no /proc) keeps
 * its locks.
 */

import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import * as Semaphore from "effect/Semaphore";
import * as z from "zod";
import { readInside, removeInside, replaceInside } from "../project/safe-file.ts";
import { errorCode } from "../value/error.ts";

export interface GitLockGuard {
  /** Runs a git that may take these locks (absolute paths), after removing those that a killed git left. One at a time. */
  run<T>(locks: readonly string[], task: () => Promise<T>): Promise<T>;
}

const noteFile = "git-locks.json";

const noteShape = z.object({ pid: z.int().positive(), locks: z.array(z.string()) });

type LockNote = z.output<typeof noteShape>;

/** A git that dies with its server is gone at once, within seconds on a busy machine. */
const untilGone = { schedule: Schedule.spaced("100 millis"), times: 100, until: (gone: boolean) => gone };

/** For the repository at `root`; the note is in `home`. Both are real paths. */
export const createGitLockGuard = (root: string, home: string): GitLockGuard => {
  const oneAtATime = Semaphore.makeUnsafe(1).withPermit;

  const runNoted = async <T>(locks: readonly string[], task: () => Promise<T>): Promise<T> => {
    if (locks.some((lock) => existsSync(lock))) return task();
    replaceInside(home, noteFile, JSON.stringify({ pid: process.pid, locks: [...locks] } satisfies LockNote));
    try {
      return await task();
    } finally {
      removeInside(home, noteFile);
    }
  };

  return {
    run: (locks, task) =>
      removeStaleLocks(root, home, locks).pipe(
        Effect.andThen(Effect.promise(() => runNoted(locks, task))),
        oneAtATime,
        Effect.runPromise,
      ),
  };
};

/** Removes those of the locks that the note of a killed git names, as soon as nothing uses them; leaves them when it takes too long. */
const removeStaleLocks = (root: string, home: string, locks: readonly string[]): Effect.Effect<void> =>
  Effect.suspend(() => {
    const note = readNote(home);
    if (note === undefined || (note.pid !== process.pid && isAlive(note.pid))) return Effect.void;
    const stale = note.locks.filter((lock) => locks.includes(lock) && existsSync(lock));
    if (stale.length === 0) return Effect.void;
    return Effect.sync(() => removeIfFree(root, stale)).pipe(Effect.repeat(untilGone), Effect.asVoid);
  });

const removeIfFree = (root: string, locks: readonly string[]): boolean => {
  if (!isFree(root, locks)) return false;
  for (const lock of locks) rmSync(lock, { force: true });
  return true;
};

const readNote = (home: string): LockNote | undefined => {
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
    return errorCode(problem) === "EPERM";
  }
};

/** True when no process has a lock open, and no git runs in the repository or its git folder. False where that cannot be known. */
const isFree = (root: string, locks: readonly string[]): boolean => {
  const folders = [root, ...locks.map(dirname)];
  try {
    return readdirSync("/proc").every(
      (name) => !/^\d+$/.test(name) || isUnrelated(join("/proc", name), folders, locks),
    );
  } catch {
    return false;
  }
};

/** Whether a process, by its folder in /proc, does not use the repository. A git that hides where it runs may use it. */
const isUnrelated = (process: string, folders: readonly string[], locks: readonly string[]): boolean => {
  if (readProc(() => readFileSync(join(process, "comm"), "utf8"))?.startsWith("git") === true) {
    const at = readProc(() => readlinkSync(join(process, "cwd")));
    if (at === hidden || folders.some((folder) => at === folder || at?.startsWith(`${folder}/`) === true)) return false;
  }
  const open = readProc(() => readdirSync(join(process, "fd")).join());
  return (open ?? hidden)
    .split(",")
    .every((name) => !locks.includes(readProc(() => readlinkSync(join(process, "fd", name))) ?? hidden));
};

const hidden = "";

/** What /proc says; `undefined` when the process has ended, `hidden` when it is another user's. */
const readProc = (read: () => string): string | undefined => {
  try {
    return read();
  } catch (problem) {
    const code = errorCode(problem);
    return code === "EACCES" || code === "EPERM" ? hidden : undefined;
  }
};
