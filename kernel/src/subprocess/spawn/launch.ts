/**
 * Starts a process: argv only, a cleared environment, a group of its own, watched by the guard before it begins and contained where
 * possible.
 *
 * The process's own `exit` event decides, since a descendant may hold its pipes for long. Not here: finding the program
 * (`program.ts`), the start itself (`start-process.ts`), talking, and how a process is ended (`ending.ts`).
 */
import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import * as Effect from "effect/Effect";
import { type CommandLine, type Containment, type Hold, inNamespace, refuseFolders } from "../contain/containment.ts";
import { type ControlGroup, controlGround, makeControlGroup } from "../contain/control-group.ts";
import { environment, type SubprocessLimits, type SubprocessSpec } from "../protocol/spec.ts";
import type { Exit, Fault } from "../protocol/subprocess-error.ts";
import { guard } from "./guard.ts";
import { makeProcessEvent } from "./process-event.ts";
import { findProgram } from "./program.ts";
import { startFailure, startPiped } from "./start-process.ts";

export interface Process {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The process itself ended; descendants may still run. */
  readonly exited: Effect.Effect<Exit>;
  /** Its output ended too. */
  readonly closed: Effect.Effect<void>;
  /** Signals the whole group, also after the process itself ended. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
  /** Takes the group off the guard's list, after it is gone. */
  release(): void;
}

/** What is started. */
export type Program = Pick<SubprocessSpec, "command" | "args" | "cwd" | "env" | "deny" | "folders"> & {
  /** In a namespace it runs as who started the kernel. */
  readonly asUser?: boolean;
  readonly limits?: Pick<Partial<SubprocessLimits>, "addressBytes">;
};

/** What holds it, out of what can be had. */
export type ContainmentKind = Pick<Containment, "kind" | "denials">;

/** Starts it, or fails with the reason why there is nothing to start. */
export const launch = (spec: Program, containment: ContainmentKind): Effect.Effect<Process, Fault> =>
  Effect.suspend(() => {
    if (!isFolder(spec.cwd)) return Effect.fail({ kind: "missing", what: "folder", path: spec.cwd });
    const env = environment(spec.env ?? {}, process.env);
    const found = findProgram(spec.command, { cwd: spec.cwd, path: env.PATH ?? "" });
    return found.ok ? start(spec, { file: found.file, env, containment }) : Effect.fail(found.fault);
  });

interface LaunchPlan {
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly containment: ContainmentKind;
}

const start = (spec: Program, { file, env, containment }: LaunchPlan): Effect.Effect<Process, Fault> => {
  const { kind, denials } = containment;
  const deny = denials.filter((one) => spec.deny?.includes(one));
  const refused = deny.includes("writing") ? refuseFolders(spec.folders ?? {}) : undefined;
  if (refused !== undefined) return Effect.fail({ kind: "spawn", why: `it cannot be held: ${refused}` });
  const group = kind === "cgroup" ? controlGroup() : undefined;
  if (typeof group === "string") return Effect.fail({ kind: "spawn", why: group });
  const plain = { file, args: spec.args };
  const inside = kind === "namespace" ? inNamespace(plain, deny, spec) : plain;
  const child = startPiped(withMemoryLimit(inside, spec.limits?.addressBytes), { cwd: spec.cwd, env });
  const { pid } = child;
  if (pid === undefined) {
    group?.release();
    return Effect.flatMap(
      Effect.promise(() => child),
      (result) => Effect.fail({ kind: "spawn", why: startFailure(result) }),
    );
  }
  guard.watch(pid);
  group?.take(pid);
  if (gated) child.stdin.write("\n");

  const exited = makeProcessEvent<Exit>();
  const closed = makeProcessEvent<void>();
  child.nodeChildProcess
    .once("exit", (code, signal) => exited.succeed(toExit(code, signal, kind)))
    .once("close", () => closed.succeed(undefined));
  return Effect.succeed({
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited: exited.wait,
    closed: closed.wait,
    signal: (name) => {
      child.kill(name);
      if (name === "SIGKILL") group?.kill();
    },
    release: () => {
      guard.forget(pid);
      group?.release();
    },
  });
};

const gated = process.platform !== "win32";

/**
 * The same program behind a gate: it begins when a line has come, which is sent once the guard has the group on its list. If the
 * kernel dies in between, the input ends and nothing begins. `read` takes no byte more than its line. A limit on memory that
 * the system has set lower already stays.
 */
const withMemoryLimit = ({ file, args }: CommandLine, addressBytes: number | undefined): CommandLine => {
  if (!gated) return { file, args };
  const limit = addressBytes === undefined ? "" : `ulimit -v ${Math.ceil(addressBytes / 1024)} 2>/dev/null; `;
  return { file: "/bin/sh", args: ["-c", `read -r go && ${limit}exec "$@"`, "sh", file, ...args] };
};

/** A control group for one child, or why it cannot be had. */
const controlGroup = (): ControlGroup | string => {
  const ground = controlGround();
  if (!ground.ok) return ground.why;
  guard.watch(ground.folder);
  try {
    return makeControlGroup(ground.folder);
  } catch (error) {
    return `its control group could not be made: ${String(error)}`;
  }
};

/** The shell inside a namespace reports a signal as 128 + its number. */
const toExit = (code: number | null, signal: NodeJS.Signals | null, kind: Hold): Exit => {
  if (signal !== null) return { signal };
  if (code === null) return {};
  const inner = kind === "namespace" ? signalNames[code - 128] : undefined;
  return inner === undefined ? { code } : { signal: inner };
};

const signalNames: Readonly<Partial<Record<number, NodeJS.Signals>>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
