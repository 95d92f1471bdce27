/** How much memory a process and its descendants use, read from `/proc`. Unknown where there is no `/proc`. */
import { readFileSync } from "node:fs";

/**
 * Bytes that the whole tree below a process has to itself, itself included: what would be free without it. Pages that it shares, like those
 * of a library or of the process that it was forked from, are not counted. `undefined` when the system does not say.
 */
export const privateBytes = (pid: number): number | undefined => {
  const own = ownBytes(pid);
  return own === undefined
    ? undefined
    : listChildren(pid).reduce((sum, child) => sum + (privateBytes(child) ?? 0), own);
};

const ownBytes = (pid: number): number | undefined => {
  const pages = Array.from(
    read(`/proc/${pid}/smaps_rollup`).matchAll(/^Private_\w+:\s+(\d+) kB$/gm),
    ([, size]) => Number(size) * 1024,
  );
  return pages.length > 0 ? pages.reduce((sum, bytes) => sum + bytes, 0) : anonymousBytes(pid);
};

/** Nearly the same for a process that was not forked; of one that we may not look into, and of a zombie, it is all there is. */
const anonymousBytes = (pid: number): number | undefined => {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1];
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
