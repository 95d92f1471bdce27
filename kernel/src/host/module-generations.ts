/**
 * Lets a service be imported anew with all of its own modules: a module of a generation passes the generation on to those that it imports.
 * Notes which module imports which meanwhile, so that a changed file is known to belong to a service.
 *
 * Node keeps every generation in memory until the process ends. Packages are none of a service's own modules and keep their one instance,
 * and so do CommonJS modules.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { generationIn, withGeneration } from "./module.ts";

export interface FollowedModules {
  /** A file and all that it has imported, directly or not, in any generation. Absolute paths. */
  imported(file: string): ReadonlySet<string>;
}

/** From now on. `isOwn` says which files may have generations. */
export const followModules = (isOwn: (file: string) => boolean): FollowedModules => {
  const imports = new Map<string, Set<string>>();
  const ownFile = (url: string | undefined): string | undefined => {
    if (url === undefined || !url.startsWith("file:") || url.includes("/node_modules/")) return undefined;
    const file = fileURLToPath(url.split("?")[0] ?? url);
    return isOwn(file) ? file : undefined;
  };
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const file = ownFile(resolved.url);
      const importer = ownFile(context.parentURL);
      if (file === undefined || importer === undefined) return resolved;
      const known = imports.get(importer) ?? new Set();
      imports.set(importer, known.add(file));
      const generation = generationIn(context.parentURL ?? "");
      if (generation === undefined || context.conditions.includes("require")) return resolved;
      return { ...resolved, url: withGeneration(resolved.url, generation) };
    },
  });
  return {
    imported: (file) => {
      const reached = new Set([file]);
      for (const each of reached) for (const inner of imports.get(each) ?? []) reached.add(inner);
      return reached;
    },
  };
};
