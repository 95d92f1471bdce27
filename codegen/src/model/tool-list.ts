/**
 * The tools of one service as `tools/list` shows them together. A definition marked `listOnce` is written out by the first tool
 * that takes it; the tools after that one show its outline, the required fields, and say where the rest is. An outline takes
 * whatever the whole takes, so a client that checks arguments by it never refuses a good call; dispatch decodes the whole.
 *
 * Not here: one tool by itself (`tool`).
 */
import { listOnce } from "@fairlead/contracts";
import { type JsonSchema, reachable, rewrite } from "../schema/json-schema.ts";
import type { ServiceModel } from "./model.ts";
import { buildTool, type ToolModel } from "./tool.ts";

const cache = new WeakMap<ServiceModel, readonly ToolModel[]>();

export const listTools = (service: ServiceModel): readonly ToolModel[] => {
  const before = cache.get(service);
  if (before !== undefined) return before;
  const shownBy = new Map<string, string>();
  const listing = service.procedures.flatMap((procedure) => {
    const entry = buildTool(procedure);
    return entry === undefined ? [] : [shareDefinitions(entry, shownBy)];
  });
  cache.set(service, listing);
  return listing;
};

const shareDefinitions = (entry: ToolModel, shownBy: Map<string, string>): ToolModel => {
  const { inputSchema, name } = entry.tool;
  const marked = Object.entries(inputSchema.$defs ?? {}).filter(([, definition]) => definition[listOnce] === true);
  if (marked.length === 0) return entry;
  const shown = marked.map(([id, definition]) => {
    const { [listOnce]: _, ...whole } = definition;
    const first = shownBy.get(id);
    if (first === undefined) shownBy.set(id, name);
    return [id, first === undefined ? whole : pointTo(outline(whole), first)] as const;
  });
  const $defs = { ...inputSchema.$defs, ...Object.fromEntries(shown) };
  return { ...entry, tool: { ...entry.tool, inputSchema: prune({ ...inputSchema, $defs }) } };
};

const pointTo = (schema: JsonSchema, tool: string): JsonSchema => ({
  ...schema,
  description: `${schema.description ?? "An object"}; all its fields are in ${tool}`,
});

/** Objects with their required fields alone, open for the others. */
const outline = (schema: JsonSchema): JsonSchema =>
  rewrite(schema, (node) => {
    if (node.properties === undefined) return node;
    const { additionalProperties: _, ...open } = node;
    const required = new Set(node.required);
    const kept = Object.entries(node.properties).filter(([field]) => required.has(field));
    return { ...open, properties: Object.fromEntries(kept) };
  });

/** Without the definitions that nothing refers to any more. */
const prune = (root: JsonSchema): JsonSchema => {
  const { $defs = {}, ...rest } = root;
  return { ...rest, $defs: Object.fromEntries(reachable(rest, $defs)) };
};
