/** Where a project is: its folder, its `.promptwheel` beside the sources, and whether git is there. No link is followed out of it. */
import { lstatSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
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

/** True when the folder is the top of a work tree; a symlinked `.git` does not count. */
export const hasGit = (root: string): boolean => {
  const found = lstatSync(join(root, ".git"), { throwIfNoEntry: false });
  return found !== undefined && !found.isSymbolicLink();
};
