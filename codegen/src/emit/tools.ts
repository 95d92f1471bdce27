/** Emits `tools.ts`: the MCP tools of all services, as `tools/list` sends them. Services by id, procedures as the contract has them. */

import type { GeneratedFile, Project } from "../model/project.ts";
import type { ToolModel } from "../model/tool.ts";
import { listingOf } from "../model/tool-list.ts";
import { importTypes, indent, typescript } from "../print/text.ts";

export const emitTools = ({ services, out, imports }: Project): readonly GeneratedFile[] => {
  const entries = services.flatMap((service) => listingOf(service).map(textOf));
  const list = entries.length === 0 ? "[]" : `[\n${entries.join("\n")}\n]`;
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

const textOf = (entry: ToolModel): string => {
  const before = known.get(entry);
  if (before !== undefined) return before;
  const text = indent(`${JSON.stringify(entry, undefined, 2)},`);
  known.set(entry, text);
  return text;
};
