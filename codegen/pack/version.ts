/**
 * One version for all packages of this repository: what a release changes in manifests, in the lockfile and in the changelog. Pure; `release.ts` reads and writes.
 *
 * Not here: versions of contracts, which are their authors' (`fairlead diff` says what a change asks for).
 */

type ManifestFields = Readonly<Record<string, unknown>>;

const dependencyKinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

const isRecord = (value: unknown): value is ManifestFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parts = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

/** Throws where `next` is no version of semver, or none after `current`. */
export const requireNewer = (current: string, next: string): void => {
  const [from, to] = [current, next].map((version) => parts.exec(version));
  if (!from || !to) throw new Error(`${JSON.stringify(to ? current : next)} is not a version like 0.2.0 or 0.2.0-rc.1`);
  const differing = [1, 2, 3].find((at) => from[at] !== to[at]);
  const isNewer =
    differing === undefined
      ? from[4] !== undefined && (to[4] === undefined || order(from[4], to[4]) < 0)
      : Number(from[differing]) < Number(to[differing]);
  if (!isNewer) throw new Error(`${next} is not after ${current}`);
};

/** Of two names of a version before its release; numbers by size, and before words. */
const order = (a: string, b: string): number => {
  const [left, right] = [a.split("."), b.split(".")];
  for (const [at, one] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(one) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return left.length - right.length;
};

interface VersionChange {
  readonly current: string;
  readonly next: string;
  /** Names of the repository's own packages. */
  readonly own: ReadonlySet<string>;
}

/** A manifest, or a package of the lockfile, with the version and that of its own neighbours. A range is not touched: no package of ours has one for another. */
export const withVersion = (manifest: ManifestFields, { current, next, own }: VersionChange): ManifestFields => {
  const changed = dependencyKinds.flatMap((kind) => {
    const list = manifest[kind];
    if (!isRecord(list)) return [];
    const entries = Object.entries(list).map(([name, version]) => [
      name,
      own.has(name) && version === current ? next : version,
    ]);
    return [[kind, Object.fromEntries(entries)] as const];
  });
  return {
    ...manifest,
    ...(manifest.version === current && { version: next }),
    ...Object.fromEntries(changed),
  };
};

/** The lockfile of the workspaces; `folders` are theirs, the root's is empty. */
export const lockWithVersion = (
  lock: ManifestFields,
  change: VersionChange,
  folders: ReadonlySet<string>,
): ManifestFields => {
  const packages = isRecord(lock.packages) ? lock.packages : {};
  const entries = Object.entries(packages).map(([place, entry]) => [
    place,
    folders.has(place) && isRecord(entry) ? withVersion(entry, change) : entry,
  ]);
  return {
    ...lock,
    ...(lock.version === change.current && { version: change.next }),
    packages: Object.fromEntries(entries),
  };
};

/** The changelog whose open section is that of the release. Throws where there is none, or where it says nothing. */
export const closeChangelog = (text: string, next: string, date: string): string => {
  const [heading, after] = /^## \S+ \(unreleased\)\n([\s\S]*?)(?=\n## |$(?![\s\S]))/m.exec(text) ?? [];
  if (heading === undefined) throw new Error("CHANGELOG.md has no section that is unreleased: write what has changed");
  if (!/^- /m.test(after ?? ""))
    throw new Error("the unreleased section of CHANGELOG.md is empty: write what has changed");
  return text.replace(/^## \S+ \(unreleased\)$/m, () => `## ${next} (${date})`);
};
