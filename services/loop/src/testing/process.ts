/** Which processes run, for tests. Linux only: elsewhere the answer is always that none does. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Alive and no zombie. */
export const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

/** The ids of the gits that run in a folder or below it. */
export const findGits = (folder: string): readonly string[] => {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const place = readlinkSync(`/proc/${pid}/cwd`);
      if (place !== folder && !place.startsWith(`${folder}/`)) return false;
      return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("git") && isRunning(Number(pid));
    } catch {
      return false;
    }
  });
};
