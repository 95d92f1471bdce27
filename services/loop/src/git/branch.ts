/** Sets up the branch of a ticket: made from a base, or checked out when it exists; a worktree of its own for parallel work. */

import { join } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import type { Ticket } from "../ticket/ticket.ts";
import { slug } from "../value/text.ts";
import { gitArguments, parseRevision, type Revision } from "./arguments.ts";
import type { Git } from "./git.ts";

interface BranchSetup {
  readonly branchName: string;
  readonly baseBranch: string;
  /** The project's folder in the worktree, relative to the project, or null for the project itself. */
  readonly worktree: string | null;
  readonly message: string;
}

export const branchName = ({ id, title }: Ticket): string => `promptwheel/${id}/${slug(title, 50)}`;

export const worktreePath = ({ id }: Pick<Ticket, "id">): string => `.promptwheel/worktrees/${id}`;

/** What git cannot do, as the contract declares it. */
export const gitRefused = (message: string, hint?: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    reason: "git_refused",
    message,
    ...(hint !== undefined && { hint }),
  });

interface BranchRequest {
  readonly ticket: Ticket;
  readonly baseBranch: string | undefined;
  /** A worktree instead of switching the project's own. */
  readonly ownWorktree: boolean;
}

/** The locks that git may take for it; absolute paths. */
export const listBranchLocks = async (git: Git, ticket: Ticket): Promise<readonly string[]> => {
  const branch = parseRevision(branchName(ticket));
  return branch === undefined ? [] : listLocks(git, branch);
};

/** The same for any branch. */
export const listLocks = async (git: Git, branch: Revision): Promise<readonly string[]> =>
  (await git(gitArguments.lockPaths(branch))).stdout.split("\n").filter((path) => path !== "");

export const setUpBranch = async (
  git: Git,
  root: string,
  { ticket, baseBranch, ownWorktree }: BranchRequest,
): Promise<BranchSetup> => {
  const branch = await parseBranchName(git, branchName(ticket));
  const base = await findBase(git, baseBranch);
  const exists = (await git(gitArguments.branchExists(branch))).code === 0;
  const worktree = ownWorktree ? worktreePath(ticket) : null;
  if (git.prefix) await requireFolder(git, exists ? branch : base);
  const worktreeExists = worktree !== null && (await isWorktree(git, join(root, worktree)));
  if (!worktreeExists) {
    const { code, stderr } = await git(chooseSetup({ branch, base, exists, folder: worktree && join(root, worktree) }));
    if (code !== 0)
      throw gitRefused(
        `git could not set up ${branch}: ${firstLine(stderr)}`,
        stderr.includes(".lock': File exists")
          ? "another git is at work here, or was killed: when none is running, remove that file, then call again"
          : "commit or stash what is in the way, then call again",
      );
  }
  return {
    branchName: branch,
    baseBranch: base,
    worktree: worktree && `${worktree}/${git.prefix ?? ""}`.replace(/\/$/, ""),
    message: exists || worktreeExists ? `${branch} is checked out` : `${branch} was made from ${base}`,
  };
};

/** A checkout of a commit without the project's folder would be one without the project. */
const requireFolder = async (git: Git, revision: Revision): Promise<void> => {
  if (await hasFolder(git, revision)) return;
  throw gitRefused(
    `${revision} does not have the project's folder, ${git.prefix ?? ""}`,
    "commit the folder there, or name a branch that has it in baseBranch",
  );
};

const hasFolder = async (git: Git, revision: Revision): Promise<boolean> =>
  (await git(gitArguments.folderIn(revision))).code === 0;

/** Whether the folder is a worktree already; one that was only partly created is removed. */
const isWorktree = async (git: Git, folder: string): Promise<boolean> => {
  const { stdout } = await git(gitArguments.listWorktrees());
  const found = stdout.split("\0\0").find((entry) => entry.startsWith(`worktree ${folder}\0`));
  if (found === undefined) return false;
  if (!found.split("\0").includes("locked initializing")) return true;
  await git(gitArguments.removePartialWorktree(folder));
  return false;
};

interface SetupStep {
  readonly branch: Revision;
  readonly base: Revision;
  readonly exists: boolean;
  readonly folder: string | null;
}

const chooseSetup = ({ branch, base, exists, folder }: SetupStep): readonly string[] => {
  if (folder !== null)
    return exists ? gitArguments.addWorktreeForBranch(folder, branch) : gitArguments.addWorktree(folder, branch, base);
  return exists ? gitArguments.switchBranch(branch) : gitArguments.createBranch(branch, base);
};

const parseBranchName = async (git: Git, name: string): Promise<Revision> => {
  const branch = parseRevision(name);
  if (branch === undefined || (await git(gitArguments.isBranchName(branch))).code !== 0)
    throw gitRefused(`${JSON.stringify(name)} is not a name for a branch`);
  return branch;
};

/** The requested base; else main, where it has the project's folder; else the current branch. */
const findBase = async (git: Git, requested: string | undefined): Promise<Revision> => {
  const current = (await git(gitArguments.currentBranch())).stdout.trim();
  for (const name of requested === undefined ? ["main", current] : [requested]) {
    const base = parseRevision(name);
    if (base === undefined || (await git(gitArguments.resolveCommit(base))).code !== 0) continue;
    if (requested !== undefined || base === current || !git.prefix || (await hasFolder(git, base))) return base;
  }
  throw gitRefused(
    requested === undefined
      ? "the repository has no commit to start from"
      : `there is no base ${JSON.stringify(requested)}`,
    "name an existing branch in baseBranch",
  );
};

const firstLine = (text: string): string => text.split("\n")[0]?.slice(0, 300) ?? "";
