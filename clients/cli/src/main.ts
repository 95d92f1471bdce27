/**
 * From the words on the command line to an exit code: finds the command, loads it and nothing else, runs it, and says what went
 * wrong if something did.
 *
 * Help for the whole and mistakes in the command's name are answered here, without the argument parser or the kernel.
 */

import { splitWords } from "./command/command-line.ts";
import { report, UsageError } from "./command/failure.ts";
import { findCommand } from "./commands.ts";
import { groupHelp, rootHelp } from "./help.ts";
import { type Io, processIo } from "./terminal/io.ts";

export const main = async (argv: readonly string[], io: Io): Promise<number> => {
  const words = splitWords(argv[0] === "help" ? [...argv.slice(1), "--help"] : argv);
  try {
    const found = findCommand(words.positionals);
    switch (found.kind) {
      case "none":
        if (words.help || argv.length === 0) io.out(rootHelp());
        else throw new UsageError(`no command was given, only ${argv.join(" ")}`, "run `fairlead --help` for the list");
        return 0;
      case "group":
        if (!words.help) throw new UsageError(`\`fairlead ${found.group}\` needs a command after it`, found.hint);
        io.out(groupHelp(found.group));
        return 0;
      case "unknown":
        throw new UsageError(found.message, found.hint);
      case "command": {
        const { runCommand } = await import("./command/program.ts");
        return await runCommand(found.command, words.without(found.command.name.split(" ")), io);
      }
    }
  } catch (error) {
    return await report(error, words, io);
  }
};

/** Called by `bin/fairlead.js`. */
export const start = async (): Promise<void> => {
  const io = processIo();
  process.on("uncaughtException", (error) => {
    report(error, splitWords(process.argv.slice(2)), io).finally(() => process.exit(1));
  });
  const code = await main(process.argv.slice(2), io);
  await io.flush();
  process.exit(code);
};
