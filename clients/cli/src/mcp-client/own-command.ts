/** Finds and runs a client's own command, as its user would. Not here: whether and with which words (`change.ts`). */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { CommandError } from "../command/failure.ts";
import type { Places } from "./clients.ts";

/** Absolute path of a program that a shell would find. */
export const findProgram = (name: string, { env, platform }: Places): string | undefined => {
  // A batch file cannot be started without a shell.
  const file = platform === "win32" ? `${name}.exe` : name;
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, file))
    .find(isExecutable);
};

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Milliseconds. */
const longest = 60_000;
/** Characters kept of what it printed. */
const longestOutput = 2_000;

interface CommandPlace {
  readonly cwd: string;
  readonly env: Places["env"];
  /** Where the client's file was copied to before. */
  readonly copy: string | undefined;
}

/** Resolves when it ended well. */
export const runCommand = (words: readonly string[], { cwd, env, copy }: CommandPlace): Promise<void> => {
  const [program = "", ...args] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"], timeout: longest });
    let output = "";
    const collect = (part: Buffer): void => {
      output = (output + part.toString("utf8")).slice(-longestOutput);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("error", (cause) => reject(commandFailed(words, cause.message, copy)));
    child.on("close", (code, signal) =>
      code === 0 ? resolve() : reject(commandFailed(words, output.trim() || `it ended with ${signal ?? code}`, copy)),
    );
  });
};

const commandFailed = (words: readonly string[], said: string, copy: string | undefined): CommandError =>
  new CommandError(
    { code: "failed_precondition", exit: 8 },
    {
      message: `${words.join(" ")} failed: ${said}`,
      hint: `with --edit the file is edited instead${copy === undefined ? "" : `; the file as it was: ${copy}`}`,
    },
  );
