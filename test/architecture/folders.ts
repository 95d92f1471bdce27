/** The graph of a package's folders: which folder imports which, by the imports of the files in them. Pure. */
import { dirname } from "node:path";
import { type Source, target } from "./sources.ts";

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** One import that makes it, as `a/b.ts -> c/d.ts`. */
  readonly because: string;
}

/** Tests, and fakes for tests, may import anything. */
export const isForTests = (path: string): boolean => /(^|\/)(test|testing|bench|cases)\//.test(path);

/** Every import from one folder into another, type-only imports and parent and child included. */
export const folderEdges = (sources: readonly Source[]): readonly Edge[] => {
  const known = new Set(sources.map(({ path }) => path));
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith("."))
      .map((name) => target(path, name))
      .filter((to) => known.has(to) && dirname(to) !== dirname(path))
      .map((to) => ({ from: dirname(path), to: dirname(to), because: `${path} -> ${to}` })),
  );
};

/** The same between the folders directly below `top`, each with all that is in it. */
export const roomEdges = (sources: readonly Source[], top: string): readonly Edge[] => {
  const room = (folder: string): string => folder.split("/", top.split("/").length + 1).join("/");
  return folderEdges(sources)
    .map(({ from, to, because }) => ({ from: room(from), to: room(to), because }))
    .filter(({ from, to }) => from !== to);
};

/** Pairs of folders that import each other, with an import of each direction. */
export const mutualPairs = (edges: readonly Edge[]): readonly string[] => {
  const known = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]));
  return [...known.values()]
    .filter(({ from, to }) => from < to && known.has(`${to} ${from}`))
    .map(({ from, to, because }) => `${from} and ${to}: ${because}, ${known.get(`${to} ${from}`)?.because}`);
};

/** Number of files by folder. */
export const sizes = (sources: readonly Source[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return counts;
};
