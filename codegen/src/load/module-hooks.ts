/** Notes what this thread imports, and gives modules the address of their version. Not here: what follows from it (`module-graph`, `load-basis`). */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { ModuleImport } from "./module-graph.ts";

interface ImportNotes {
  /** What the project's files have imported of each other since this was last called. */
  take(): readonly ModuleImport[];
  /** A file and all that it imports, with what is in packages and what Node has: paths, and names like `node:fs`. */
  reached(file: string): readonly string[];
}

/** Starts to note. */
export const noteImports = (version: (file: string) => number): ImportNotes => {
  let imports: ModuleImport[] = [];
  const all = new Map<string, Set<string>>();
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      if (context.parentURL !== undefined) {
        const importer = moduleName(context.parentURL);
        const known = all.get(importer) ?? new Set();
        all.set(importer, known.add(moduleName(resolved.url)));
      }
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
      const reached = new Set([file]);
      for (const each of reached) for (const inner of all.get(each) ?? []) reached.add(inner);
      return [...reached];
    },
  };
};

const moduleName = (url: string): string => (url.startsWith("file:") ? fileURLToPath(url.split("?")[0] ?? url) : url);

const ownFile = (url: string): string | undefined =>
  url.startsWith("file:") && !url.includes("/node_modules/") ? fileURLToPath(url.split("?")[0] ?? url) : undefined;
