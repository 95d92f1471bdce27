/** Drives an agent in a process that is killed after so many lines, as one that a person kills or that loses its machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DefectRepository } from "./defects.ts";
import type { DriveEvent } from "./drive.ts";
import { findAgents } from "./find-agents.ts";

const child = fileURLToPath(new URL("drive-child.ts", import.meta.url));

interface KilledDrive {
  readonly last: DriveEvent | undefined;
  /** The ids of agents that were seen at work. */
  readonly agents: readonly number[];
}

export const driveUntilKilled = async (
  { path, agent, calls }: DefectRepository,
  lines: number,
): Promise<KilledDrive> => {
  const running = spawn(process.execPath, ["--conditions=@fairlead/source", child, path, agent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let [seen, last]: [number, DriveEvent | undefined] = [0, undefined];
  const agents: number[] = [];
  createInterface({ input: running.stdout }).on("line", (line) => {
    last = JSON.parse(line) as DriveEvent;
    agents.push(...findAgents(calls));
    if (seen === lines) running.kill("SIGKILL");
    seen += 1;
  });
  await once(running, "close");
  return { last, agents };
};
