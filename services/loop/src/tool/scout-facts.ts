/** Facts for a scout's prompt: where the repository changes, what was left to do in it, what is long. Each with its source, within the session's scope. */
import { countCommits, countLines, countMarks, type FileCount } from "../git/history.ts";
import { isSource } from "../project/import-graph.ts";
import { createSessionMatcher } from "../scope/check.ts";
import type { Project } from "../session/project.ts";
import type { SessionSettings } from "../state/settings.ts";

/** Commits that are counted, and those that are recent; files in a line; characters of a file's name. */
const most = { commits: 500, recent: 20, files: 8, name: 120 } as const;
/** Lines from which a file is worth a word, and commits. */
const least = { lines: 300, commits: 3 } as const;
/** Files of a repository that are read for a prompt; of a larger one its log alone is. */
const readableFiles = 50_000;

export const readScoutFacts = async (
  { git }: Project,
  { scope, excludeDirs }: Pick<SessionSettings, "scope" | "excludeDirs">,
  files: number,
): Promise<readonly string[]> => {
  if (git === undefined) return [];
  const inScope = createSessionMatcher(scope, excludeDirs);
  const show = (what: string, counts: readonly FileCount[]): readonly string[] => {
    const shown = counts.filter(({ path }) => isPlain(path) && inScope(path)).slice(0, most.files);
    return shown.length === 0 ? [] : [`${what}: ${shown.map(({ path, count }) => `${path} ${count}`).join(", ")}`];
  };
  const [all = [], recent = [], marks = [], lines = []] = await Promise.all([
    countCommits(git, most.commits),
    countCommits(git, most.recent),
    ...(files > readableFiles ? [] : [countMarks(git), countLines(git)]),
  ]);
  const often = all.filter(({ count }) => count >= least.commits);
  const long = lines.filter(({ path, count }) => count >= least.lines && isSource(path));
  return [
    ...show(`Changed most often, by commits of the last ${most.commits} (git log)`, often),
    ...show(`Changed lately, by commits of the last ${most.recent} (git log)`, recent),
    ...show("Left to do, by lines with TODO, FIXME, XXX or HACK (git grep)", marks),
    ...show("Longest sources, by lines (git grep)", long),
  ];
};

/** A name may hold anything, and a prompt is read line by line. */
const isPlain = (path: string): boolean => path.length <= most.name && !/[\p{Cc}\p{Cf}\u2028\u2029`]/u.test(path);
