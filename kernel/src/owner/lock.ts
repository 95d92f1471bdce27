/**
 * The lock files of a state folder: `<folder>/owner/<number>.json`, each with the record of one owner. A file is complete from the moment
 * that it can be seen: it is written under another name and linked.
 *
 * Not here: who may claim (`decide.ts`) and the order of the steps (`claim.ts`).
 */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claim, type LockFolder } from "./claim.ts";
import { formatOwnerRecord, type OwnerRecord, type ParsedOwner, parseOwnerRecord } from "./record.ts";

/** The folder of lock files and sockets of a state folder. */
export const ownerFolder = (stateFolder: string): string => join(stateFolder, "owner");

/** What is written about the latest owner. Number 0: there never was one. */
export interface LatestOwner {
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
