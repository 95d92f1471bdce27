/**
 * The one computed `import()` of the kernel: manifests and the services they name. Everything else is imported by name, where
 * tools can see it. Code of a service cannot end the process: `process.exit()` throws in it, at the top of a module and in all that the service does, so
 * that this service fails, with the place of the call.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync } from "node:fs";
import nodeModule, { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { codeOwner } from "../call/ambient.ts";

/**
 * Imports a module by specifier or path, resolved from `from` (a file URL). Throws where there is no such package.
 *
 * Node keeps a module under its address for ever, one that failed as well. With a `generation` it is imported again, from the file as it is
 * now; so is what it imports where the generation is that of a retry, or where `followModules` was called.
 */
export const importModule = (
  specifier: string,
  from: string,
  generation?: Generation,
): Promise<Readonly<Record<string, unknown>>> => {
  const url = resolveModule(specifier, from);
  return withoutExit(() => import(generation === undefined ? url : withGeneration(url, generation)));
};

/** The address of a module. A package is the importer's own, else the kernel's. Throws where there is no such package. */
export const resolveModule = (specifier: string, from: string): string => {
  if (isPath(specifier)) return builtAddress(new URL(specifier, from));
  try {
    return pathToFileURL(createRequire(from).resolve(specifier)).href;
  } catch (failure) {
    return isForImportAlone(failure) ? resolveImport(specifier, from) : import.meta.resolve(specifier);
  }
};

/** The package is there, and exports nothing of that name to `require`. */
const isForImportAlone = (failure: unknown): boolean =>
  failure instanceof Error && "code" in failure && failure.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";

/** `import.meta.resolve` as from another file: it takes no importer, but hooks are asked about it. Not every runtime has hooks, so none is imported by name. */
const resolveImport = (specifier: string, from: string): string => {
  const hooks = nodeModule.registerHooks({
    resolve: (asked, context, next) => next(asked, asked === specifier ? { ...context, parentURL: from } : context),
  });
  try {
    return import.meta.resolve(specifier);
  } finally {
    hooks.deregister();
  }
};

/** A compiler leaves the names of files in texts as they are: its `.js` is meant where a build has no `.ts`. */
const builtAddress = ({ href }: URL): string => {
  const built = href.replace(/\.ts$/, ".js");
  return built !== href && !existsSync(new URL(href)) && existsSync(new URL(built)) ? built : href;
};

/** The address that packages which a manifest names are imported from. */
export const servicesImporter = import.meta.url;

const generationKey = "generation";

/** A number in `fairlead dev`, which counts its reloads; a name where an import is tried again. */
export type Generation = number | `retry-${number}`;

/** The address of a module in a generation. */
export const withGeneration = (url: string, generation: Generation): string => {
  const [address = url] = url.split("?");
  return `${address}?${generationKey}=${generation}`;
};

/** The generation in a module's address; `undefined` in that of the first. */
export const generationIn = (url: string): Generation | undefined => {
  const [, retry, text] = /\?generation=(retry-)?(\d+)$/.exec(url) ?? [];
  const number = Number(text);
  return text === undefined ? undefined : retry === undefined ? number : `retry-${number}`;
};

/** Whether it says where a file is; a package's name otherwise. */
export const isPath = (specifier: string): boolean => /^(?:\.|\/|file:)/.test(specifier);

/** Set within the import of a module, in all that it awaits. */
const importing = new AsyncLocalStorage<true>();
let traps = 0;
let exit: typeof process.exit | undefined;

/** Runs an import, within which `process.exit()` throws. */
export const withoutExit = <T>(load: () => Promise<T>): Promise<T> => {
  const release = trapExit();
  return importing.run(true, load).finally(release);
};

/** From now on `process.exit()` throws in code of services, until what this returns is called. Other code ends the process as ever. */
export const trapExit = (): (() => void) => {
  if (exit === undefined) {
    exit = process.exit;
    process.exit = exitOrThrow;
  }
  traps += 1;
  return () => {
    traps -= 1;
    // Somebody else may have put theirs over ours.
    if (traps > 0 || process.exit !== exitOrThrow || exit === undefined) return;
    process.exit = exit;
    exit = undefined;
  };
};

const exitOrThrow: typeof process.exit = (code) => {
  const isImport = importing.getStore() === true;
  if (traps === 0 || (!isImport && codeOwner() === undefined)) return (exit ?? process.exit).call(process, code);
  const why = isImport ? "while it is imported" : "which would end the kernel";
  const error = new Error(`it calls process.exit(${code ?? ""})${isImport ? "" : ","} ${why}`);
  // The place of the fault is that of the call.
  Error.captureStackTrace(error, exitOrThrow);
  throw error;
};
