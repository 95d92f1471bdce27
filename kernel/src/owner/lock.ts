/**
 * The lock files of a state folder: `<folder>/owner/<number>.json`, each with the record of one owner. So one of many processes becomes the
 * owner without a lock of the operating system: every owner has a number, one above the owner before it, and the file with the highest
 * number names the owner. A file is made in one step, complete, and only where there is none; the file of a living owner is never replaced by
 * another process, so that no process can take the place of an owner that runs.
 *
 * Not here: whether the owner before is gone (`decide.ts`).
 */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatOwnerRecord, type OwnerRecord, type ParsedOwner, parseOwnerRecord } from "./record.ts";

/** What is written about the latest owner. Number 0: there never was one. */
interface LatestOwner {
  readonly number: number;
  readonly parsed: ParsedOwner;
}

/** Reads the record of the latest owner. Throws what the system says where the folder cannot be read. */
export const readLatestOwner = (folder: string): LatestOwner => {
  for (;;) {
    const number = Math.max(0, ...numbersIn(folder));
    if (number === 0) return { number, parsed: { kind: "unreadable" } };
    try {
      return { number, parsed: parseOwnerRecord(readFileSync(fileName(folder, number), "utf8")) };
    } catch (cause) {
      // The next owner has removed it since: there is a higher one.
      if (systemCode(cause) !== "ENOENT") throw cause;
    }
  }
};

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

/** A claimed state folder. */
export interface OwnerLock {
  readonly record: OwnerRecord;
  /** Writes down what has changed of the owner. */
  update(change: Partial<Pick<OwnerRecord, "url" | "phase">>): void;
}

/** Claims the folder as owner `number`; `undefined` when another process was faster. */
export const claimLock = (folder: string, number: number, record: OwnerRecord): OwnerLock | undefined => {
  const steps = claim(lockFolder(folder), number, record);
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    return step.value ? openLock(folder, number, record) : undefined;
  }
};

const openLock = (folder: string, number: number, first: OwnerRecord): OwnerLock => {
  let record = first;
  return {
    get record() {
      return record;
    },
    update: (change) => {
      record = { ...record, ...change };
      const draft = writeDraft(folder, record);
      renameSync(draft, fileName(folder, number));
    },
  };
};

const fileName = (folder: string, number: number): string => join(folder, `${number}.json`);

/** Readable by its user alone: it holds the key of the socket. */
const writeDraft = (folder: string, record: OwnerRecord): string => {
  const draft = join(folder, `${record.pid}-${record.key.slice(0, 12)}.draft`);
  writeFileSync(draft, formatOwnerRecord(record), { mode: 0o600 });
  return draft;
};

const lockFolder = (folder: string): LockFolder => ({
  numbers: () => numbersIn(folder),
  create: (number, record) => {
    const draft = writeDraft(folder, record);
    try {
      linkSync(draft, fileName(folder, number));
      return true;
    } catch (cause) {
      if (systemCode(cause) === "EEXIST") return false;
      throw cause;
    } finally {
      rmSync(draft, { force: true });
    }
  },
  remove: (number) => rmSync(fileName(folder, number), { force: true }),
});

const numbersIn = (folder: string): readonly number[] => {
  try {
    return readdirSync(folder).flatMap((name) => {
      const number = /^([1-9]\d{0,14})\.json$/.exec(name)?.[1];
      return number === undefined ? [] : [Number(number)];
    });
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return [];
    throw cause;
  }
};

const systemCode = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
