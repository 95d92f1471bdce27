/**
 * Facts for a scout's prompt: where the repository changes, what was left to do in it, what is long or branches much, and what its tools have left of their last run. Each
 * with its source, within the session's scope.
 */
import { readReports, type ToolReport } from "../evidence/report-file.ts";
import type { Git } from "../git/git.ts";
import {
  countBranches,
  countCommits,
  countLines,
  countMarks,
  type FileCount,
  findLastChanges,
} from "../git/history.ts";
import { isSource } from "../project/import-graph.ts";
import { createSessionMatcher } from "../scope/check.ts";
import type { Project } from "../session/project.ts";
import type { SessionSettings } from "../state/settings.ts";

/** Commits that are counted, and those that are recent; files in a line; characters of a file's name. */
const most = { commits: 500, recent: 20, files: 8, name: 120 } as const;
/** Lines from which a file is worth a word, commits, and lines that branch. */
const least = { lines: 300, commits: 3, branches: 40 } as const;
/** Files of a repository that are read for a prompt; of a larger one its log alone is. */
const readableFiles = 50_000;

/** Files in which package managers write down the versions that are used. */
const lockFiles = [
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "Cargo.lock",
  "go.sum",
  "poetry.lock",
  "uv.lock",
  "Gemfile.lock",
  "composer.lock",
] as const;

export const readScoutFacts = async (
  { git, root, options }: Pick<Project, "git" | "root" | "options">,
  { scope, excludeDirs }: Pick<SessionSettings, "scope" | "excludeDirs">,
  files: number,
): Promise<readonly string[]> => {
  if (git === undefined) return [];
  const inScope = createSessionMatcher(scope, excludeDirs);
  const show = (what: string, counts: readonly FileCount[], unit = ""): readonly string[] => {
    const shown = counts.filter(({ path }) => isPlain(path) && inScope(path)).slice(0, most.files);
    return shown.length === 0
      ? []
      : [`${what}: ${shown.map(({ path, count }) => `${path} ${count}${unit}`).join(", ")}`];
  };
  const [all = [], recent = [], marks = [], lines = [], branches = []] = await Promise.all([
    countCommits(git, most.commits),
    countCommits(git, most.recent),
    ...(files > readableFiles ? [] : [countMarks(git), countLines(git), countBranches(git)]),
  ]);
  const often = all.filter(({ count }) => count >= least.commits);
  const long = lines.filter(({ path, count }) => count >= least.lines && isSource(path));
  const branching = branches.filter(({ path, count }) => count >= least.branches && isSource(path));
  return [
    ...show(`Changed most often, by commits of the last ${most.commits} (git log)`, often),
    ...show(`Changed lately, by commits of the last ${most.recent} (git log)`, recent),
    ...show("Left to do, by lines with TODO, FIXME, XXX or HACK (git grep)", marks),
    ...show("Longest sources, by lines (git grep)", long),
    ...show("Sources that branch most, by lines that do (git grep)", branching),
    ...(await readReports(root, options.clock())).flatMap((report) => showReport(report, show)),
    ...(files > readableFiles ? [] : await showVersions(git)),
  ];
};

const reportLines = [
  ["failing", "Failed tests, by file", "", 1],
  ["slow", "Slowest tests, by file", " ms", 1_000],
  ["uncovered", "Lines without coverage, in percent", "", 20],
  ["lint", "Findings of the linter, by file", "", 1],
] as const;

type Show = (what: string, counts: readonly FileCount[], unit?: string) => readonly string[];

const showReport = ({ path, days, counts }: ToolReport, show: Show): readonly string[] =>
  reportLines.flatMap(([kind, what, unit, from]) => {
    const known = counts.filter((one) => one.kind === kind && one.count >= from);
    const age = days === 0 ? "written today" : `${days} ${days === 1 ? "day" : "days"} old`;
    return show(`${what} (${path}, ${age})`, known, unit);
  });

/** How long the versions of dependencies have been what they are. */
const showVersions = async (git: Git): Promise<readonly string[]> => {
  const dated = (await findLastChanges(git, lockFiles)).map(([path, day]) => `${path} ${day}`);
  return dated.length === 0 ? [] : [`Versions of dependencies last changed (git log): ${dated.join(", ")}`];
};

/** A name may hold anything, and a prompt is read line by line. */
const isPlain = (path: string): boolean => path.length <= most.name && !/[\p{Cc}\p{Cf}\u2028\u2029`]/u.test(path);
