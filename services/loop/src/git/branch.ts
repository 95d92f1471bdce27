/** Sets up the branch of a ticket: made from a base, or checked out when it is there; a worktree of its own for parallel work. */

import { join } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import type { Ticket } from "../ticket/ticket.ts";
import { slug } from "../value/text.ts";
import { parseRevision, type Revision, verbs } from "./arguments.ts";
import type { Git } from "./git.ts";

export interface BranchSetup {
  readonly branchName: string;
  readonly baseBranch: string;
  /** Folder relative to the project, or null for the project itself. */
  readonly worktree: string | null;
  readonly message: string;
}

export const branchOf = ({ id, title }: Ticket): string => `promptwheel/${id}/${slug(title, 50)}`;

export const worktreeOf = ({ id }: Ticket): string => `.promptwheel/worktrees/${id}`;

const refuse = (message: string, hint?: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    reason: "git_refused",
    message,
    ...(hint !== undefined && { hint }),
  });

interface Wish {
  readonly ticket: Ticket;
  readonly baseBranch: string | undefined;
  /** A worktree instead of switching the project's own. */
  readonly apart: boolean;
}

/** The locks that git may take for it; absolute paths. */
export const locksOf = async (git: Git, ticket: Ticket): Promise<readonly string[]> => {
  const branch = parseRevision(branchOf(ticket));
  if (branch === undefined) return [];
  const { stdout } = await git(verbs.lockPaths(branch));
  return stdout.split("\n").filter((path) => path !== "");
};

export const setUpBranch = async (
  git: Git,
  root: string,
  { ticket, baseBranch, apart }: Wish,
): Promise<BranchSetup> => {
  const branch = await checkedName(git, branchOf(ticket));
  const base = await baseOf(git, baseBranch);
  const exists = (await git(verbs.branchExists(branch))).code === 0;
  const worktree = apart ? worktreeOf(ticket) : null;
  const there = worktree !== null && (await isWorktree(git, join(root, worktree)));
  if (!there) {
    const { code, stderr } = await git(setUp({ branch, base, exists, folder: worktree && join(root, worktree) }));
    if (code !== 0)
      throw refuse(
        `git could not set up ${branch}: ${firstLine(stderr)}`,
        stderr.includes(".lock': File exists")
          ? "another git is at work here, or was killed: when none is running, remove that file, then call again"
          : "commit or stash what is in the way, then call again",
      );
  }
  return {
    branchName: branch,
    baseBranch: base,
    worktree,
    message: exists || there ? `${branch} is checked out` : `${branch} was made from ${base}`,
  };
};

/** Whether the folder is a worktree already; one whose making was cut off is removed. */
const isWorktree = async (git: Git, folder: string): Promise<boolean> => {
  const { stdout } = await git(verbs.listWorktrees());
  const found = stdout.split("\0\0").find((entry) => entry.startsWith(`worktree ${folder}\0`));
  if (found === undefined) return false;
  if (!found.split("\0").includes("locked initializing")) return true;
  await git(verbs.removeHalfMade(folder));
  return false;
};

interface Step {
  readonly branch: Revision;
  readonly base: Revision;
  readonly exists: boolean;
  readonly folder: string | null;
}

const setUp = ({ branch, base, exists, folder }: Step): readonly string[] => {
  if (folder !== null) return exists ? verbs.addWorktreeOn(folder, branch) : verbs.addWorktree(folder, branch, base);
  return exists ? verbs.checkOut(branch) : verbs.createBranch(branch, base);
};

const checkedName = async (git: Git, name: string): Promise<Revision> => {
  const branch = parseRevision(name);
  if (branch === undefined || (await git(verbs.isBranchName(branch))).code !== 0)
    throw refuse(`${JSON.stringify(name)} is no name for a branch`);
  return branch;
};

/** The base that was asked for, else main, else the current branch. */
const baseOf = async (git: Git, wanted: string | undefined): Promise<Revision> => {
  const current = (await git(verbs.currentBranch())).stdout.trim();
  for (const name of wanted === undefined ? ["main", current] : [wanted]) {
    const base = parseRevision(name);
    if (base !== undefined && (await git(verbs.commitOf(base))).code === 0) return base;
  }
  throw refuse(
    wanted === undefined ? "the repository has no commit to start from" : `there is no base ${JSON.stringify(wanted)}`,
    "name an existing branch in baseBranch",
  );
};

const firstLine = (text: string): string => text.split("\n")[0]?.slice(0, 300) ?? "";
