/**
 * Texts of services that name MCP tools, for who types commands: each tool by the command that does the same. Pure.
 *
 * Services name tools because models read them first. What a program reads, with `--json` or from `call`, is left as it is.
 */
import { verbs } from "./session-verbs.ts";

/** Full procedure names by the names of their tools. */
export type Tools = ReadonlyMap<string, string>;

/** Tools whose name is one plain word are no different from that word. A name after a dot is something else's. */
const toolName = /(?<![\w.`])(`?)([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\1(?!\w)/g;

/** Whether there may be a tool in it. */
export const namesTools = (text: string): boolean => text.search(toolName) !== -1;

export const inCommands = (text: string, tools: Tools): string =>
  text.replace(toolName, (whole, _, tool: string) => {
    const procedure = tools.get(tool);
    return procedure === undefined ? whole : `\`fairlead ${commandOf(procedure)}\``;
  });

const commandOf = (procedure: string): string =>
  verbs.find((verb) => verb.procedure === procedure)?.name ?? `call ${procedure}`;
