/**
 * Runs one verification command: argv only, in a fixed folder, with an environment of named variables, in a process group of its
 * own that dies as a whole, and with limits on time and on what is kept of its output.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { limits } from "../limits.ts";
import { parseCommand } from "./allow-list.ts";

export interface CommandResult {
  readonly command: string;
  readonly success: boolean;
  /** What it printed on both streams, the end of it when there was much. */
  readonly output: string;
  readonly durationMs: number;
}

export interface CommandSetting {
  /** Absolute. */
  readonly folder: string;
  readonly timeLimitMs: number;
  /** Names of further variables it may see. */
  readonly environment: readonly string[];
  readonly signal?: AbortSignal;
  /** Milliseconds since some fixed moment. */
  readonly clock: () => number;
}

const graceMs = 2_000;

const always = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"];

/** Never rejects: what goes wrong is a failed command with the reason as its output. */
export const runCommand = (command: string, setting: CommandSetting): Promise<CommandResult> => {
  const verdict = parseCommand(command);
  const started = setting.clock();
  const result = (success: boolean, output: string): CommandResult => ({
    command,
    success,
    output,
    durationMs: Math.max(0, Math.round(setting.clock() - started)),
  });
  if (!verdict.ok) return Promise.resolve(result(false, `refused: ${verdict.why}`));
  if (setting.signal?.aborted === true) return Promise.resolve(result(false, "cancelled before it ran"));
  const [file, ...args] = verdict.argv;
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: setting.folder,
      env: environment(setting.environment),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const kept = tail(limits.largeText);
    let ended = "";
    const stop = (why: string) => () => {
      ended ||= why;
      killGroup(child);
    };
    const timer = setTimeout(stop(`timed out after ${setting.timeLimitMs} ms`), setting.timeLimitMs);
    const cancelled = stop("cancelled");
    setting.signal?.addEventListener("abort", cancelled, { once: true });
    child.stdout.on("data", kept.add);
    child.stderr.on("data", kept.add);
    const finish = (success: boolean, why: string): void => {
      clearTimeout(timer);
      setting.signal?.removeEventListener("abort", cancelled);
      signalGroup(child, "SIGKILL");
      resolve(result(success, why === "" ? kept.text() : `${kept.text()}\n[${why}]`));
    };
    child.on("error", (failure) => finish(false, failure.message));
    child.on("exit", () => setTimeout(() => child.stdout.destroy(), graceMs).unref());
    child.on("close", (code, signal) =>
      finish(
        code === 0 && ended === "",
        ended || (code === 0 ? "" : signal === null ? `exit code ${code}` : `ended by ${signal}`),
      ),
    );
  });
};

const environment = (further: readonly string[]): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    [...always, ...further].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  CI: "1",
  NO_COLOR: "1",
  TERM: "dumb",
});

/** The whole group: first asked, then, after a grace, killed. */
const killGroup = (child: ChildProcess): void => {
  signalGroup(child, "SIGTERM");
  setTimeout(() => signalGroup(child, "SIGKILL"), graceMs).unref();
};

const signalGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
};

/** Keeps the end of a stream within a number of characters. */
const tail = (most: number) => {
  let text = "";
  let cut = false;
  return {
    add: (chunk: Buffer): void => {
      text += chunk.toString("utf8");
      if (text.length <= most * 2) return;
      text = text.slice(-most);
      cut = true;
    },
    text: (): string => (cut || text.length > most ? `[cut off here]\n${text.slice(-most + 15)}` : text),
  };
};
