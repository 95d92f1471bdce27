/**
 * The published packages: built, packed by npm, and installed into projects outside of this repository.
 *
 * Not here: what is tried with them (`outside.long.test.ts` and the suites that it runs, which share one build).
 */
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { environmentOf, repository } from "./command.ts";

const execute = promisify(execFile);

interface PackageManifest {
  readonly name: string;
  readonly private?: boolean;
  readonly workspaces: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
}

export function readManifest(at: string): PackageManifest {
  return JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
}

/** Folder in this repository by package: every workspace that is published. */
export const packages: Readonly<Record<string, string>> = Object.fromEntries(
  globSync(
    readManifest(repository).workspaces.map((pattern) => `${pattern}/package.json`),
    { cwd: repository },
  )
    .map((file) => [readManifest(dirname(join(repository, file))), dirname(file)] as const)
    .flatMap(([manifest, at]) => (manifest.private === true ? [] : [[manifest.name, at]])),
);

/** This very Node comes first, for npm and for the installed command. */
const path = [dirname(process.execPath), join(repository, "node_modules/.bin"), process.env.PATH ?? ""].join(":");
export const env = { ...environmentOf({}), PATH: path };
/** Installing may need the caller's proxy, certificates, cache and `.npmrc`, but nothing else of the npm that runs this test. */
export const npmEnv: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_(?:cache|userconfig)$)|INIT_CWD|NODE_ENV|NODE_OPTIONS)/.test(name),
    ),
  ),
  PATH: path,
};
/** What this repository's lockfile names is in npm's cache since `npm ci`; for the rest three more tries are enough. */
const installFlags =
  "--prefer-offline --no-audit --no-fund --ignore-scripts --fetch-retries=3 --fetch-retry-mintimeout=500".split(" ");

export const npm = (args: readonly string[], cwd: string, more: Readonly<Record<string, string | undefined>> = {}) =>
  execute("npm", args, { cwd, env: { ...npmEnv, ...more }, maxBuffer: 64 * 1_048_576 });

/** Installs what a project names, and these files of packages in addition. */
export const install = (cwd: string, tarballs: readonly string[] = []) =>
  npm(["install", ...installFlags, ...tarballs], cwd);

/** A line for the shell, as a person writes it. Rejects when it fails. */
export const shell = (line: string, cwd: string) => execute("sh", ["-c", line], { cwd, env: npmEnv });

/** Builds all packages and packs them into a folder, without building each again before it is packed: paths of the files by package. */
export const packPackages = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  await npm(["run", "build"], repository);
  const workspaces = Object.values(packages).flatMap((each) => ["--workspace", each]);
  const { stdout } = await npm(
    ["pack", "--ignore-scripts", "--json", "--pack-destination", folder, ...workspaces],
    repository,
  );
  // npm lists them as an array, or by name.
  const listed: Readonly<Record<string, { readonly name: string; readonly filename: string }>> = JSON.parse(stdout);
  return Object.fromEntries(Object.values(listed).map(({ name, filename }) => [name, join(folder, filename)]));
};
