/**
 * The one place where processes are started, all of them by execa: argv only, never a shell's line, and the variables that are named.
 *
 * execa gives what is the same for every process: messages of a start that failed, signals to a whole group (on Windows the tree), the time
 * limit of a short command, and a line for every start and end on stderr with `NODE_DEBUG=execa`. Its promise is not waited for where a
 * process is supervised, since it stays open as long as a descendant holds the pipes; ADR 0112 says what is used instead, and why.
 */
import { getSystemErrorMessage } from "node:util";
import { execa, type Result } from "execa";
import type { CommandLine } from "../contain/containment.ts";

interface StartOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const common = {
  encoding: "buffer",
  reject: false,
  cleanup: false,
  extendEnv: false,
  stripFinalNewline: false,
  windowsHide: true,
} as const;

/** A process in a group of its own, whose streams are read as bytes and not kept. */
export const startPiped = ({ file, args }: CommandLine, { cwd, env }: StartOptions) =>
  execa(file, [...args], {
    ...common,
    cwd,
    env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
    buffer: false,
    killDescendants: true,
    forceKillAfterDelay: false,
  });

/** A process of Node in a group of its own that is joined by a channel for messages, as a structured clone carries them. What it prints goes to stderr. */
export const startConnected = ({ file, args }: CommandLine, { cwd, env }: StartOptions) =>
  execa(file, [...args], {
    ...common,
    cwd,
    env,
    stdin: "ignore",
    stdout: process.stderr,
    stderr: "inherit",
    ipc: true,
    serialization: "advanced",
    buffer: false,
    killDescendants: true,
    forceKillAfterDelay: false,
  });

/** A process in a session of its own that this one does not wait for: it has an input and nothing else. */
export const startDetached = ({ file, args }: CommandLine) => {
  const { nodeChildProcess, stdin } = execa(file, [...args], {
    ...common,
    cwd: "/",
    env: {},
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    buffer: false,
    detached: true,
  });
  nodeChildProcess.unref();
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return { process: nodeChildProcess, stdin };
};

/** Why a short command failed. */
export interface FailedTry {
  readonly why: string;
  /** Its time was over: that says nothing about the system. */
  readonly isTimeout: boolean;
}

/** Runs a short command and says why it failed: the first line of its stderr, or what the system says. Nothing when it did not. */
export const tryCommand = ({ file, args }: CommandLine, timeLimitMs: number): Promise<FailedTry | undefined> =>
  execa(file, [...args], {
    ...common,
    env: process.env,
    encoding: "utf8",
    stdin: "ignore",
    timeout: timeLimitMs,
    killDescendants: true,
  }).then((result) => {
    if (!result.failed) return undefined;
    if (result.timedOut) return { why: `no answer within ${timeLimitMs} ms`, isTimeout: true };
    return { why: result.stderr?.trim().split("\n")[0] || startFailure(result), isTimeout: false };
  });

/** Why a process did not start: `spawn E2BIG: argument list too long`. */
export const startFailure = ({ cause, originalMessage, shortMessage }: FailedStart): string => {
  const errno = cause instanceof Error && "errno" in cause ? cause.errno : undefined;
  const explained = typeof errno === "number" ? `: ${getSystemErrorMessage(errno)}` : "";
  return `${originalMessage || shortMessage || "the system refused it"}${explained}`;
};

type FailedStart = Pick<Result, "cause" | "originalMessage" | "shortMessage">;
