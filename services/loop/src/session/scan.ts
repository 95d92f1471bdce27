/** Looks at a project: its files, and what it is made with. */
import { verbs } from "../git/verb.ts";
import { type Detected, detect } from "../project/detection.ts";
import { readInside } from "../project/safe-file.ts";
import type { Project } from "./project.ts";

export interface Scan {
  /** Files that git knows or would take in; none outside git, where coverage stays empty. */
  readonly files: readonly string[];
  readonly detected: Detected;
}

export const scanProject = async ({ git, root }: Project): Promise<Scan> => {
  const listing = git === undefined ? undefined : await git(verbs.listFiles());
  const files = (listing?.stdout.split("\0") ?? []).filter((file) => file !== "");
  const packageFile = readInside(root, "package.json", 1_048_576);
  return { files, detected: detect(files, packageFile.kind === "text" ? packageFile.text : undefined) };
};
