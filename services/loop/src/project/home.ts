/** Where a project is: its folder, its `.promptwheel` beside the sources, and the repository it is in. No link is followed out of it. */
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import { EscapeError, makeFolder, readInside, replaceInside } from "./safe-file.ts";

const folderName = ".promptwheel";

/** Keeps everything but formulas and tools out of the repository without touching its own .gitignore. */
const ignoreText = "*\n!formulas/\n!formulas/**\n!tools/\n!tools/**\n";

/** The real path of a project's folder. */
export const resolveFolder = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true)
    throw new FairleadError({
      code: "failed_precondition",
      message: `the project's folder ${path} is not there`,
      hint: "correct the path in the service's configuration",
    });
  return realpathSync(path);
};

/** The real path that `.promptwheel` has or will have; something else than a folder in its place is refused. Makes nothing. */
export const resolveHome = (root: string): string => {
  const home = join(root, folderName);
  const found = lstatSync(home, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory())
    throw notPlainError(found.isSymbolicLink() ? "it is a symlink" : "it is a file");
  return home;
};

const notPlainError = (why: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: `${folderName} in the project is not a plain folder: ${why}`,
    hint: `remove ${folderName} or make it a folder`,
  });

/** Makes `.promptwheel` where it is not there. */
export const openHome = (root: string): string => {
  try {
    const home = makeFolder(root, folderName);
    if (readInside(home, ".gitignore", 4_096).kind === "missing") replaceInside(home, ".gitignore", ignoreText);
    return home;
  } catch (problem) {
    if (!(problem instanceof EscapeError)) throw problem;
    throw notPlainError(problem.message);
  }
};

/** The repository that a project is in. */
interface ProjectRepository {
  /** Real path of the top of its work tree. */
  readonly top: string;
  /** The project's folder in it, like `packages/a/`; empty at the top. */
  readonly prefix: string;
}

/**
 * The repository whose top is the project or a folder above it on the same file system; `undefined` outside git. The first `.git` on the
 * way up decides: a symlink does not count, nor above the project what is not a repository or another user's.
 */
export const findRepository = (root: string): ProjectRepository | undefined => {
  const own = lstatSync(root);
  for (let top = root; ; top = dirname(top)) {
    const found = lstatSync(join(top, ".git"), { throwIfNoEntry: false });
    const atTop = top === root;
    if (found !== undefined && (atTop || !found.isDirectory() || existsSync(join(top, ".git/HEAD")))) {
      if (found.isSymbolicLink() || (!atTop && found.uid !== own.uid)) return undefined;
      return { top, prefix: atTop ? "" : `${relative(top, root).replaceAll(sep, "/")}/` };
    }
    if (dirname(top) === top || lstatSync(dirname(top)).dev !== own.dev) return undefined;
  }
};
