/** Notes what this thread imports, and gives modules the address of their version. Not here: what follows from it (`module-graph`, `load-basis`). */
import { realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ModuleImport } from "./module-graph.ts";
import { pathState } from "./path-state.ts";

/** A file and all that it imports. */
export interface ReachedModules {
  /** Those of the project, of packages and of Node: paths, and names like `node:fs`. */
  readonly names: readonly string[];
  /**
   * By path, what was there: each file, each package.json and folder of a package that Node may look at between. `undefined` where what leads to
   * a module is not known in full.
   */
  readonly states: ReadonlyMap<string, string> | undefined;
  /** What the files of packages were. */
  readonly packaged: readonly string[];
}

interface ImportNotes {
  /** What the project's files have imported of each other since this was last called. */
  take(): readonly ModuleImport[];
  reached(file: string): ReachedModules;
}

interface ImportedModule {
  readonly name: string;
  /** Where Node looks for it; `undefined` where that cannot be said. */
  readonly paths: readonly string[] | undefined;
}

/** Starts to note. */
export const noteImports = (version: (file: string) => number): ImportNotes => {
  let imports: ModuleImport[] = [];
  const all = new Map<string, Map<string, ImportedModule>>();
  // Before a module is loaded: what changes later differs from what was noted.
  const states = new Map<string, string>();
  const note = (importer: string, specifier: string, imported: ImportedModule): void => {
    const known = all.get(importer) ?? new Map<string, ImportedModule>();
    all.set(importer, known.set(specifier, imported));
    const paths = imported.paths ?? (isAbsolute(imported.name) ? [imported.name] : []);
    for (const path of paths) if (!states.has(path)) states.set(path, pathState(path));
  };
  // Node looks nothing up that a module in the same folder has required before.
  const requiring = new Set<string>();
  registerHooks({
    resolve: (specifier, context, next) => {
      const importer = context.parentURL === undefined ? undefined : moduleName(context.parentURL);
      if (importer !== undefined && !context.conditions.includes("import")) requiring.add(dirname(importer));
      let resolved: ReturnType<typeof next>;
      try {
        resolved = next(specifier, context);
      } catch (failure) {
        // What is not there may be there the next time.
        if (importer !== undefined) note(importer, specifier, { name: specifier, paths: undefined });
        throw failure;
      }
      if (importer !== undefined && context.parentURL !== undefined)
        note(importer, specifier, {
          name: moduleName(resolved.url),
          paths: lookedAt(specifier, context.parentURL, resolved.url),
        });
      const file = ownFile(resolved.url);
      if (file === undefined) return resolved;
      imports.push([file, context.parentURL === undefined ? undefined : ownFile(context.parentURL)]);
      const [address = resolved.url] = resolved.url.split("?");
      return version(file) === 0 ? resolved : { ...resolved, url: `${address}?fairlead=${version(file)}` };
    },
  });
  return {
    take: () => {
      const since = imports;
      imports = [];
      return since;
    },
    reached: (file) => {
      const start = realPath(file) ?? file;
      const names = new Set([start]);
      const paths = new Set([file, start, ...descriptions(start)]);
      let isKnown = true;
      for (const each of names) {
        if (requiring.has(dirname(each))) isKnown = false;
        for (const inner of all.get(each)?.values() ?? []) {
          names.add(inner.name);
          for (const path of inner.paths ?? []) paths.add(path);
          if (inner.paths === undefined) isKnown = false;
        }
      }
      // The reader has imported the file itself, by its path.
      const found = [...paths].map((path) => [path, states.get(path)] as const);
      const isNoted = (state: readonly [string, string | undefined]): state is readonly [string, string] =>
        state[1] !== undefined;
      return {
        names: [...names],
        states: isKnown && found.every(isNoted) ? new Map(found.filter(isNoted)) : undefined,
        packaged: [...names].filter(isPackaged).map((name) => `${name} ${states.get(name)}`),
      };
    },
  };
};

/** All paths that decide where an import leads; `undefined` for one of which they are not known: of other packages, and by `imports` of package.json. */
const lookedAt = (specifier: string, parent: string, url: string): readonly string[] | undefined => {
  if (url.startsWith("node:")) return [];
  if (!url.startsWith("file:") || specifier.startsWith("#")) return undefined;
  const file = moduleName(url);
  const own = [file, ...descriptions(file), ...(parent.startsWith("file:") ? descriptions(moduleName(parent)) : [])];
  if (/^(?:\.{0,2}\/|file:)/.test(specifier)) {
    const path = moduleName(new URL(specifier, parent).href);
    return realPath(path) === file ? [path, ...own] : undefined;
  }
  const [name] = /^(?:zod|@fairlead\/[^/]+)(?=\/|$)/.exec(specifier) ?? [];
  if (name === undefined || !parent.startsWith("file:")) return undefined;
  const folders = parents(moduleName(parent)).map((folder) => join(folder, "node_modules", name));
  const found = folders.map(realPath).find((folder) => folder !== undefined);
  return found !== undefined && file.startsWith(found + sep) ? [...folders, ...own] : undefined;
};

/** The package.json of each folder that a file is in. */
const descriptions = (file: string): readonly string[] => parents(file).map((folder) => join(folder, "package.json"));

const parents = (file: string): readonly string[] => {
  const folders: string[] = [];
  for (let at = dirname(file); ; at = dirname(at)) {
    folders.push(at);
    if (dirname(at) === at) return folders;
  }
};

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
};

/** Whether a path is below a folder of packages. */
export const isPackaged = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path);

const moduleName = (url: string): string => (url.startsWith("file:") ? fileURLToPath(url.split("?")[0] ?? url) : url);

const ownFile = (url: string): string | undefined =>
  url.startsWith("file:") && !url.includes("/node_modules/") ? fileURLToPath(url.split("?")[0] ?? url) : undefined;
