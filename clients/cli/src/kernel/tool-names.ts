/**
 * Texts of services that name MCP tools, for who types commands: each tool by the command that does the same. Pure.
 *
 * Services name tools because models read them first. What a program reads, with `--json` or from `call`, is left as it is.
 */
import type { NamedVerb } from "@fairlead/contracts";
import type { ToolNames } from "./connection.ts";

/** What the kernel's tools are on the command line. */
export interface CommandNames {
  readonly tools: ToolNames;
  readonly verbs: readonly Pick<NamedVerb, "name" | "service" | "steps">[];
}

/** Tools whose name is one plain word are no different from that word. A name after a dot is something else's. */
const toolName = /(?<![\w.`])(`?)([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\1(?!\w)/g;

/** Whether there may be a tool in it. */
export const mentionsTools = (text: string): boolean => text.search(toolName) !== -1;

/** The text with commands in place of the tools that it names. */
export const replaceToolNames = (text: string, { tools, verbs }: CommandNames): string =>
  text.replace(toolName, (whole, _, tool: string) => {
    const procedure = tools.get(tool);
    if (procedure === undefined) return whole;
    // The first call is what a verb is for.
    const verb = verbs.find(({ service, steps }) => `${service}.${steps[0]?.call}` === procedure);
    return `\`fairlead ${verb?.name ?? `call ${procedure}`}\``;
  });
