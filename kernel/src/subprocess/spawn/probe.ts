/**
 * What can hold a child on this system, found by trying it: containers often forbid the stronger kinds. A try that ends is remembered; one that
 * took too long on a busy system is made again by the next call. Not here: what the kinds are (`containment.ts`), and how a process is
 * started (`start-process.ts`, loaded where something is).
 *
 * @NOTE `pdeathsig` follows the thread that spawns, so namespaces are only for children of the main thread.
 */
import { isMainThread } from "node:worker_threads";
import { type Containment, type Denial, inNamespace } from "../contain/containment.ts";
import { controlGround, type Ground } from "../contain/control-group.ts";
import type { FailedTry } from "./start-process.ts";

/** Why no program can be run in a namespace with these denials; nothing when it can. */
type NamespaceTry = (deny: readonly Denial[]) => Promise<FailedTry | undefined>;

/** Denying writing starts a process for each mount: seconds on a machine with much else to do. */
const timeLimitMs = 15_000;

const all: readonly Denial[] = ["network", "writing"];

/** A probe that remembers what it has found, as soon as all of it is known. */
export const createProbe = (attempt: NamespaceTry): (() => Promise<Containment>) => {
  let known: Promise<Containment> | undefined;
  return () => {
    known ??= probe(attempt).then((found) => {
      if (found.undecided !== undefined) known = undefined;
      return found;
    });
    return known;
  };
};

/** All of it in one command, which is enough on most systems; by itself each of them only where that one fails. */
const probe = async (attempt: NamespaceTry): Promise<Containment> => {
  const ground = controlGround();
  const together = await attempt(all);
  if (together === undefined) return strongest(ground, { denials: all, failed: [] });
  const refused = await attempt([]);
  if (refused !== undefined) return strongest(ground, { denials: [], failed: [refused], refused: refused.why });
  const failed: FailedTry[] = [];
  const denials: Denial[] = [];
  for (const one of all) {
    const found = one === "writing" && together.isTimeout ? together : await attempt([one]);
    if (found === undefined) denials.push(one);
    else failed.push({ ...found, why: `${one} cannot be denied: ${found.why}` });
  }
  return strongest(ground, { denials, failed });
};

interface Found {
  readonly denials: readonly Denial[];
  readonly failed: readonly FailedTry[];
  /** Why there are no namespaces; nothing where there are. */
  readonly refused?: string;
}

const strongest = (ground: Ground, { denials, failed, refused }: Found): Containment => {
  const commands = ground.ok ? "cgroup" : "group";
  const late = failed.filter(({ isTimeout }) => isTimeout).map(({ why }) => why);
  const undecided = late.length === 0 ? {} : { undecided: `the system is too busy to find out: ${late.join("; ")}` };
  if (refused === undefined) {
    const why = failed.map((one) => `; ${one.why}`).join("");
    const detail = `setpriv --pdeathsig, unshare --pid --kill-child${why}`;
    return { kind: "namespace", commands, denials, detail, ...undecided };
  }
  if (ground.ok) return { kind: "cgroup", commands, denials: [], detail: ground.folder, ...undecided };
  return {
    kind: "group",
    commands,
    denials: [],
    detail: `${refused}; ${ground.why}`,
    ...undecided,
    ...(process.platform === "linux" && {
      fix: "install util-linux 2.32 or newer and allow unprivileged user namespaces, or run it in a delegated control group",
    }),
  };
};

const tryNamespace: NamespaceTry = async (deny) => {
  if (process.platform !== "linux") return { why: `no process namespaces on ${process.platform}`, isTimeout: false };
  if (!isMainThread) return { why: "children of a worker thread would die with the thread", isTimeout: false };
  const { tryCommand } = await import("./start-process.ts");
  const failed = await tryCommand(inNamespace({ file: "true", args: [] }, deny), timeLimitMs);
  return failed && { ...failed, why: `no process namespace: ${failed.why}` };
};

/** Tries what can be had; later calls give the same answer once it is known. */
export const probeContainment: () => Promise<Containment> = createProbe(tryNamespace);
