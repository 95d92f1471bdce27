/**
 * Which modules import which, so that a changed file makes exactly those modules load again that depend on it. Node keeps every
 * module under its address for ever; a new version therefore gets a new address. Pure: what is imported is noted by `module-hooks`.
 *
 * Old versions stay in memory until the loading thread ends. Packages in `node_modules` are left out.
 */

/** A module, and one that imports it where there is one. Absolute paths. */
export type ModuleImport = readonly [file: string, importer: string | undefined];

export interface ModuleGraph {
  /** 0 at first; grows with each change of the file or of one that it imports. */
  version(file: string): number;
  /** The versions that are not 0, by file. */
  versions(): ReadonlyMap<string, number>;
  add(imports: readonly ModuleImport[]): void;
  /** Notes that a file has changed. */
  changed(file: string): void;
  /** A file and all that it imports, in order. */
  imported(file: string): readonly string[];
  /** Absolute paths of all modules seen so far. */
  files(): readonly string[];
}

export const moduleGraph = (): ModuleGraph => {
  const importers = new Map<string, Set<string>>();
  const versions = new Map<string, number>();
  const version = (file: string): number => versions.get(file) ?? 0;
  return {
    version,
    versions: () => versions,
    add: (imports) => {
      for (const [file, importer] of imports) {
        const known = importers.get(file) ?? new Set();
        importers.set(file, known);
        if (importer !== undefined) known.add(importer);
      }
    },
    imported: (file) => {
      const reached = new Set([file]);
      for (const each of reached) for (const [inner, by] of importers) if (by.has(each)) reached.add(inner);
      return [...reached].toSorted();
    },
    files: () => [...importers.keys()],
    changed: (file) => {
      const reached = new Set([file]);
      for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer);
      for (const each of reached) versions.set(each, version(each) + 1);
    },
  };
};
