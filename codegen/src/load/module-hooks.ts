/** Notes what this thread imports, and gives modules the address of their version. Not here: what follows from it (`module-graph`). */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import type { ModuleImport } from "./module-graph.ts";

/** Starts to note. The returned function gives what was imported since it was last called. */
export const noteImports = (version: (file: string) => number): (() => readonly ModuleImport[]) => {
  let imports: ModuleImport[] = [];
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const file = ownFile(resolved.url);
      if (file === undefined) return resolved;
      imports.push([file, context.parentURL === undefined ? undefined : ownFile(context.parentURL)]);
      const [address = resolved.url] = resolved.url.split("?");
      return version(file) === 0 ? resolved : { ...resolved, url: `${address}?fairlead=${version(file)}` };
    },
  });
  return () => {
    const since = imports;
    imports = [];
    return since;
  };
};

const ownFile = (url: string): string | undefined =>
  url.startsWith("file:") && !url.includes("/node_modules/") ? fileURLToPath(url.split("?")[0] ?? url) : undefined;
