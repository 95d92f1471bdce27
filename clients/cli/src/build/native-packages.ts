/**
 * Packages with native code: they are not bundled, since they look for their binaries beside themselves. They are copied whole, with what they
 * depend on, into `node_modules` of the build; sources in C are left out.
 */
import { cpSync, existsSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "rolldown";
import { isRecord } from "../text/record.ts";
import { packageFolder, readPackage } from "./module-address.ts";

/** Folders by the name of the package. */
export type NativePackages = Map<string, string>;

export const keepNativePackages = (found: NativePackages): Plugin => ({
  name: "fairlead-native",
  async resolveId(source, importer, { isEntry, kind }) {
    if (isEntry || importer === undefined || /^[./\0]/.test(source) || isBuiltin(source)) return null;
    const resolved = await this.resolve(source, importer, { skipSelf: true });
    if (resolved === null || resolved.external) {
      // A package may try what is not installed, and so may what is imported when it is needed.
      if (resolved !== null || kind !== "import-statement" || importer.includes("node_modules"))
        return { id: source, external: true };
      return this.error(`Could not resolve '${source}' in ${importer}`);
    }
    const folder = packageFolder(resolved.id);
    if (!isNative(folder)) return resolved;
    found.set(String(readPackage(folder).name), folder);
    return { id: source, external: true };
  },
});

const isNative = (folder: string): boolean =>
  folder.includes("node_modules") &&
  (existsSync(join(folder, "binding.gyp")) ||
    existsSync(join(folder, "prebuilds")) ||
    readdirSync(folder).some((name) => name.endsWith(".node")));

/** Copies packages and what they depend on; names and versions of all that is there then. */
export const copyPackages = (packages: NativePackages, folder: string): ReadonlyMap<string, string> => {
  const copied = new Map<string, string>();
  const copy = (name: string, from: string): void => {
    if (copied.has(name)) return;
    const { version, dependencies } = readPackage(from);
    copied.set(name, String(version));
    cpSync(from, join(folder, "node_modules", name), {
      recursive: true,
      dereference: true,
      filter: (path) =>
        !/\.(?:c|cc|cpp|h|hpp|gypi?|tar\.gz|md|map)$|[\\/](?:src|deps|test)$/.test(path.slice(from.length)),
    });
    for (const needed of Object.keys(isRecord(dependencies) ? dependencies : {})) {
      const at = findPackage(needed, from);
      if (at !== undefined) copy(needed, at);
    }
  };
  for (const [name, from] of packages) copy(name, from);
  return copied;
};

/** As Node finds it: in the nearest `node_modules` upwards. */
const findPackage = (name: string, from: string): string | undefined => {
  for (let folder = from; ; folder = dirname(folder)) {
    const at = join(folder, "node_modules", name);
    if (existsSync(at)) return at;
    if (dirname(folder) === folder) return undefined;
  }
};
