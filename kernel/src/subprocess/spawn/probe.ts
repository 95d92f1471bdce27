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
const probe = (attempt: NamespaceTry): Promise<Containment> =>
  attempt(all)
    .then((together) => (together === undefined ? { denials: all, failed: [] } : probeEach(attempt, together)))
    .then((found) => strongest(controlGround(), found));

/** @param together why not all of it can be denied in one; what took too long there is not tried again */
const probeEach = (attempt: NamespaceTry, together: FailedTry): Promise<TryResults> =>
  attempt([]).then((none) => {
    if (none !== undefined) return { denials: [], failed: [none], refused: none.why };
    const tries = all.map((one) =>
      one === "writing" && together.isTimeout ? Promise.resolve(together) : attempt([one]),
    );
    return Promise.all(tries).then((answers) => ({
      denials: all.filter((_, at) => answers[at] === undefined),
      failed: answers.flatMap((one, at) =>
        one === undefined ? [] : [{ ...one, why: `${all[at]} cannot be denied: ${one.why}` }],
      ),
    }));
  });

interface TryResults {
  readonly denials: readonly Denial[];
  readonly failed: readonly FailedTry[];
  /** Why there are no namespaces; nothing where there are. */
  readonly refused?: string;
}

const strongest = (ground: Ground, { denials, failed, refused }: TryResults): Containment => {
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

const tryNamespace: NamespaceTry = (deny) => {
  const refuse = (why: string) => Promise.resolve({ why, isTimeout: false });
  if (process.platform !== "linux") return refuse(`no process namespaces on ${process.platform}`);
  if (!isMainThread) return refuse("children of a worker thread would die with the thread");
  return import("./start-process.ts")
    .then(({ tryCommand }) => tryCommand(inNamespace({ file: "true", args: [] }, deny), timeLimitMs))
    .then((failed) => failed && { ...failed, why: `no process namespace: ${failed.why}` });
};

/** Tries what can be had; later calls give the same answer once it is known. */
export const probeContainment: () => Promise<Containment> = createProbe(tryNamespace);
