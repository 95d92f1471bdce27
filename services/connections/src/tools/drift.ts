/**
 * How an upstream's tools differ from those that a contract was made of. Pure; compares what is shown, so that what we strip from an
 * upstream's words is not a difference.
 */
import { findChanges, type ToolChange } from "./changes.ts";
import type { UpstreamTool } from "./tool-list.ts";

/** A tool under the upstream's own name, in the parts that a contract is made of. */
export interface ToolDescription {
  readonly upstreamName: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: Readonly<Record<string, unknown>>;
}

export const describeTool = ({ name, shown }: UpstreamTool): ToolDescription => ({
  upstreamName: name,
  description: shown.description,
  inputSchema: shown.inputSchema,
  outputSchema: shown.outputSchema ?? null,
  annotations: shown.annotations ?? {},
});

/** Names are the upstream's, sorted. */
export interface Drift {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly changes: readonly (ToolChange & { readonly tool: string })[];
}

export const noDrift: Drift = { added: [], removed: [], changed: [], changes: [] };

/** Changes that are listed. */
const mostChanges = 50;

export const findDrift = (expected: readonly ToolDescription[], present: readonly ToolDescription[]): Drift => {
  const before = byName(expected);
  const now = byName(present);
  const changes = [...before].flatMap(([tool, was]) => {
    const is = now.get(tool);
    return is === undefined
      ? []
      : findChanges(comparedParts(was), comparedParts(is)).map((change) => ({ tool, ...change }));
  });
  return {
    added: [...now.keys()].filter((tool) => !before.has(tool)),
    removed: [...before.keys()].filter((tool) => !now.has(tool)),
    changed: [...new Set(changes.map(({ tool }) => tool))],
    changes: changes.slice(0, mostChanges),
  };
};

export const hasDrift = ({ added, removed, changed }: Drift): boolean =>
  added.length + removed.length + changed.length > 0;

const byName = (tools: readonly ToolDescription[]): ReadonlyMap<string, ToolDescription> =>
  new Map(tools.map((tool) => [tool.upstreamName, tool] as const).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

const comparedParts = ({ description, inputSchema, outputSchema, annotations }: ToolDescription) => ({
  description,
  inputSchema,
  outputSchema,
  annotations,
});
