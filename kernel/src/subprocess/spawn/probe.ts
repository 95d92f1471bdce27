/**
 * What can hold a child on this system, found once by trying it: containers often forbid the stronger kinds. Not here: what the kinds are
 * (`containment.ts`), and how a process is started (`start-process.ts`, loaded where something is).
 *
 * @NOTE `pdeathsig` follows the thread that spawns, so namespaces are only for children of the main thread.
 */
import { isMainThread } from "node:worker_threads";
import { type Containment, type Denial, inNamespace } from "../contain/containment.ts";
import { controlGround, type Ground } from "../contain/control-group.ts";

let known: Promise<Containment> | undefined;

/** Tries once what can be had; later calls give the same answer. */
export const probeContainment = (): Promise<Containment> => {
  known ??= probe();
  return known;
};

const denials: readonly Denial[] = ["network", "writing"];

const probe = (): Promise<Containment> =>
  Promise.all([[], ...denials.map((one) => [one])].map(namespaceRefusal)).then(([refused, ...refusals]) => {
    const ground = controlGround();
    const denied = denials.filter((_, i) => refusals[i] === undefined);
    return strongest(ground, denied, refused);
  });

/** @param refused why there are no namespaces; nothing where there are */
const strongest = (ground: Ground, denied: readonly Denial[], refused: string | undefined): Containment => {
  const commands = ground.ok ? "cgroup" : "group";
  if (refused === undefined) {
    const detail = "setpriv --pdeathsig, unshare --pid --kill-child";
    return { kind: "namespace", commands, denials: denied, detail };
  }
  if (ground.ok) return { kind: "cgroup", commands, denials: [], detail: ground.folder };
  return {
    kind: "group",
    commands,
    denials: [],
    detail: `${refused}; ${ground.why}`,
    ...(process.platform === "linux" && {
      fix: "install util-linux 2.32 or newer and allow unprivileged user namespaces, or run it in a delegated control group",
    }),
  };
};

/** Why no program can be run in a namespace with these denials; nothing when it can. */
const namespaceRefusal = (deny: readonly Denial[]): Promise<string | undefined> => {
  if (process.platform !== "linux") return Promise.resolve(`no process namespaces on ${process.platform}`);
  if (!isMainThread) return Promise.resolve("children of a worker thread would die with the thread");
  return import("./start-process.ts")
    .then(({ tryCommand }) => tryCommand(inNamespace({ file: "true", args: [] }, deny), 5_000))
    .then((why) => (why === undefined ? undefined : `no process namespace: ${why}`));
};
