/**
 * The `fairlead` command as a real process in a group of its own, so that a test can tell whether anything outlived it.
 *
 * Not here: what is asked of it (the tests).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Root of this repository. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The command as it stands in this repository. */
export const ownBin = fileURLToPath(new URL("../../clients/cli/bin/fairlead.js", import.meta.url));

export interface Command {
  /** Path of `fairlead.js`. */
  readonly bin: string;
  readonly cwd: string;
  /** Further variables; of the caller's own, only what every program needs is passed on. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the output so far as soon as it matches; rejects when the process ends before. */
  until(pattern: RegExp): Promise<string>;
  /** True while any process of its group lives. */
  groupLives(): boolean;
}

export const environmentOf = ({ env = {} }: Pick<Command, "env">): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  // A busy machine is not an overload of the kernel's.
  FAIRLEAD_LAG_MS: "60000",
  ...env,
});

export const start = (command: Command, args: readonly string[]): Started => {
  const child = spawn(process.execPath, [command.bin, ...args], {
    cwd: command.cwd,
    env: environmentOf(command),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
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
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
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
    groupLives: () => {
      try {
        return child.pid !== undefined && process.kill(-child.pid, 0);
      } catch {
        return false;
      }
    },
  };
};

/** Runs it to its end. */
export const run = (command: Command, args: readonly string[]): Promise<Ended> => start(command, args).ended;

/** Ends what a failed test left running. */
export const stop = async ({ child, ended }: Started): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  await ended;
};
