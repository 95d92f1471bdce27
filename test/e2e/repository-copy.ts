/**
 * A copy of this repository as it stands, in a temporary folder and under git, to change things in. Third-party packages are
 * linked to the installed ones; our own are linked to the copy's, as `npm install` would.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { repository } from "./command.ts";

export interface RepositoryCopy {
  readonly folder: string;
  /** Links a workspace of the copy into its `node_modules`. */
  link(workspace: string): Promise<void>;
  /** Paths that differ from what was copied, new files one by one, sorted. */
  changed(): readonly string[];
  remove(): Promise<void>;
}

export const copyRepository = async (): Promise<RepositoryCopy> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "fairlead-copy-")));
  const listed = git(repository, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0");
  for (const path of listed.filter((each) => each !== "" && existsSync(join(repository, each)))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(repository, path), join(folder, path), { verbatimSymlinks: true });
  }
  git(folder, ["init", "--quiet"]);
  git(folder, ["add", "--all"]);
  git(folder, [...author, "commit", "--quiet", "--no-verify", "--message", "The repository as it stands"]);
  const link = (workspace: string): Promise<void> => linkWorkspace(folder, workspace);
  await linkOthers(folder);
  const isWorkspace = (path: string): boolean =>
    /^[^/]+(\/[^/]+){0,2}\/package\.json$/.test(path) && !path.startsWith("test/foreign/");
  for (const path of listed.filter(isWorkspace)) await link(dirname(path));
  return {
    folder,
    link,
    changed: () =>
      git(folder, ["status", "--porcelain", "-z", "--untracked-files=all"])
        .split("\0")
        .filter((line) => line !== "")
        .map((line) => line.slice(3))
        .toSorted(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const author = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];

/** Without the variables that git sets for its hooks, which would lead it to another repository. */
const git = (cwd: string, args: readonly string[]): string => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return execFileSync("git", args, { cwd, env, encoding: "utf8", maxBuffer: 64 * 1_048_576 });
};

const linkOthers = async (folder: string): Promise<void> => {
  const installed = join(repository, "node_modules");
  await mkdir(join(folder, "node_modules/@fairlead"), { recursive: true });
  for (const entry of await readdir(installed, { withFileTypes: true })) {
    const { name } = entry;
    // A link is one of our own packages.
    if (entry.isSymbolicLink() || ["@fairlead", ".cache", ".bin"].includes(name)) continue;
    await symlink(join(installed, name), join(folder, "node_modules", name));
  }
  await linkPrograms(join(installed, ".bin"), folder);
};

/** Programs of others are the installed ones, the `fairlead` command is the copy's. */
const linkPrograms = async (installed: string, folder: string): Promise<void> => {
  const bin = join(folder, "node_modules/.bin");
  await mkdir(bin);
  for (const name of await readdir(installed))
    if (name !== "fairlead") await symlink(await realpath(join(installed, name)), join(bin, name));
  await symlink(join(folder, "clients/cli/bin/fairlead.js"), join(bin, "fairlead"));
};

const linkWorkspace = async (folder: string, workspace: string): Promise<void> => {
  const { name } = JSON.parse(await readFile(join(folder, workspace, "package.json"), "utf8"));
  if (typeof name !== "string" || !/^(@fairlead\/)?[\w-]+$/.test(name)) return;
  const at = join(folder, "node_modules", name);
  await symlink(relative(dirname(at), join(folder, workspace)), at);
};
