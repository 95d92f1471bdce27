/**
 * Runs one verification command: from the allow-list, argv only, in a fixed folder, with an environment of named variables, under
 * the kernel's guard, so that its process group ends with it, at its time limit, and with this process, even a killed one.
 */
import { type CommandEnd, runToEnd } from "@fairlead/kernel/subprocess";
import { limits } from "../value/limits.ts";
import { parseCommand } from "./allow-list.ts";
import { type QaNetwork, wrapCommand } from "./network.ts";

export interface CommandResult {
  readonly command: string;
  readonly success: boolean;
  /** What it printed on both streams, only the end when it is long. */
  readonly output: string;
  readonly durationMs: number;
}

interface CommandOptions {
  /** Absolute. */
  readonly folder: string;
  readonly timeLimitMs: number;
  /** Names of further variables it may see. */
  readonly environment: readonly string[];
  /** Further variables that it gets. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly network?: QaNetwork | undefined;
  readonly signal?: AbortSignal;
  /** Milliseconds since some fixed moment. */
  readonly clock: () => number;
}

const defaultVariables = ["LC_ALL", "TMPDIR"];

/** Room for the words around an output. */
const outputBytes = limits.largeText - 1_024;

/** Never rejects: what goes wrong is a failed command with the reason as its output. */
export const runCommand = async (command: string, options: CommandOptions): Promise<CommandResult> => {
  const verdict = parseCommand(command);
  return verdict.ok
    ? { command, ...(await runProgram(verdict.argv, options)) }
    : { command, success: false, output: `refused: ${verdict.why}`, durationMs: 0 };
};

/** The same for a program that the server's configuration has chosen. */
export const runProgram = async (
  argv: readonly [string, ...string[]],
  { folder, timeLimitMs, environment, variables, network = "host", signal, clock }: CommandOptions,
): Promise<Omit<CommandResult, "command">> => {
  const started = clock();
  const result = (success: boolean, output: string) => ({
    success,
    output,
    durationMs: Math.max(0, Math.round(clock() - started)),
  });
  const wrapped = await wrapCommand(network, argv);
  if (!wrapped.ok) return result(false, `not run: ${wrapped.why}`);
  const [command, ...args] = wrapped.argv;
  const { end, output, cutBytes } = await runToEnd({
    command,
    args,
    cwd: folder,
    env: {
      pass: [...defaultVariables, ...environment],
      set: { CI: "1", NO_COLOR: "1", TERM: "dumb", ...variables },
    },
    timeLimitMs,
    outputBytes,
    ...(signal !== undefined && { signal }),
  });
  const why = describeFailure(end, timeLimitMs);
  const kept = cutBytes > 0 ? `[cut off here]\n${output}` : output;
  return result(why === "", why === "" ? kept : `${kept}\n[${why}]`);
};

/** Empty for success. */
const describeFailure = (end: CommandEnd, timeLimitMs: number): string => {
  switch (end.kind) {
    case "exited":
      if (end.exit.code === 0) return "";
      return end.exit.signal === undefined ? `exit code ${end.exit.code}` : `ended by ${end.exit.signal}`;
    case "timeout":
      return `timed out after ${timeLimitMs} ms`;
    case "canceled":
      return "cancelled";
    case "missing":
      return end.what === "permission"
        ? `${end.path} is not executable: run \`chmod +x\` on it`
        : `the ${end.what} ${end.path} is not there`;
    case "unrunnable":
      return `${end.path} cannot be executed: ${end.why}`;
    case "spawn":
      return end.why;
  }
};
