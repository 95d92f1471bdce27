/** What a command is: its row in the list, and the module that is loaded when it is run. */
import type { Command } from "commander";
import type { PlainWords } from "./command-line.ts";
import type { Context } from "./context.ts";

/** What the parser read, in the parser's own loose types; commands take their flags from it with `flagsOf`. */
export interface ParsedArguments {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface CommandModule {
  /** Adds arguments, flags and examples to the parser's command. */
  define(command: Command): void;
  /** What to do after words that the parser does not take, where `--help` is not the shortest answer. */
  readonly usageHint?: string;
  /** Does the work. Gives the exit code, 0 when it gives none. */
  run(context: Context, parsed: ParsedArguments): Promise<number | undefined>;
}

export interface CommandRow {
  /** As typed; a command of a group has two words. */
  readonly name: string;
  readonly summary: string;
  readonly plain?: PlainWords;
  readonly load: () => Promise<{ readonly default: CommandModule }>;
}
