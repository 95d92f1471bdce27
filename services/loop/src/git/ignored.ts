/** What git ignores in a worktree and no command can make again: `git worktree remove` deletes it without a word. */
import { gitArguments } from "./arguments.ts";
import type { Git } from "./git.ts";

/** Folders that an installation or a build makes. */
const builtFolders: ReadonlySet<string> = new Set([
  "node_modules",
  "dist",
  "build",
  "out",
  "target",
  "coverage",
  "vendor",
  "__pycache__",
  ".cache",
  ".gradle",
  ".mypy_cache",
  ".next",
  ".nuxt",
  ".pytest_cache",
  ".ruff_cache",
  ".svelte-kit",
  ".tox",
  ".turbo",
  ".venv",
  "venv",
]);

const builtFile = /\.(?:pyc|class|o|tsbuildinfo)$|(?:^|\/)\.DS_Store$/;

const isBuilt = (path: string): boolean =>
  builtFile.test(path) ||
  path
    .split("/")
    .slice(0, -1)
    .some((name) => builtFolders.has(name));

/** Ignored files and folders (with a slash at the end) outside of those, from the top. Throws where git has no answer. */
export const listKept = async (git: Git): Promise<readonly string[]> => {
  const { code, stdout } = await git(gitArguments.statusIgnored());
  if (code !== 0) throw new Error("git does not say what it ignores");
  const entries = stdout.split("\0").filter((entry) => entry.startsWith("!! "));
  return entries.map((entry) => entry.slice(3)).filter((path) => !isBuilt(path));
};
