/** Looks at a project: its files, what it is made with, and which of its folders depend on which. */
import { setImmediate as letOthersIn } from "node:timers/promises";
import { verbs } from "../git/arguments.ts";
import { importersByFolder, isSource } from "../project/import-graph.ts";
import { readInside } from "../project/safe-file.ts";
import { type Detected, detect } from "../project/stack.ts";
import { sectorOf } from "../state/coverage.ts";
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

/** What a session begins with. */
export interface Survey extends Scan {
  /** How many other sectors import a sector. */
  readonly importers: ReadonlyMap<string, number>;
}

/** Sources that are looked at, and the bytes of the largest. */
const most = { sources: 2_000, bytes: 262_144 } as const;

export const surveyProject = async (project: Project): Promise<Survey> => {
  const scan = await scanProject(project);
  const sources: { readonly path: string; readonly text: string }[] = [];
  for (const path of scan.files.filter(isSource).slice(0, most.sources)) {
    const found = readInside(project.root, path, most.bytes);
    if (found.kind === "text") sources.push({ path, text: found.text });
    if (sources.length % 50 === 0) await letOthersIn();
  }
  return { ...scan, importers: importersByFolder(sources, sectorOf) };
};
