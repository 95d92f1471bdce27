/** Pins a process, and what it starts later, to a core, so that what is measured and what asks it do not take turns on one. */
import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

export const pin = (pid: number | undefined, core: number): void => {
  if (availableParallelism() < 2) return;
  try {
    execFileSync("taskset", ["-a", "-cp", String(core), String(pid)], { stdio: "ignore" });
  } catch {
    // Not there on every system: the figures say what they say.
  }
};
