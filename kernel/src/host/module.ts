/**
 * The one computed `import()` of the kernel: manifests and the services they name. Everything else is imported by name, where
 * tools can see it.
 */

/** Imports a module by specifier or path, resolved from `from` (a file URL). */
export const importModule = async (specifier: string, from: string): Promise<Readonly<Record<string, unknown>>> => {
  const url = isPath(specifier) ? new URL(specifier, from).href : import.meta.resolve(specifier, from);
  return import(url);
};

/** Whether it says where a file is; a package's name otherwise. */
export const isPath = (specifier: string): boolean => specifier.startsWith(".") || specifier.startsWith("/");
