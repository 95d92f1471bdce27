/**
 * One command, from its words to its run: declares the flags to the argument parser, reads them, and hands them to the command. The parser's complaints become usage errors.
 */
import { Command, CommanderError, Option } from "commander";
import type { Io } from "../terminal/io.ts";
import type { CommandRow, KernelUse } from "./command.ts";
import { createContext } from "./context.ts";
import { UsageError } from "./failure.ts";
import { globalFlags } from "./global-flags.ts";

const everyCommand = "Flags of every command:";

/** Runs a command with the words that follow its name. */
export const runCommand = async (row: CommandRow, argv: readonly string[], io: Io): Promise<number> => {
  const { default: module } = await row.load();
  const command = new Command(`fairlead ${row.name}`)
    .description(`${row.summary}.`)
    .helpOption("-h, --help", "Show help");
  const own = command.createHelp();
  command.configureHelp({
    // A command's own options come first, then those of every command.
    groupItems: (unsorted, visible, group) => {
      const groups = own.groupItems(unsorted, visible, group);
      return new Map([...groups].toSorted(([a], [b]) => Number(a === everyCommand) - Number(b === everyCommand)));
    },
  });
  command.exitOverride().configureOutput({ writeOut: (text) => io.out(text), writeErr: () => undefined });
  module.define(command);
  command.optionsGroup(everyCommand);
  const shown = flagsOfUse[module.kernel ?? "calls"];
  for (const { flags, description, about } of globalFlags)
    command.addOption(new Option(flags, description).hideHelp(about !== undefined && !shown.includes(about)));
  try {
    command.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw usage(error, row, module.usageHint);
  }
  const context = createContext(command.opts(), io);
  return (await module.run(context, { args: command.args, flags: command.opts() })) ?? 0;
};

/** Flags that a command's help has. All of them are taken, so that an alias with `--url` in it does for every command. */
const flagsOfUse: Readonly<Record<KernelUse, readonly string[]>> = {
  calls: ["kernel", "address", "time"],
  runs: ["kernel"],
  stops: ["time"],
  none: [],
};

/** `error: unknown option '--jsn'\n(Did you mean --json?)` as a sentence and a hint. */
const usage = (error: CommanderError, row: CommandRow, usageHint?: string): UsageError => {
  const [message = "", ...more] = error.message.split("\n");
  const suggestion = more.join(" ").replace(/^\(D/, "d").replace(/\)$/, "").trim();
  const help = usageHint ?? `run \`fairlead ${row.name} --help\``;
  const hint = suggestion === "" ? help : suggestion;
  return new UsageError(message.replace(/^error: /, "").replace(/\.$/, ""), hint);
};
