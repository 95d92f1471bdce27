/**
 * No orphans, second line: where the system allows it, every child lives in a process namespace of its own that dies with the
 * kernel, so that not even a descendant in another session survives. Probed once, because containers often forbid it.
 *
 * `setpriv --pdeathsig` ties the first process to the kernel, `unshare --kill-child` ties the namespace to the first process. A shell is
 * the namespace's init: it reaps orphans, and the program itself keeps the ordinary manners towards signals, which an init has not.
 *
 * @NOTE `pdeathsig` follows the thread that spawns, so children are only spawned from the main thread.
 */
import { execFile } from "node:child_process";
import { isMainThread } from "node:worker_threads";

/** What holds a child's descendants, for `fairlead doctor`. */
export interface Containment {
  /** `namespace`: all descendants die with the kernel. `group`: those that did not leave their process group. */
  readonly kind: "namespace" | "group";
  /** How it is done, or why no more can be done. */
  readonly detail: string;
  /** What would give the stronger kind, where it is missing. */
  readonly fix?: string;
}

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
}

const launcher = [
  "setpriv",
  "--pdeathsig",
  "KILL",
  "unshare",
  "--user",
  "--map-root-user",
  "--pid",
  "--fork",
  "--kill-child",
  "sh",
  "-c",
  '"$@"; exit $?',
  "sh",
] as const;

let known: Promise<Containment> | undefined;

/** Tries once whether namespaces can be had; later calls give the same answer. */
export const probeContainment = (): Promise<Containment> => {
  known ??= probe();
  return known;
};

const probe = async (): Promise<Containment> => {
  if (process.platform !== "linux") return { kind: "group", detail: `no process namespaces on ${process.platform}` };
  if (!isMainThread) return { kind: "group", detail: "children of a worker thread would die with the thread" };
  const { file, args } = contained({ file: "true", args: [] });
  const failure = await new Promise<string | undefined>((resolve) => {
    execFile(file, args, { timeout: 5_000 }, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr.trim() || error.message);
    });
  });
  return failure === undefined
    ? { kind: "namespace", detail: "setpriv --pdeathsig, unshare --pid --kill-child" }
    : {
        kind: "group",
        detail: `no process namespace: ${failure.split("\n")[0] ?? ""}`,
        fix: "install util-linux 2.32 or newer and allow unprivileged user namespaces",
      };
};

/** The same program inside a namespace of its own. */
export const contained = ({ file, args }: Invocation): Invocation => ({
  file: launcher[0],
  args: [...launcher.slice(1), file, ...args],
});
