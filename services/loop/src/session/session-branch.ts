/** The branch that a session began on: read at its start, and checked out again after a ticket that was worked on in place on its own branch. */
import { gitArguments, parseRevision } from "../git/arguments.ts";
import type { Git } from "../git/git.ts";
import type { SessionSettings } from "../state/settings.ts";
import type { Project } from "./project.ts";

/** The branch that is checked out; null where none is. */
export const readBranch = async (git: Git | undefined): Promise<string | null> => {
  if (git === undefined) return null;
  const { code, stdout } = await git(gitArguments.currentBranch());
  return code === 0 ? stdout.trim() : null;
};

/** Where the session owns its tree and a ticket's branch is checked out. Git refuses where that would lose an edit: then it stays. */
export const returnToBranch = async (
  { git, options }: Project,
  { ownTree, startBranch }: SessionSettings,
): Promise<void> => {
  const start = parseRevision(startBranch ?? "");
  if (git === undefined || !ownTree || start === undefined) return;
  const current = await readBranch(git);
  if (current === start || current?.startsWith("promptwheel/") !== true) return;
  const { code, stderr } = await git(gitArguments.switchBranch(start));
  if (code !== 0) options.warn(`the session stays on ${current}`, { problem: stderr.split("\n")[0] ?? "" });
};
