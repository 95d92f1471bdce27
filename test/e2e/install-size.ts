/** What a package takes on the disk with everything that npm installs for it, as its manifests say. */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

interface PackageManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Bytes on the disk by package; without what only others in that folder need. */
export const installSize = (folder: string, name: string): ReadonlyMap<string, number> => {
  const sizes = new Map<string, number>();
  const add = (wanted: string, from: string): void => {
    const place = findPackage(wanted, from);
    if (place === undefined || sizes.has(place)) return;
    sizes.set(place, bytesIn(place));
    const own: PackageManifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
    const peers = Object.keys(own.peerDependencies ?? {}).filter((peer) => !own.peerDependenciesMeta?.[peer]?.optional);
    const others = { ...own.dependencies, ...own.optionalDependencies };
    for (const next of [...Object.keys(others), ...peers]) add(next, place);
  };
  add(name, folder);
  return sizes;
};

const findPackage = (name: string, from: string): string | undefined => {
  const place = join(from, "node_modules", name);
  if (existsSync(join(place, "package.json"))) return realpathSync(place);
  return dirname(from) === from ? undefined : findPackage(name, dirname(from));
};

/** In blocks, as `du` counts them. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules") return sum;
    return sum + (entry.isDirectory() ? bytesIn(path) : 512 * lstatSync(path).blocks);
  }, 0);
