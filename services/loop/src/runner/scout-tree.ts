/** Where an agent looks around: a worktree of HEAD that goes afterwards with whatever was changed in it, so that scouting leaves no edit anywhere. */
import { join } from "node:path";
import { gitArguments, parseRevision } from "../git/arguments.ts";
import { gitRefused } from "../git/branch.ts";
import type { Project } from "../session/project.ts";
import { requireRepository } from "./open-session.ts";

export const inScoutTree = async <T>(project: Project, work: (folder: string) => Promise<T>): Promise<T> => {
  const git = requireRepository(project);
  const folder = join(project.home, "worktrees", "scout");
  const head = parseRevision((await git(gitArguments.head())).stdout.trim());
  if (head === undefined) throw gitRefused("the repository has no commit to look at");
  const remove = () => git(gitArguments.removePartialWorktree(folder));
  // A killed server leaves one.
  await remove();
  const { code, stderr } = await git(gitArguments.addDetachedWorktree(folder, head));
  if (code !== 0) throw gitRefused(`git could not make a worktree to look around in: ${stderr.split("\n")[0] ?? ""}`);
  try {
    return await work(join(folder, git.prefix ?? ""));
  } finally {
    await remove();
  }
};
