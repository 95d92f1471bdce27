/**
 * One command that runs to its end, like a project's tests: the same way of starting as a subprocess (argv only, named variables, a
 * group of its own on the guard's list), with a limit on its time and on what is kept of its output. Not here: protocols, restarts.
 *
 * @NOTE It is contained by a control group or its process group, and by a namespace only where it is denied something: a user's tests must not
 * find themselves with other process ids. Where there are no control groups, a descendant that leaves its group on purpose (`setsid`) can outlive it.
 */
import * as Effect from "effect/Effect";
import type { Containment, Denial, FolderAccess } from "../contain/containment.ts";
import { createByteRing } from "../protocol/output-tail.ts";
import type { EnvironmentSpec } from "../protocol/spec.ts";
import type { Exit, Fault } from "../protocol/subprocess-error.ts";
import { cleanUp, defaultStop, endProcess } from "./ending.ts";
import type { ContainmentKind, Process } from "./launch.ts";
import { probeContainment } from "./probe.ts";

/** A program to run once, with its input and limits. */
export interface CommandSpec {
  /** A program, looked up in PATH when it has no slash. Never a shell's line. */
  readonly command: string;
  readonly args: readonly string[];
  /** An existing folder. */
  readonly cwd: string;
  readonly env?: EnvironmentSpec;
  /** What it has to do without. Where the system cannot deny that, it is not started. It runs as who started the kernel. */
  readonly deny?: readonly Denial[];
  /** Folders that are exceptions where it is denied writing. */
  readonly folders?: FolderAccess;
  /** What it reads on its input, which ends there; nothing when left out. */
  readonly input?: string;
  /** Milliseconds it may take. */
  readonly timeLimitMs: number;
  /** Milliseconds between SIGTERM and SIGKILL once its time is over. Default 2,000. */
  readonly termMs?: number;
  /** The last bytes kept of both streams together. */
  readonly outputBytes: number;
  /** Takes stdout as it comes, all of it; what is kept is then stderr alone. */
  readonly onStdout?: (chunk: Uint8Array) => void;
  readonly signal?: AbortSignal;
}

/** How a command ended. */
export type CommandEnd =
  | { readonly kind: "exited"; readonly exit: Exit }
  | { readonly kind: "timeout" }
  | { readonly kind: "canceled" }
  /** It was never started. */
  | Extract<Fault, { readonly kind: "missing" | "unrunnable" | "spawn" }>;

/** The end of a command and what it printed. */
export interface CommandOutcome {
  readonly end: CommandEnd;
  /** What it printed, or the end of it. */
  readonly output: string;
  /** Bytes it printed that are not kept. */
  readonly cutBytes: number;
}

/** Milliseconds that output may still come after the process itself has ended, for whoever takes stdout and wants all of it. */
const takenOutputMs = 10_000;

type Interruption = Extract<CommandEnd, { readonly kind: "timeout" | "canceled" }>;

/** Runs the command. When it completes, no process of its group is left. */
export const runCommand = (spec: CommandSpec): Effect.Effect<CommandOutcome> =>
  Effect.gen(function* () {
    // execa is only loaded where something is started.
    const { launch } = yield* Effect.promise(() => import("./launch.ts"));
    const held = holdCommand(spec.deny ?? [], yield* Effect.promise(probeContainment));
    if (spec.signal?.aborted === true) return withoutOutput({ kind: "canceled" });
    if (typeof held === "string") return withoutOutput({ kind: "spawn", why: held });
    return yield* Effect.matchEffect(launch({ ...spec, asUser: true }, held), {
      onSuccess: (process) => attend(spec, process),
      onFailure: (fault) => Effect.succeed(withoutOutput(notStarted(fault))),
    });
  });

/** What holds it, or why it cannot be held. */
const holdCommand = (deny: readonly Denial[], found: Containment): ContainmentKind | string => {
  if (deny.length === 0) return { kind: found.commands, denials: [] };
  const missing = deny.filter((one) => !found.denials.includes(one));
  if (missing.length > 0) return `it cannot be denied ${missing.join(" and ")} here: ${found.detail}`;
  return { kind: "namespace", denials: deny };
};

const attend = Effect.fnUntraced(function* (spec: CommandSpec, child: Process) {
  const { input, termMs = defaultStop.termMs, outputBytes, onStdout } = spec;
  const kept = createByteRing(outputBytes);
  child.stdout.on("data", onStdout ?? kept.push);
  child.stderr.on("data", kept.push);
  // A pipe that breaks says no more than the exit that follows it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
  child.stdin.end(input);
  const exited = Effect.map(child.exited, (exit): CommandEnd => ({ kind: "exited", exit }));
  const end = yield* Effect.raceFirst(exited, interruption(spec));
  yield* endProcess(child, { graceMs: 0, termMs });
  yield* cleanUp(child, onStdout === undefined ? undefined : takenOutputMs);
  return { end, output: kept.text(), cutBytes: Math.max(0, kept.total() - outputBytes) };
});

/** Completes when its time is over or its caller gives up. */
const interruption = ({ timeLimitMs, signal }: CommandSpec): Effect.Effect<Interruption> => {
  const timeout = Effect.as(Effect.sleep(timeLimitMs), { kind: "timeout" } as const);
  if (signal === undefined) return timeout;
  const canceled = Effect.callback<Interruption>((resume) => {
    const cancel = (): void => resume(Effect.succeed({ kind: "canceled" }));
    signal.addEventListener("abort", cancel, { once: true });
    return Effect.sync(() => signal.removeEventListener("abort", cancel));
  });
  return Effect.raceFirst(timeout, canceled);
};

const withoutOutput = (end: CommandEnd): CommandOutcome => ({ end, output: "", cutBytes: 0 });

const notStarted = (fault: Fault): CommandEnd =>
  fault.kind === "missing" || fault.kind === "unrunnable" || fault.kind === "spawn"
    ? fault
    : { kind: "spawn", why: fault.kind };
