/** What a command is: its row in the list, and the module that is loaded when it is run. */
import type { Command } from "commander";
import type { PlainWords } from "./command-line.ts";
import type { Context } from "./context.ts";

/** What the parser read, in the parser's own loose types; commands take their flags from it with `flagsOf`. */
export interface ParsedArguments {
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/** What a command has to do with kernels: it calls one, it runs one itself, it only looks for one (with a time limit), or none. */
export type KernelUse = "calls" | "runs" | "stops" | "none";

export interface CommandModule {
  /** Which of the flags that every command takes are in its help. Default: `calls`, all of them. */
  readonly kernel?: KernelUse;
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
