/**
 * No orphans, second line: where the system allows it, no descendant of a child survives the kernel, not even one in another session.
 * Probed once, because containers often forbid it: a process namespace of its own for every child, else a control group, else only
 * the process group.
 *
 * `setpriv --pdeathsig` ties the first process to the kernel, `unshare --kill-child` ties the namespace to the first process. A shell is
 * the namespace's init: it reaps orphans, and the program itself keeps the ordinary manners towards signals, which an init has not.
 *
 * @NOTE `pdeathsig` follows the thread that spawns, so namespaces are only for children of the main thread.
 */
import { execFile } from "node:child_process";
import { isMainThread } from "node:worker_threads";
import { controlGround } from "./control-group.ts";

/** What holds a child's descendants. `group`: only those that did not leave their process group. */
export type Hold = "namespace" | "cgroup" | "group";

/** What can be had here, for `fairlead doctor`. */
export interface Containment {
  /** For children that speak with the kernel. */
  readonly kind: Hold;
  /** For commands of the user's own, which must not find themselves in a namespace. */
  readonly commands: Exclude<Hold, "namespace">;
  /** Whether children can be kept from the network. */
  readonly offline: boolean;
  /** How it is done, or why no more can be done. */
  readonly detail: string;
  /** What would give a stronger kind, where the weakest is all there is. */
  readonly fix?: string;
}

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
}

let known: Promise<Containment> | undefined;

/** Tries once what can be had; later calls give the same answer. */
export const probeContainment = (): Promise<Containment> => {
  known ??= probe();
  return known;
};

const probe = async (): Promise<Containment> => {
  const ground = controlGround();
  const commands = ground.ok ? "cgroup" : "group";
  const nothing: Invocation = { file: "true", args: [] };
  const [refused, refusedOffline] = await Promise.all([
    namespaceRefusal(nothing, false),
    namespaceRefusal(nothing, true),
  ]);
  if (refused === undefined) {
    const detail = "setpriv --pdeathsig, unshare --pid --kill-child";
    return { kind: "namespace", commands, offline: refusedOffline === undefined, detail };
  }
  if (ground.ok) return { kind: "cgroup", commands, offline: false, detail: ground.folder };
  return {
    kind: "group",
    commands,
    offline: false,
    detail: `${refused}; ${ground.why}`,
    ...(process.platform === "linux" && {
      fix: "install util-linux 2.32 or newer and allow unprivileged user namespaces, or run it in a delegated control group",
    }),
  };
};

/** Why the program cannot be run in a namespace; nothing when it can. */
const namespaceRefusal = async (program: Invocation, offline: boolean): Promise<string | undefined> => {
  if (process.platform !== "linux") return `no process namespaces on ${process.platform}`;
  if (!isMainThread) return "children of a worker thread would die with the thread";
  const { file, args } = inNamespace(program, offline);
  return await new Promise((resolve) => {
    execFile(file, args, { timeout: 5_000 }, (error, _stdout, stderr) => {
      const said = (stderr.trim() || error?.message)?.split("\n")[0] ?? "";
      resolve(error === null ? undefined : `no process namespace: ${said}`);
    });
  });
};

/** Keeps to itself what the shell says of the program's death; the program's own words go where they always go. */
const init = 'exec 3>&2 2>/dev/null; (exec "$@" 2>&3 3>&-); exit $?';

/** The same program inside a namespace of its own. `offline`: one without a network. */
export const inNamespace = ({ file, args }: Invocation, offline: boolean): Invocation => ({
  file: "setpriv",
  args: [
    ...["--pdeathsig", "KILL", "unshare", "--user", "--map-root-user", "--pid", ...(offline ? ["--net"] : [])],
    ...["--fork", "--kill-child", "sh", "-c", init, "sh", file, ...args],
  ],
});
