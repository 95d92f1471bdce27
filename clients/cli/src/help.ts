/** Help for the whole, for groups of commands and for mistaken names, from lists of commands alone. One command's help is the parser's. Pure. */

import type { CommandRow } from "./command/command.ts";
import { groupCommands } from "./command/command-line.ts";
import { globalFlags } from "./command/global-flags.ts";
import { commands } from "./commands.ts";
import { nearest, suggestHint } from "./text/suggest.ts";

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
};

const commandTable = (rows: readonly CommandRow[]): string => table(rows.map(({ name, summary }) => [name, summary]));

/** `verbs`: what the project's services offer. */
export const rootHelp = (verbs: readonly CommandRow[]): string => `Usage: fairlead <command> [flags]

One contract and one service give a tRPC router, an MCP server, an HTTP API, typed clients and this command.

Commands:
${commandTable(commands)}
${verbs.length === 0 ? "" : `\nCommands of the services:\n${commandTable(verbs)}\n`}
Each procedure is a command as well: \`fairlead <service> <procedure> --help\`; \`fairlead ls\` lists them.

Flags of every command:
${table([...globalFlags.map(({ flags, description }) => [flags, description] as const), ["-h, --help", "Show help"]])}

Exit codes:
${table(exitTable)}

Examples:
  fairlead up
  fairlead weather forecast --city Bergen
  fairlead mcp serve --stdio
`;

export const groupHelp = (
  group: string,
  rows: readonly CommandRow[],
): string => `Usage: fairlead ${group} <command> [flags]

Commands:
${commandTable(groupCommands(group, rows))}
`;

/** What was meant by a word that begins no command. */
export const nearestHint = (word: string, names: readonly string[]): string => {
  const near = nearest(word, [...new Set(names.flatMap((name) => [name, name.split(" ")[0] ?? name]))]);
  return suggestHint([near && `\`fairlead ${near}\``], "run `fairlead --help` for the list");
};

/** What was meant by a word that is not a command of a group; `undefined` where none is near. */
export const groupNearestHint = (group: string, word: string, rows: readonly CommandRow[]): string | undefined => {
  const known = groupCommands(group, rows).map(({ name }) => name.slice(group.length + 1));
  const near = nearest(word, known);
  return near === undefined ? undefined : `did you mean \`fairlead ${group} ${near}\`?`;
};

const exitTable: readonly (readonly [string, string])[] = [
  ["0", "it worked"],
  ["1", "a defect"],
  ["2", "wrong usage or configuration"],
  ["3", "a token is missing or refused"],
  ["4", "unreachable, overloaded or timed out"],
  ["5", "the procedure answered with an error"],
  ["6", "not found"],
  ["7", "the input breaks the contract"],
  ["8", "a conflict; already there or already running"],
  ["9", "it worked and found something: drift, failed checks"],
  ["10", "it worked in part"],
  ["130", "interrupted"],
  ["143", "terminated"],
];
