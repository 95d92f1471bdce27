/**
 * One command that runs to its end, like a project's tests: the same way of starting as a subprocess (argv only, named variables, a
 * group of its own on the guard's list), with a limit on its time and on what is kept of its output. Not here: protocols, restarts.
 *
 * @NOTE It is contained by a control group or its process group, never by a namespace: a user's tests must not find themselves root with
 * other process ids. Where there are no control groups, a descendant that leaves its group on purpose (`setsid`) can outlive it.
 */
import { probeContainment } from "../contain/containment.ts";
import { createByteRing } from "../protocol/output-tail.ts";
import type { EnvironmentSpec } from "../protocol/spec.ts";
import type { Exit, Fault } from "../protocol/subprocess-error.ts";
import { settlesWithin } from "./settles-within.ts";

export interface CommandSpec {
  /** A program, looked up in PATH when it has no slash. Never a shell's line. */
  readonly command: string;
  readonly args: readonly string[];
  /** An existing folder. */
  readonly cwd: string;
  readonly env?: EnvironmentSpec;
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

export type CommandEnd =
  | { readonly kind: "exited"; readonly exit: Exit }
  | { readonly kind: "timeout" }
  | { readonly kind: "canceled" }
  /** It was never started. */
  | Extract<Fault, { readonly kind: "missing" | "spawn" }>;

export interface CommandOutcome {
  readonly end: CommandEnd;
  /** What it printed, or the end of it. */
  readonly output: string;
  /** Bytes it printed that are not kept. */
  readonly cutBytes: number;
}

/**
 * Milliseconds that output may still come after the process itself has ended: a descendant that left the group may hold the pipes
 * for ever. Whoever takes stdout wants all of it.
 */
const lastWordsMs = { kept: 250, taken: 10_000 } as const;

/** Runs the command. When it resolves, no process of its group is left. Never rejects. */
export const runToEnd = async (spec: CommandSpec): Promise<CommandOutcome> => {
  const { signal, timeLimitMs, termMs = 2_000, outputBytes, onStdout } = spec;
  // execa is only loaded where something is started.
  const { launch } = await import("./launch.ts");
  if (signal?.aborted === true) return { end: { kind: "canceled" }, output: "", cutBytes: 0 };
  const { commands } = await probeContainment();
  const launched = launch(spec, { kind: commands, denials: [] });
  if (!launched.ok) return { end: notStarted(launched.fault), output: "", cutBytes: 0 };

  const { process: child } = launched;
  const kept = createByteRing(outputBytes);
  child.stdout.on("data", onStdout ?? kept.push);
  child.stderr.on("data", kept.push);
  // A pipe that breaks says no more than the exit that follows it.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
  child.stdin.end();

  const verdict = Promise.withResolvers<"timeout" | "canceled">();
  const timer = setTimeout(verdict.resolve, timeLimitMs, "timeout");
  const cancel = (): void => verdict.resolve("canceled");
  signal?.addEventListener("abort", cancel, { once: true });

  const first = await Promise.race([child.exited, verdict.promise]);
  clearTimeout(timer);
  signal?.removeEventListener("abort", cancel);
  if (typeof first === "string") {
    child.signal("SIGTERM");
    await settlesWithin(child.exited, termMs);
  }
  child.signal("SIGKILL");
  await child.exited;
  await settlesWithin(child.closed, onStdout === undefined ? lastWordsMs.kept : lastWordsMs.taken);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  child.release();
  return {
    end: typeof first === "string" ? { kind: first } : { kind: "exited", exit: first },
    output: kept.text(),
    cutBytes: Math.max(0, kept.total() - outputBytes),
  };
};

const notStarted = (fault: Fault): CommandEnd =>
  fault.kind === "missing" || fault.kind === "spawn" ? fault : { kind: "spawn", why: fault.kind };
