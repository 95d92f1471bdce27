/**
 * What can follow the words on a command line: commands, services, procedures, flags. Reads the project's manifest; starts no kernel.
 *
 * Not here: what a shell does with it (`scripts.ts`).
 */
import { Command } from "commander";
import type { CommandRow } from "../command/command.ts";
import { findCommand, parseCommandLine } from "../command/command-line.ts";
import { createContext } from "../command/context.ts";
import { globalFlags } from "../command/global-flags.ts";
import { procedureRows, serviceIds } from "../procedure/procedures.ts";
import type { Io } from "../terminal/io.ts";
import { projectVerbs, verbRows } from "../verb/verbs.ts";

export interface Candidate {
  readonly word: string;
  readonly about: string;
}

/** For the last of the words, which may be empty; the command's own name is none of them. In the order of the lists, each once. */
export const completeWords = async (
  words: readonly string[],
  { commands, io }: { readonly commands: readonly CommandRow[]; readonly io: Io },
): Promise<readonly Candidate[]> => {
  const typed = words.at(-1) ?? "";
  const before = parseCommandLine(words.slice(0, -1));
  const [first, second] = before.positionals;
  const context = createContext(before.place, io);
  const verbs = verbRows(await projectVerbs(context));
  const ids = await serviceIds(context);
  const own = first !== undefined && ids.includes(first) ? await procedureRows(context, first) : [];
  const rows = [...commands, ...verbs, ...own];
  const found = findCommand(before.positionals, rows);
  const fitting = (candidates: readonly Candidate[]): readonly Candidate[] => {
    const seen = new Map(candidates.filter(({ word }) => word.startsWith(typed)).map((each) => [each.word, each]));
    return [...seen.values()];
  };
  if (typed.startsWith("-")) return fitting(found.kind === "command" ? await commandFlags(found.command) : everyFlag);
  if (found.kind === "none")
    return fitting([...nextWords(rows, []), ...ids.map((word) => ({ word, about: "Procedures of this service" }))]);
  if (found.kind === "group") return fitting(nextWords(rows, [found.group]));
  if (found.kind !== "command" || second !== undefined) return [];
  if (first === "ls" || first === "logs") return fitting(ids.map((word) => ({ word, about: "" })));
  if (first !== "call" && first !== "describe") return [];
  const procedures = (await Promise.all(ids.map((id) => procedureRows(context, id)))).flat();
  return fitting(procedures.map(({ name, summary }) => ({ word: name.replace(" ", "."), about: summary })));
};

/** The word of each command after those that are there. */
const nextWords = (rows: readonly CommandRow[], before: readonly string[]): readonly Candidate[] =>
  rows.flatMap(({ name, summary }) => {
    const words = name.split(" ");
    const word = words[before.length];
    if (word === undefined || before.some((each, at) => words[at] !== each)) return [];
    return [{ word, about: words.length === before.length + 1 ? summary : "" }];
  });

const longName = (flags: string): string => /--[a-z0-9-]+/.exec(flags)?.[0] ?? flags;

const everyFlag: readonly Candidate[] = [
  ...globalFlags.map(({ flags, description }) => ({ word: longName(flags), about: description })),
  { word: "--help", about: "Show help" },
];

/** Flags of a command, then those of every command. */
const commandFlags = async (row: CommandRow): Promise<readonly Candidate[]> => {
  const command = new Command();
  (await row.load()).default.define(command);
  const own = command.options.map(({ flags, description }) => ({ word: longName(flags), about: description }));
  return [...own, ...everyFlag];
};
