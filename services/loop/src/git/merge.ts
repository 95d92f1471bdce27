/**
 * Brings a ticket's branch into the branch that a session began on. The merge is computed among git's objects; the files of a person who
 * has that branch checked out change only where git itself says that nothing of theirs is in the way. Each step may be repeated after a kill.
 *
 * Not here: which branches are merged, and what becomes of a conflict (`working-tree/settle-worktree.ts`).
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { gitArguments, parseRevision, type Revision, requireRevision } from "./arguments.ts";
import type { Git } from "./git.ts";
import { changedFiles, commitMerge, filteredFiles, namesIn } from "./work-tree.ts";

/** The result of a merge. */
type MergeResult =
  | { readonly kind: "merged"; readonly commit: Revision }
  | { readonly kind: "conflict"; readonly files: readonly string[] }
  /** Nothing was changed, for this reason. */
  | { readonly kind: "left"; readonly why: string };

/** A repository, and the folder at its top. */
interface MergePlace {
  readonly git: Git;
  /** Real path of the top of the work tree. */
  readonly top: string;
}

interface MergeRequest {
  /** The branch that takes the work in. */
  readonly into: Revision;
  /** The commit that is merged. */
  readonly tip: Revision;
  readonly message: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const left = (why: string): MergeResult => ({ kind: "left", why });

export const mergeInto = async (place: MergePlace, request: MergeRequest): Promise<MergeResult> => {
  const { git } = place;
  const target = parseRevision((await git(gitArguments.resolveCommit(localBranch(request.into)))).stdout.trim());
  if (target === undefined) return left(`there is no branch ${request.into} any more`);
  if (await isAncestor(git, request.tip, target)) return { kind: "merged", commit: request.tip };
  const merged = await computeMerge(git, target, request);
  return merged.kind === "merged" ? moveBranch(place, { ...request, target, commit: merged.commit }) : merged;
};

/** A branch by its full name. */
export const localBranch = (branch: Revision): Revision => requireRevision(`refs/heads/${branch}`);

const isAncestor = async (git: Git, first: Revision, second: Revision): Promise<boolean> =>
  (await git(gitArguments.isAncestor(first, second))).code === 0;

/** The commit with both in it; nothing points to it yet. */
const computeMerge = async (git: Git, target: Revision, { tip, message, at }: MergeRequest): Promise<MergeResult> => {
  if (await isAncestor(git, target, tip)) return { kind: "merged", commit: tip };
  const { code, stdout } = await git(gitArguments.mergeTree(target, tip));
  const [tree = "", ...files] = stdout.split("\0").filter((part) => part !== "");
  if (code === 1) return { kind: "conflict", files: [...new Set(files)] };
  const found = parseRevision(tree);
  if (code !== 0 || found === undefined) return left("this git cannot merge without a work tree (2.38 can)");
  return { kind: "merged", commit: await commitMerge(git, found, { parents: [target, tip], message, at }) };
};

interface BranchMove extends MergeRequest {
  readonly target: Revision;
  readonly commit: Revision;
}

const moveBranch = async (place: MergePlace, { into, target, commit }: BranchMove): Promise<MergeResult> => {
  const { git } = place;
  const current = (await git(gitArguments.currentBranch())).stdout.trim();
  if (current !== into) {
    const { stdout } = await git(gitArguments.listWorktrees());
    if (stdout.split("\0").includes(`branch refs/heads/${into}`))
      return left(`${into} is checked out in another worktree`);
    const { code } = await git(gitArguments.moveBranch(into, commit, target));
    return code === 0 ? { kind: "merged", commit } : left(`git could not move ${into}`);
  }
  const inTheWay = await findObstacles(place, target, commit);
  if (inTheWay.length > 0) return left(`in the way: ${inTheWay.slice(0, 5).join(", ")}`);
  await git(gitArguments.refreshIndex());
  const { code, stderr } = await git(gitArguments.checkOutTrees(target, commit));
  if (code !== 0) return left(`uncommitted edits are in the way: ${stderr.split("\n")[0]?.slice(0, 200) ?? ""}`);
  // The branch by its name: somebody may check out another one meanwhile.
  const isCheckedOut = (await git(gitArguments.currentBranch())).stdout.trim() === into;
  const isMoved = isCheckedOut && (await git(gitArguments.moveBranch(into, commit, target))).code === 0;
  if (isMoved) return { kind: "merged", commit };
  const { code: undone } = await git(gitArguments.checkOutTrees(commit, target));
  return left(`git could not move ${into}${undone === 0 ? "" : ", and the merged files could not be taken back"}`);
};

/** Files that the merge adds where something else is, which git takes for granted when it is ignored; and files that a filter rewrites. */
const findObstacles = async ({ git, top }: MergePlace, from: Revision, to: Revision): Promise<readonly string[]> => {
  const changed = await changedFiles(git, from, to);
  const filtered = await filteredFiles(git, changed);
  const known = await namesIn(git, from, changed);
  const obstacles = [...filtered];
  for (const file of changed)
    if (!known.has(file) && isTaken(top, file) && !(await isSame({ git, top }, to, file))) obstacles.push(file);
  return obstacles;
};

/** Something is there, or a file is in the place of one of its folders. */
const isTaken = (top: string, file: string): boolean => {
  let at = top;
  const parts = file.split("/");
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined) return false;
    if (index === parts.length - 1 || !found.isDirectory()) return true;
  }
  return false;
};

/** It is what the merge would write: a killed git has written it already. */
const isSame = async ({ git, top }: MergePlace, commit: Revision, file: string): Promise<boolean> => {
  if (lstatSync(join(top, file), { throwIfNoEntry: false })?.isFile() !== true) return false;
  const [here, there] = await Promise.all([git(gitArguments.hashFile(file)), git(gitArguments.objectAt(commit, file))]);
  return here.code === 0 && there.code === 0 && here.stdout.trim() === there.stdout.trim();
};
