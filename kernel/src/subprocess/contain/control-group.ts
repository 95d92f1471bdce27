/**
 * No orphans, where the system gives control groups and no namespaces: every child begins in a group of its own below one of the
 * kernel's, which a descendant cannot leave, and the whole group is killed with one write.
 *
 * Only version 2 can do it (`cgroup.kill`, Linux 5.14), and only where the kernel may make groups: as root, or in a delegated group as
 * systemd gives its users. Not here: when it is used, and the guard that kills what is left when the kernel dies (`launch.ts`).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The group of one child. */
export interface ControlGroup {
  /** Moves a process, and with it all it will start, into the group. */
  take(pid: number): void;
  /** Kills every process in it. No-op when it is empty. */
  kill(): void;
  /** Removes the group once it is empty. */
  release(): void;
}

export type Ground = { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly why: string };

let found: Ground | undefined;
let count = 0;
const given = new Set<string>();

/** The kernel's own folder for groups, made at the first call; or why there is none. */
export const controlGround = (): Ground => {
  found ??= claim();
  return found;
};

/** A new group below the kernel's own. Throws when the system refuses it. */
export const makeControlGroup = (ground: string): ControlGroup => {
  sweep();
  const folder = join(ground, String(count++));
  mkdirSync(folder);
  return {
    take: (pid) => writeFileSync(join(folder, "cgroup.procs"), String(pid)),
    kill: () => {
      if (existsSync(folder)) writeFileSync(join(folder, "cgroup.kill"), "1");
    },
    release: () => {
      given.add(folder);
      sweep();
    },
  };
};

/** A group can only go when its last process has; what is still busy goes another time. */
const sweep = (): void => {
  for (const folder of given) {
    try {
      rmdirSync(folder);
      given.delete(folder);
    } catch (error) {
      if (!existsSync(folder)) given.delete(folder);
      else if (!isBusy(error)) throw error;
    }
  }
};

const isBusy = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EBUSY";

const claim = (): Ground => {
  if (process.platform !== "linux") return { ok: false, why: `no control groups on ${process.platform}` };
  try {
    const mount = / (\S+) cgroup2 /.exec(readFileSync("/proc/mounts", "utf8"))?.[1];
    const own = /^0::(\S+)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    if (mount === undefined || own === undefined)
      return { ok: false, why: "control groups of version 2 are not mounted" };
    const folder = join(mount, own, `fairlead-${process.pid}`);
    if (/\s/.test(folder)) return { ok: false, why: `the path of its control group has blanks: ${folder}` };
    mkdirSync(folder, { recursive: true });
    const group = makeControlGroup(folder);
    try {
      group.kill();
    } finally {
      group.release();
    }
    process.once("exit", () => removeAll(folder));
    return { ok: true, folder };
  } catch (error) {
    return {
      ok: false,
      why: `control groups cannot be made: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
};

const removeAll = (folder: string): void => {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) rmdirSync(join(folder, entry.name));
    rmdirSync(folder);
  } catch {
    // A process is still in it; the guard kills it and removes the group.
  }
};
