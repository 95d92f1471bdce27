/** Looks at processes, for tests. Linux only: elsewhere nobody lives. */
import { readFileSync } from "node:fs";

/** Alive and no zombie. */
export const lives = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};
