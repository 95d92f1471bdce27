/** Emits `tools.ts`: the MCP tools of all services, as `tools/list` sends them. Services by id, procedures as the contract has them. */

import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { listTools, type ToolModel } from "../model/tool.ts";
import { importTypes, indent, typescript } from "../print/text.ts";

export const emitTools = ({ services, out, imports }: GeneratorProject): readonly GeneratedFile[] => {
  // Joined by `+`: a copy of all entries each time they are put into something larger would cost more than to print them.
  let entries = "";
  for (const service of services) for (const entry of listTools(service)) entries += `${printEntry(entry)}\n`;
  const list = entries === "" ? "[]" : `[\n${entries}]`;
  return [
    {
      path: `${out.kernel}/tools.ts`,
      text: typescript(services, importTypes({ ToolEntry: imports.manifest }), [
        `export const tools: readonly ToolEntry[] = ${list};`,
      ]),
    },
  ];
};

const known = new WeakMap<ToolModel, string>();

const printEntry = (entry: ToolModel): string => {
  const before = known.get(entry);
  if (before !== undefined) return before;
  const text = indent(`${JSON.stringify(entry, undefined, 2)},`);
  known.set(entry, text);
  return text;
};
