/**
 * Service packages: what a project plugs in by naming the package under `gen.include`. One exports its contract as `./contract` and the service
 * as `./service`. Resolves specifiers; imports nothing.
 */
import { realpathSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The file of the contract that a specifier names, links resolved: that of a service package, else the module itself. `undefined` where there is none. */
export const resolveContract = (root: string, specifier: string): string | undefined =>
  (isPackageName(specifier) ? resolveFrom(root, `${specifier}/contract`) : undefined) ?? resolveFrom(root, specifier);

/** The module of the service that a package under `include` brings, as a manifest in that folder names it. `undefined` where it brings none. */
export const packagedService = (folder: string, specifier: string): string | undefined => {
  const module = `${specifier}/service`;
  return isPackageName(specifier) && resolveFrom(folder, module) !== undefined ? module : undefined;
};

/** Whether it is the name of a package, without a module in it. */
const isPackageName = (specifier: string): boolean =>
  !specifier.startsWith(".") && specifier.split("/").length === (specifier.startsWith("@") ? 2 : 1);

const resolveFrom = (folder: string, specifier: string): string | undefined => {
  const from = join(resolve(folder), "package.json");
  try {
    return realpathSync(createRequire(from).resolve(specifier));
  } catch (failure) {
    const isThere = failure instanceof Error && "code" in failure && failure.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
    return isThere ? resolveImport(specifier, pathToFileURL(from).href) : undefined;
  }
};

/** What a package exports to `import` alone. `import.meta.resolve` takes no importer, but hooks are asked about it. */
const resolveImport = (specifier: string, from: string): string | undefined => {
  const hooks = registerHooks({
    resolve: (asked, context, next) => next(asked, asked === specifier ? { ...context, parentURL: from } : context),
  });
  try {
    return realpathSync(fileURLToPath(import.meta.resolve(specifier)));
  } catch {
    return undefined;
  } finally {
    hooks.deregister();
  }
};
