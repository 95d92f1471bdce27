/** Processes that have a variable of the self-test's in their environment: whoever started them, and whatever group or session they are in. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

export const markName = "FAIRLEAD_SELFTEST_MARK";

/** Whether this system shows the environment of processes. */
export const canFindMarked = (): boolean => existsSync("/proc/self/environ");

/** Their process ids, right now. */
const findMarked = (mark: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/environ`, "latin1").split("\0").includes(`${markName}=${mark}`);
      } catch {
        // It has ended meanwhile, or is another user's.
        return false;
      }
    })
    .map(Number);

/** Ends those that are still there after a minute, or at once where they may be; and how many that were. */
export const endMarked = async (mark: string, mayLive: boolean): Promise<number> => {
  if (!canFindMarked()) return 0;
  const end = performance.now() + 60_000;
  let left = findMarked(mark);
  while (left.length > 0 && !mayLive && performance.now() < end) {
    await pause(100);
    left = findMarked(mark);
  }
  for (const id of left) {
    try {
      process.kill(id, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
  return left.length;
};
