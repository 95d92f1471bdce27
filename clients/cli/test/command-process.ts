/** The `fairlead` command as a real process: what it wrote, and how it ended. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../bin/fairlead.js", import.meta.url));

export interface ExitResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ProcessOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

export interface CommandProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<ExitResult>;
  /** Resolves with stdout so far as soon as it matches; rejects when the process ends before. */
  until(pattern: RegExp): Promise<string>;
}

/** Starts it with an environment of its own: nothing of the caller's FAIRLEAD_ settings, state or colours. */
export const start = (args: readonly string[], options: ProcessOptions): CommandProcess =>
  startNode([bin, ...args], options);

/** The same for any program of Node's. */
export const startNode = (args: readonly string[], { cwd, env = {}, stdin }: ProcessOptions): CommandProcess => {
  const child = spawn(process.execPath, [...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      FAIRLEAD_LAG_MS: "60000",
      ...env,
    },
  });
  let out = "";
  let err = "";
  const watchers = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    for (const watcher of watchers) watcher();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = new Promise<ExitResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, out, err }));
  });
  if (stdin !== undefined) child.stdin.end(stdin);
  return {
    child,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(out)) resolve(out);
        };
        watchers.add(look);
        look();
        ended.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}: ${out}\n${err}`)), reject);
      }),
  };
};

/** Runs it to its end. */
export const run = (args: readonly string[], options: ProcessOptions): Promise<ExitResult> =>
  start(args, { stdin: "", ...options }).ended;

/** The last line of stderr, which is JSON after every failure. */
export const parseError = ({ err }: ExitResult): Readonly<Record<string, unknown>> => {
  const line: unknown = JSON.parse(err.trimEnd().split("\n").at(-1) ?? "");
  const error = typeof line === "object" && line !== null && "error" in line ? line.error : undefined;
  if (typeof error === "object" && error !== null) return { ...error };
  throw new Error(`no error line in ${err}`);
};

/** Stderr without the warnings that a kernel logs on a slow machine, such as that a service is still starting. */
export const errWithoutWarnings = ({ err }: ExitResult): string =>
  err.replaceAll(/^\{.*"level":"warn","message":"(?:the event loop was blocked|service is still starting).*\}\n/gm, "");
