/**
 * What a repository says about where its work is: which files change most, where something was left to do, and which are long. For scouts: facts with
 * their source, no judgement. Not here: which of them a prompt shows (`tool/scout-facts.ts`).
 */
import { gitArguments } from "./arguments.ts";
import type { Git } from "./git.ts";

/** A file and how often something is true of it. */
export interface FileCount {
  readonly path: string;
  readonly count: number;
}

/** Files by the number of commits that changed them, among the last so many; the most first. */
export const countCommits = async (git: Git, commits: number): Promise<readonly FileCount[]> => {
  const { code, stdout } = await git(gitArguments.filesOfLog(commits));
  if (code !== 0) return [];
  const counts = new Map<string, number>();
  for (const path of stdout.split("\0").filter((name) => name !== "")) counts.set(path, (counts.get(path) ?? 0) + 1);
  return sort([...counts].map(([path, count]) => ({ path, count })));
};

/** Files by their lines with a mark like TODO; the most first. */
export const countMarks = async (git: Git): Promise<readonly FileCount[]> =>
  countMatches(git, gitArguments.countMarks());

/** Text files by their lines; the longest first. */
export const countLines = async (git: Git): Promise<readonly FileCount[]> =>
  countMatches(git, gitArguments.countLines());

/** Text files by their lines that branch; the most first. */
export const countBranches = async (git: Git): Promise<readonly FileCount[]> =>
  countMatches(git, gitArguments.countBranches());

/**
 * The day of the last commit that changed each file, like 2026-11-24, of those that git has here. One after the other, and never of one that is not there: git would walk all its
 * history for it.
 */
export const findLastChanges = async (
  git: Git,
  names: readonly string[],
): Promise<readonly (readonly [name: string, day: string])[]> => {
  const { stdout: tracked } = await git(gitArguments.listTracked(names));
  const found: (readonly [string, string])[] = [];
  for (const name of tracked.split("\0").filter((one) => names.includes(one))) {
    const { stdout } = await git(gitArguments.lastChanged(name));
    const [day] = /^\d{4}-\d{2}-\d{2}$/.exec(stdout.trim()) ?? [];
    if (day !== undefined) found.push([name, day]);
  }
  return found;
};

/** Git ends with 1 where nothing matches. */
const countMatches = async (git: Git, args: readonly string[]): Promise<readonly FileCount[]> => {
  const { stdout } = await git(args);
  return sort(
    stdout.split("\n").flatMap((line) => {
      const end = line.lastIndexOf("\0");
      const [path, count] = [line.slice(0, Math.max(0, end)), Number(line.slice(end + 1))];
      return path !== "" && Number.isSafeInteger(count) ? [{ path, count }] : [];
    }),
  );
};

const sort = (counts: readonly FileCount[]): readonly FileCount[] =>
  counts.toSorted((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1));
