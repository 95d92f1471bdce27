/**
 * What distinguishes a process from a later one with the same pid: when it began, since which start of the system, among which processes. Linux
 * says all of it in `/proc`; elsewhere only whether the pid is in use is known.
 */
import { readFileSync, readlinkSync } from "node:fs";
import type { OwnerEvidence } from "./decide.ts";
import type { OwnerRecord } from "./record.ts";

type ProcessIdentity = Pick<OwnerRecord, "pid" | "processStart" | "pidSpace" | "bootId">;

/** Of this process. */
export const ownIdentity = (): ProcessIdentity => ({
  pid: process.pid,
  processStart: readStart(process.pid) ?? "",
  pidSpace: attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "",
  bootId: systemBootId() ?? "",
});

/** Names the system's last start; `undefined` where it has no name for it. */
export const systemBootId = (): string | undefined =>
  attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());

/** What is seen of the process that had that identity, from a process with the `own` one. */
export const examineProcess = (
  { pid, processStart, pidSpace, bootId }: ProcessIdentity,
  own: ProcessIdentity,
): Pick<OwnerEvidence, "boot" | "process"> => {
  const boot = bootId === "" || own.bootId === "" ? "unknown" : bootId === own.bootId ? "same" : "other";
  // A pid of another container says nothing here.
  if (pidSpace !== own.pidSpace) return { boot, process: "unknown" };
  if (!isPidUsed(pid)) return { boot, process: "gone" };
  const start = readStart(pid);
  if (start === undefined || processStart === "") return { boot, process: "unknown" };
  return { boot, process: start === processStart ? "same" : "gone" };
};

/** A process that may not be signalled is there, too. */
export const isPidUsed = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "EPERM";
  }
};

/** When a process began, in the system's ticks since its start; `undefined` where that cannot be read. One that has ended has no start. */
const readStart = (pid: number): string | undefined =>
  attempt(() => parseProcessStart(readFileSync(`/proc/${pid}/stat`, "utf8")));

/** Linux's flag of a process that is on its way out: set before its sockets are closed, long before it is a zombie on a busy machine. */
const exiting = 4;

/** The start that a line of `/proc/<pid>/stat` gives; `ended` for a process that runs no more. */
export const parseProcessStart = (stat: string): string | undefined => {
  // The name of the program is in brackets and may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  return state === "Z" || state === "X" || (Number(fields[6]) & exiting) !== 0 ? "ended" : fields[19];
};

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};
