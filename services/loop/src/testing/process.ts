/** Whether a process runs, for tests. Linux only: elsewhere the answer is always no. */
import { readFileSync } from "node:fs";

/** Alive and no zombie. */
export const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};
