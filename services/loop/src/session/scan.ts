/** Looks at a project before a session starts: its files by folder, and what it is made with. */
import { verbs } from "../git/verb.ts";
import { limits } from "../limits.ts";
import { type Sector, sectorsOf } from "../machine/coverage.ts";
import { type Detected, detect } from "../project/detection.ts";
import { readInside } from "../project/safe-file.ts";
import { deniedBecause } from "../scope/check.ts";
import type { Project } from "./project.ts";

export interface Scan {
  readonly sectors: readonly Sector[];
  readonly detected: Detected;
}

/** Outside git there is no list of files: coverage stays empty. */
export const scanProject = async ({ git, root }: Project): Promise<Scan> => {
  const listing = git === undefined ? undefined : await git(verbs.listFiles());
  const files = (listing?.stdout.split("\0") ?? []).filter((file) => file !== "" && deniedBecause(file) === undefined);
  const packageFile = readInside(root, "package.json", 1_048_576);
  return {
    sectors: sectorsOf(files, limits.sectors),
    detected: detect(files, packageFile.kind === "text" ? packageFile.text : undefined),
  };
};
