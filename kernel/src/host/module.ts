/**
 * The one computed `import()` of the kernel: manifests and the services they name. Everything else is imported by name, where
 * tools can see it.
 */

/** Imports a module by specifier or path, resolved from `from` (a file URL). Throws where there is no such package. */
export const importModule = (specifier: string, from: string): Promise<Readonly<Record<string, unknown>>> =>
  import(moduleUrl(specifier, from));

/** The same, also where an import of it has failed before or its file has changed since. */
export const importModuleAgain = (specifier: string, from: string): Promise<Readonly<Record<string, unknown>>> =>
  import("./fresh-import.ts").then(({ freshAddress }) => import(freshAddress(moduleUrl(specifier, from))));

const moduleUrl = (specifier: string, from: string): string =>
  isPath(specifier) ? new URL(specifier, from).href : import.meta.resolve(specifier, from);

/** Whether it says where a file is; a package's name otherwise. */
export const isPath = (specifier: string): boolean => specifier.startsWith(".") || specifier.startsWith("/");
