/** What comes with Fairlead when it is installed, read from the lockfile. */
import { read } from "./sources.ts";

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
}

/** Packages of others, by their place. */
export const lockedPackages = (): readonly (readonly [string, LockEntry])[] => {
  const { packages }: { readonly packages: Readonly<Record<string, LockEntry>> } = JSON.parse(
    read("package-lock.json"),
  );
  return Object.entries(packages).filter(([place, { link }]) => place.includes("node_modules/") && link !== true);
};

/** Those that are there when Fairlead runs, sorted, each version once. */
export const runtimePackages = (): readonly LockedPackage[] => {
  const found = new Map<string, LockedPackage>();
  for (const [place, { version = "", license = "none", dev, devOptional }] of lockedPackages()) {
    if (dev === true || devOptional === true) continue;
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    found.set(`${name}@${version}`, { name, version, license });
  }
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
};

/** `docs/licences.md`. */
export const licencesPage = (packages: readonly LockedPackage[]): string => `# Licences

What is installed with Fairlead, by the lockfile, and under which licence: all of them permit use in any product that keeps their notices. A test holds this
page to the lockfile. \`npm run sbom\` prints all of it as CycloneDX, the tools of development included.

| Package | Version | Licence |
|---|---|---|
${packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`).join("\n")}
`;
