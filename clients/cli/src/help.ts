/** Help for the whole and for groups of commands, from the list of commands alone. One command's help is the parser's. Pure. */

import { globalFlags } from "./command/global-flags.ts";
import { commands, ofGroup } from "./commands.ts";

const table = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
};

export const rootHelp = (): string => `Usage: fairlead <command> [flags]

One contract and one service give a tRPC router, an MCP server, an HTTP API, typed clients and this command.

Commands:
${table(commands.map(({ name, summary }) => [name, summary]))}

Flags of every command:
${table([...globalFlags.map(({ flags, description }) => [flags, description] as const), ["-h, --help", "Show help"]])}

Exit codes:
${table(exitTable)}

Examples:
  fairlead up
  fairlead call rules.resolveAttack -d @examples/attack.json
  fairlead mcp serve --stdio
`;

export const groupHelp = (group: string): string => `Usage: fairlead ${group} <command> [flags]

Commands:
${table(ofGroup(group).map(({ name, summary }) => [name, summary]))}
`;

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
