/**
 * Which modules import which, learnt while they are imported, so that a changed file makes exactly those modules load again that
 * depend on it. Node keeps every module under its address for ever; a new version therefore gets a new address.
 *
 * Old versions stay in memory until the process ends. Packages in `node_modules` are left out.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

export interface ModuleGraph {
  /** 0 at first; grows with each change of the file or of one that it imports. */
  version(file: string): number;
  /** Notes that a file has changed. */
  changed(file: string): void;
  /** Absolute paths of all modules seen so far. */
  files(): readonly string[];
  close(): void;
}

export const moduleGraph = (): ModuleGraph => {
  const importers = new Map<string, Set<string>>();
  const versions = new Map<string, number>();
  const version = (file: string): number => versions.get(file) ?? 0;

  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context);
      const file = ownFile(resolved.url);
      if (file === undefined) return resolved;
      const known = importers.get(file) ?? new Set();
      importers.set(file, known);
      const parent = context.parentURL === undefined ? undefined : ownFile(context.parentURL);
      if (parent !== undefined) known.add(parent);
      const [address = resolved.url] = resolved.url.split("?");
      return version(file) === 0 ? resolved : { ...resolved, url: `${address}?fairlead=${version(file)}` };
    },
  });

  return {
    version,
    files: () => [...importers.keys()],
    changed: (file) => {
      const reached = new Set([file]);
      for (const each of reached) for (const importer of importers.get(each) ?? []) reached.add(importer);
      for (const each of reached) versions.set(each, version(each) + 1);
    },
    close: () => hooks.deregister(),
  };
};

const ownFile = (url: string): string | undefined =>
  url.startsWith("file:") && !url.includes("/node_modules/") ? fileURLToPath(url.split("?")[0] ?? url) : undefined;
