/** Scans a project: its files, its languages and tools, and which of its folders depend on which. */
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as letOthersIn } from "node:timers/promises";
import { gitArguments, parseRevision } from "../git/arguments.ts";
import type { Git } from "../git/git.ts";
import { findRemote } from "../git/published.ts";
import { probeSigning } from "../git/work-tree.ts";
import { countImporters, isSource } from "../project/import-graph.ts";
import { readInside } from "../project/safe-file.ts";
import { detectStack, type ProjectStack } from "../project/stack.ts";
import { probeNetwork } from "../qa/network.ts";
import { sectorPath } from "../state/coverage.ts";
import type { Project } from "./project.ts";
import { readBranch } from "./session-branch.ts";

interface ProjectScan {
  /** Files that git knows or would take in; none outside git, where coverage stays empty. */
  readonly files: readonly string[];
  readonly detected: ProjectStack;
}

export const scanProject = async ({ git, root }: Project): Promise<ProjectScan> => {
  const listing = git === undefined ? undefined : await git(gitArguments.listFiles());
  const files = (listing?.stdout.split("\0") ?? []).filter((file) => file !== "");
  const packageFile = readInside(root, "package.json", 1_048_576);
  return { files, detected: detectStack(files, packageFile.kind === "text" ? packageFile.text : undefined) };
};

/** The scan that a session starts with. */
export interface ProjectSurvey extends ProjectScan {
  /** How many other sectors import a sector. */
  readonly importers: ReadonlyMap<string, number>;
  /** Whether the repository has a commit; `undefined` outside git. */
  readonly hasCommit: boolean | undefined;
  /** The branch that is checked out; null where none is. */
  readonly branch: string | null;
  /** Why verification commands cannot have the network that the configuration gives them. */
  readonly networkProblem: string | undefined;
  /** Why commits cannot be signed as the configuration says. */
  readonly signingProblem: string | undefined;
  /** Whether the repository has a remote. */
  readonly hasRemote: boolean;
  /** A package that its repository ignores, itself or all in it: git sees none of its files. */
  readonly isIgnored: boolean;
}

/** How many sources are read, and the bytes of the largest. */
const max = { sources: 2_000, bytes: 262_144 } as const;

export const surveyProject = async (project: Project): Promise<ProjectSurvey> => {
  const scan = await scanProject(project);
  const sources: { readonly path: string; readonly text: string }[] = [];
  for (const path of scan.files.filter(isSource).slice(0, max.sources)) {
    const found = readInside(project.root, path, max.bytes);
    if (found.kind === "text") sources.push({ path, text: found.text });
    if (sources.length % 50 === 0) await letOthersIn();
  }
  const { git } = project;
  const head = await git?.(gitArguments.head());
  const commit = head?.code === 0 ? parseRevision(head.stdout.trim()) : undefined;
  const index = join(tmpdir(), `fairlead-index-${randomUUID()}`);
  return {
    ...scan,
    importers: countImporters(sources, sectorPath),
    hasCommit: head && head.code === 0,
    branch: await readBranch(git),
    networkProblem: await probeNetwork(project.options.qaNetwork ?? "host"),
    signingProblem:
      git === undefined || commit === undefined
        ? undefined
        : await probeSigning({ git, root: project.root, index }, commit),
    hasRemote: git !== undefined && (await findRemote(git)) !== undefined,
    isIgnored: scan.files.length === 0 && (await ignoresAll(git)),
  };
};

/** Whether whatever is made in a package would be ignored: seen by names that a rule for some kinds of files does not all have. */
const ignoresAll = async (git: Git | undefined): Promise<boolean> => {
  if (!git?.prefix) return false;
  // Git refuses literal path specifications here; the names are ours.
  const { stdout } = await git(gitArguments.listIgnored(probes), { GIT_LITERAL_PATHSPECS: "0" });
  return probes.every((name) => stdout.split("\n").includes(name));
};

const probes = ["fairlead-probe", "fairlead-probe.ts", "src/fairlead-probe.ts"];
