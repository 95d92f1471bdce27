/**
 * Lets a module be imported again with the modules that it imports: after its file has changed, or after an import that failed, which Node
 * keeps for ever. A module of a generation passes the generation on to what it imports.
 *
 * Node keeps every generation in memory until the process ends. Packages keep their one instance, so that there is one kernel and one
 * contract language. Not here: the import itself (`module.ts`).
 */
import { existsSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Generation, generationIn, isPath, servicesImporter, withGeneration } from "./module.ts";

type Resolve = NonNullable<Parameters<typeof nodeModule.registerHooks>[0]["resolve"]>;

let retries = 0;

/** For an import after one that failed. A module passes it on to what it imports by a relative path. */
export const retryGeneration = (): Generation => {
  if (retries === 0) nodeModule.registerHooks({ resolve: resolveRetried });
  retries += 1;
  return `retry-${retries}`;
};

const resolveRetried: Resolve = (specifier, context, next) => {
  const resolved = next(specifier, context);
  const isRelative = specifier.startsWith("./") || specifier.startsWith("../");
  return isRelative && resolved.url.startsWith("file:") ? inGeneration(resolved, context) : resolved;
};

/** The resolved module in the generation of the one that imports it. */
const inGeneration = <Resolved extends { readonly url: string }>(
  resolved: Resolved,
  { parentURL = "" }: { readonly parentURL?: string | undefined },
): Resolved => {
  const generation = generationIn(parentURL);
  return generation === undefined ? resolved : { ...resolved, url: withGeneration(resolved.url, generation) };
};

/** A package that was not installed when a service or an own file imported it. */
export interface MissingPackage {
  readonly name: string;
  /** Whether it is now. */
  isInstalled(): boolean;
}

export interface FollowedModules {
  /** A file and all that it has imported, directly or not, in any generation. Absolute paths. */
  imported(file: string): ReadonlySet<string>;
  /** Packages that were not found: Node goes on missing them in this process, also once they are installed. */
  missing(): readonly MissingPackage[];
}

/**
 * From now on, a module of a generation passes it on to all files that are a project's own (`isOwn`), CommonJS modules aside. Notes which
 * module imports which, so that a changed file is known to belong to a service.
 */
export const followModules = (isOwn: (file: string) => boolean): FollowedModules => {
  const imports = new Map<string, Set<string>>();
  const missing = new Map<string, MissingPackage>();
  const ownFile = (url: string | undefined): string | undefined => {
    if (url === undefined || !url.startsWith("file:") || url.includes("/node_modules/")) return undefined;
    const file = fileURLToPath(url.split("?")[0] ?? url);
    return isOwn(file) ? file : undefined;
  };
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => {
      const importer = ownFile(context.parentURL);
      const resolved = ((): ReturnType<typeof next> => {
        try {
          return next(specifier, context);
        } catch (error) {
          const name = packageName(specifier);
          const from = context.parentURL === servicesImporter ? fileURLToPath(servicesImporter) : importer;
          if (name !== undefined && from !== undefined && !isInstalled(name, from))
            missing.set(name, { name, isInstalled: () => isInstalled(name, from) });
          throw error;
        }
      })();
      const file = ownFile(resolved.url);
      if (file === undefined || importer === undefined) return resolved;
      const known = imports.get(importer) ?? new Set();
      imports.set(importer, known.add(file));
      return context.conditions.includes("require") ? resolved : inGeneration(resolved, context);
    },
  });
  return {
    imported: (file) => {
      const reached = new Set([file]);
      for (const each of reached) for (const inner of imports.get(each) ?? []) reached.add(inner);
      return reached;
    },
    missing: () => [...missing.values()],
  };
};

/** Whether a `node_modules` of the importing file's folder, or of one above, holds the package. */
const isInstalled = (name: string, importer: string): boolean => {
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules", name, "package.json"))) return true;
    if (dirname(folder) === folder) return false;
  }
};

/** The package that a specifier names, `@x/y` of `@x/y/z`; `undefined` where it names a path, or something built in. */
const packageName = (specifier: string): string | undefined =>
  isPath(specifier) ? undefined : /^(?:@[^/:]+\/)?[^/:@#]+(?=\/|$)/.exec(specifier)?.[0];
