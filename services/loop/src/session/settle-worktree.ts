/**
 * How a closed ticket ends that was worked on in a worktree of its own: all that differs there is its work. A done one is committed on its
 * branch, which is then merged into the branch that the session began on, or left, by setting and where that is refused. Anything else is
 * parked. The worktree goes once the end is recorded, and never while it holds something that no branch has.
 *
 * Not here: tickets that were worked on in the project's own folder (`settle-tree.ts`).
 */
import { join } from "node:path";
import { gitArguments, parseRevision, type Revision, requireRevision } from "../git/arguments.ts";
import { gitRefused } from "../git/branch.ts";
import { takeBaseline } from "../git/change.ts";
import { type Git, openGit } from "../git/git.ts";
import { mergeInto } from "../git/merge.ts";
import { changedFiles, commitWork, filteredFiles, pointBranch } from "../git/work-tree.ts";
import type { SessionSettings } from "../state/settings.ts";
import type { TreeSettlement, UnsettledTicket } from "../state/tree.ts";
import { formatMessage, parkedBranch } from "./commit-message.ts";
import { readBaseline } from "./measure.ts";
import type { Project } from "./project.ts";

/** A ticket's worktree, and how the session ends work. */
interface WorktreeEnd {
  readonly ticket: UnsettledTicket;
  /** Absolute path of the worktree's top. */
  readonly folder: string;
  readonly settings: SessionSettings;
}

export const settleWorktree = async (
  project: Project,
  { ticket, folder, settings }: WorktreeEnd,
): Promise<TreeSettlement> => {
  const { home, git: own } = project;
  const prefix = own?.prefix ?? "";
  const git = openGit(folder, prefix);
  const root = join(folder, prefix);
  const now = await takeBaseline(git, root);
  if (now === undefined)
    throw gitRefused(
      `git does not say what differs from HEAD in the worktree of ${ticket.id}, or too many files do, so that its work cannot be committed`,
      "see that git status works there and lists no more than 2,000 files, then call again",
    );
  const dirty = Object.keys(now.dirty).toSorted();
  const unattributed = await filteredFiles(git, dirty);
  const files = dirty.filter((file) => !unattributed.includes(file));
  const head = requireRevision(now.head);
  const tree = { git, root, index: join(home, `index-${ticket.id}`) };
  const tip =
    files.length === 0 ? head : await commitWork(tree, head, { files, message: formatMessage(ticket), at: ticket.at });
  const base = await findBase(project, git, { ticket, tip, settings });
  const common = {
    ticket_id: ticket.id,
    title: ticket.title,
    outcome: ticket.outcome,
    unattributed,
    before: null,
    conflicts: [],
    note: null,
    verification: ticket.verification,
  };
  if (tip === base) return { ...common, tree: "unchanged", commit: null, branch: null, files: [] };
  const done = { ...common, commit: tip, files: await changedFiles(git, base, tip) };
  if (ticket.outcome !== "done") {
    const branch = parkedBranch(ticket.id);
    await pointBranch(git, branch, tip);
    return { ...done, tree: "parked", branch };
  }
  const branch = await nameBranch(git, ticket, tip);
  const into = settings.startBranch === null ? undefined : parseRevision(settings.startBranch);
  if (!settings.mergeBranches || into === undefined) return { ...done, tree: "branch", branch };
  const merged = await mergeInto(
    { git: openGit(project.top), top: project.top },
    { into, tip, message: `Merge "${ticket.title.slice(0, 60)}"\n\nRun: ${ticket.runId}`, at: ticket.at },
  );
  if (merged.kind === "merged") return { ...done, tree: "commit", branch: null };
  return merged.kind === "conflict"
    ? { ...done, tree: "branch", branch, conflicts: merged.files, note: `in conflict with ${into}` }
    : { ...done, tree: "branch", branch, note: merged.why };
};

/** Where the ticket's branch began: its baseline, or else where it left the session's branch. */
const findBase = async (
  project: Project,
  git: Git,
  { ticket, tip, settings }: Pick<WorktreeEnd, "ticket" | "settings"> & { readonly tip: Revision },
): Promise<Revision> => {
  const taken = parseRevision(readBaseline(project, ticket.id)?.head ?? "");
  if (taken !== undefined) return taken;
  const start = parseRevision(settings.startBranch ?? "HEAD") ?? tip;
  return parseRevision((await git(gitArguments.mergeBase(start, tip))).stdout.trim()) ?? tip;
};

/** The branch that holds the work: the one of the worktree; where its HEAD is detached, a parked one is made. */
const nameBranch = async (git: Git, { id }: UnsettledTicket, tip: Revision): Promise<Revision> => {
  const current = parseRevision((await git(gitArguments.currentBranch())).stdout.trim());
  if (current !== undefined) return current;
  const branch = parkedBranch(id);
  await pointBranch(git, branch, tip);
  return branch;
};

/** After the end was recorded: the worktree, unless git still sees something in it, and its branch where that holds nothing of its own. */
export const removeWorktree = async (
  { git }: Project,
  folder: string,
  { tree, commit, branch }: TreeSettlement,
): Promise<void> => {
  if (git === undefined) return;
  const inside = openGit(folder);
  const own = parseRevision((await inside(gitArguments.currentBranch())).stdout.trim());
  const tip = parseRevision((await inside(gitArguments.head())).stdout.trim());
  if ((await git(gitArguments.removeWorktree(folder))).code !== 0) return;
  const isSpare = tree === "unchanged" || (tip === commit && branch !== own);
  if (own?.startsWith("promptwheel/") === true && tip !== undefined && isSpare)
    await git(gitArguments.removeBranch(own, tip));
};
