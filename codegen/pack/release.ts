/**
 * `npm run release -- 0.2.0`: gives all packages one version, closes the section of the changelog, and says what is left to a person. Publishes nothing.
 *
 * Not here: what is changed (`version.ts`), and publishing (`.github/workflows/release.yml`).
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closeChangelog, lockWithVersion, requireNewer, withVersion } from "./version.ts";

const [next = "", ...more] = process.argv.slice(2);
if (next === "" || more.length > 0) throw new Error("say the version: npm run release -- 0.2.0");
const root = process.cwd();

const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(join(root, path), "utf8"));
const write = (path: string, value: object): void =>
  writeFileSync(join(root, path), `${JSON.stringify(value, undefined, 2)}\n`);

const main = read("package.json");
const current = String(main.version);
// The root's manifest names its workspaces.
const patterns = main.workspaces as readonly string[];
const folders = patterns
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((folder) => existsSync(join(root, folder, "package.json")));
const manifests = ["package.json", ...folders.map((folder) => join(folder, "package.json"))].map(
  (path) => [path, read(path)] as const,
);
const own = new Set(manifests.map(([, { name }]) => String(name)));
const change = { current, next, own };

// All is judged before anything is written. The version that is there may be released as long as its section is open.
if (next !== current) requireNewer(current, next);
const changelog = closeChangelog(
  readFileSync(join(root, "CHANGELOG.md"), "utf8"),
  next,
  new Date().toISOString().slice(0, 10),
);
const lock = lockWithVersion(read("package-lock.json"), change, new Set(["", ...folders]));
for (const [path, manifest] of manifests) write(path, withVersion(manifest, change));
write("package-lock.json", lock);
writeFileSync(join(root, "CHANGELOG.md"), changelog);
console.log(
  `${manifests.length} packages are ${next}. Next: npm run gen, npx fairlead diff --release, commit, and git tag v${next}`,
);
