/**
 * The tools of all upstreams together: one list in a fixed order, found by the name we show. Pure.
 *
 * A connection's last known tools stay while it reconnects, so that the list does not flicker. The order depends on the names alone.
 */
import type { UpstreamTool } from "./tool-list.ts";

export interface CatalogueTool extends UpstreamTool {
  readonly connection: string;
}

export interface Catalogue {
  /** By connection, then by the upstream's name. */
  readonly tools: readonly CatalogueTool[];
  find(shown: string): CatalogueTool | undefined;
}

/** Puts the lists together. Of two tools with one name the first keeps it; the other is not shown. */
export const createCatalogue = (lists: ReadonlyMap<string, readonly UpstreamTool[]>): Catalogue => {
  const byName = new Map<string, CatalogueTool>();
  for (const [connection, tools] of [...lists].toSorted(([a], [b]) => compare(a, b))) {
    for (const tool of tools.toSorted((a, b) => compare(a.name, b.name))) {
      if (!byName.has(tool.shown.name)) byName.set(tool.shown.name, { ...tool, connection });
    }
  }
  return { tools: [...byName.values()], find: (shown) => byName.get(shown) };
};

/** True when clients would see the same list. */
export const sameTools = (a: readonly UpstreamTool[], b: readonly UpstreamTool[]): boolean =>
  a.length === b.length && JSON.stringify(a.map(({ shown }) => shown)) === JSON.stringify(b.map(({ shown }) => shown));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
