/** How much memory a process and its descendants use, read from `/proc`. Unknown where there is no `/proc`. */
import { readFileSync } from "node:fs";

/** Resident bytes of the whole tree below a process, itself included; `undefined` when the system does not say. */
export const residentBytes = (pid: number): number | undefined => {
  const own = ownBytes(pid);
  return own === undefined
    ? undefined
    : listChildren(pid).reduce((sum, child) => sum + (residentBytes(child) ?? 0), own);
};

const ownBytes = (pid: number): number | undefined => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
};

const listChildren = (pid: number): readonly number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .filter((text) => text !== "")
    .map(Number);

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
