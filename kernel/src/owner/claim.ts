/**
 * How one of many processes becomes the owner, without a lock of the operating system. Every owner has a number, one above the owner
 * before it, and a file of that number; the file with the highest number names the owner. Files are made in one step that fails where the
 * file exists, and a file that names a living owner is never replaced by another process, so that nobody can take a living owner's place.
 * Pure but for the folder that it is given.
 *
 * Not here: whether the owner before is gone (`decide.ts`).
 */
import type { OwnerRecord } from "./record.ts";

/** The folder of lock files, as far as claiming needs it. Each of these is one step for all processes. */
export interface LockFolder {
  /** Numbers of the files, in no order. */
  numbers(): readonly number[];
  /** False where a file of that number exists. */
  create(number: number, record: OwnerRecord): boolean;
  remove(number: number): void;
}

/**
 * Claims the folder as owner `number`, after the owner `number - 1` was found gone (0: there was none). Returns whether it did. Other
 * processes may run wherever it yields.
 *
 * A process that was slow to come here may make a file of a number that was removed long ago. The owner at that time had a higher
 * one, and the highest is never removed: hence the second look, and who finds a higher number has lost.
 */
export function* claim(folder: LockFolder, number: number, record: OwnerRecord): Generator<void, boolean, void> {
  if (!folder.create(number, record)) return false;
  yield;
  const found = folder.numbers();
  yield;
  if (found.some((other) => other > number)) {
    folder.remove(number);
    return false;
  }
  for (const other of found) {
    if (other >= number) continue;
    folder.remove(other);
    yield;
  }
  return true;
}
