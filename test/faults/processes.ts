/**
 * Finds the processes that a test has started, by a mark in their environment: their own idea of their number is of no use, since they
 * may live in a namespace of their own. Only for Linux.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export const freshMark = (): string => `fairlead-test-${randomUUID()}`;

const isMarked = (pid: number, mark: string): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
  } catch {
    return false;
  }
};

const runsNode = (pid: number): boolean => {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === process.execPath;
  } catch {
    return false;
  }
};

/** All that carry the mark, launchers too. */
export const marked = (mark: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isMarked(pid, mark));

/** The one Node program that carries the mark. Throws when there is none, or more than one. */
export const programOf = (mark: string): number => {
  const [found, ...more] = marked(mark).filter(runsNode);
  if (found === undefined || more.length > 0) throw new Error(`${1 + more.length} programs carry the mark`);
  return found;
};
