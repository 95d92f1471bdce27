/**
 * How a closed ticket ends that was worked on in a worktree of its own: all that differs there is its work. A done one is committed on its
 * branch, which is then merged into the branch that the session began on, or left, by setting and where that is refused. Anything else is
 * parked. Where the worktree is gone already its branch is settled the same. The worktree goes once the end is recorded, and never while
 * it holds something that no branch has: a build folder may be made again, another ignored file may not.
 *
 * Not here: tickets that were worked on in the project's own folder (`settle-tree.ts`).
 */
import { join } from "node:path";
import { gitArguments, parseRevision, type Revision, requireRevision } from "../git/arguments.ts";
import { gitRefused } from "../git/branch.ts";
import { takeBaseline } from "../git/change.ts";
import { fromTop, type Git, openGit } from "../git/git.ts";
import { listKept } from "../git/ignored.ts";
import { localBranch, mergeInto } from "../git/merge.ts";
import {
  changedFiles,
  commitWork,
  filesOfCommit,
  filteredFiles,
  findCommitWith,
  pointBranch,
} from "../git/work-tree.ts";
import type { Project } from "../session/project.ts";
import type { SessionSettings } from "../state/settings.ts";
import type { TreeSettlement, UnsettledTicket } from "../state/tree.ts";
import { formatMessage, parkedBranch } from "./commit-message.ts";
import { readBaseline } from "./measure.ts";

/** A ticket's worktree, and how the session ends work. */
interface WorktreeEnd {
  readonly ticket: UnsettledTicket;
  /** Absolute path of the worktree's top. */
  readonly folder: string;
  readonly settings: SessionSettings;
}

/** A ticket's end, and the commit that it was found with; none where there was nothing. */
interface SettledWork {
  readonly end: TreeSettlement;
  readonly tip: Revision | undefined;
}

export const settleWorktree = async (
  project: Project,
  { ticket, folder, settings }: WorktreeEnd,
): Promise<SettledWork> => {
  const { home, git: own } = project;
  const prefix = own?.prefix ?? "";
  const git = openGit(folder, { prefix, signing: project.options.signing });
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
    files.length === 0
      ? head
      : await commitWork(tree, head, {
          files,
          message: formatMessage(ticket),
          at: ticket.at,
          // What is parked is kept for a person, and must not depend on a key.
          signed: ticket.outcome === "done",
        });
  const branch = parseRevision((await git(gitArguments.currentBranch())).stdout.trim());
  const end = await settleTip(project, git, { ticket, settings, tip, branch, unattributed });
  const ignored = await listKept(openGit(folder));
  if (ignored.length === 0) return { end, tip };
  const kept = `its worktree is kept for files that git ignores: ${ignored.slice(0, 5).join(", ")}`;
  return { end: { ...end, note: end.note === null ? kept : `${end.note}; ${kept}` }, tip };
};

interface BranchEnd extends Omit<WorktreeEnd, "folder"> {
  /** The branch that the worktree was set up with. */
  readonly branch: Revision;
  /** The commit that the ticket was taken at. */
  readonly since: Revision;
}

/** A ticket whose worktree is gone: its branch has what it committed. The project's folder is not looked at: what lies there is a person's. */
export const settleBranch = async (
  project: Project,
  git: Git,
  { ticket, branch, since, settings }: BranchEnd,
): Promise<SettledWork> => {
  for (const name of [branch, parkedBranch(ticket.id)]) {
    const tip = parseRevision((await git(gitArguments.resolveCommit(localBranch(name)))).stdout.trim());
    if (tip === undefined) continue;
    return { end: await settleTip(project, git, { ticket, settings, tip, branch: name, unattributed: [] }), tip };
  }
  const common = { ...describeEnd(ticket), branch: null, unattributed: [] };
  // A server that was killed had merged it already.
  const merged = await findCommitWith(git, since, `\nTicket: ${ticket.id}\nVerification: `);
  const end: TreeSettlement =
    merged === undefined
      ? {
          ...common,
          tree: "unchanged",
          commit: null,
          files: [],
          note: `its worktree and its branch ${branch} are gone`,
        }
      : { ...common, tree: "commit", commit: merged, files: await filesOfCommit(git, merged) };
  return { end, tip: undefined };
};

const describeEnd = ({ id, title, outcome, verification }: UnsettledTicket) => ({
  ticket_id: id,
  title,
  outcome,
  before: null,
  conflicts: [],
  note: null,
  verification,
});

interface CommittedWork extends Omit<WorktreeEnd, "folder"> {
  readonly tip: Revision;
  /** The branch that holds it; none where the worktree's HEAD is detached. */
  readonly branch: Revision | undefined;
  readonly unattributed: readonly string[];
}

/** Merges, leaves or parks what the ticket's branch has. */
const settleTip = async (
  project: Project,
  git: Git,
  { ticket, settings, tip, branch: current, unattributed }: CommittedWork,
): Promise<TreeSettlement> => {
  const base = await findBase(project, git, { ticket, tip, settings });
  const common = { ...describeEnd(ticket), unattributed };
  if (tip === base) return { ...common, tree: "unchanged", commit: null, branch: null, files: [] };
  const done = { ...common, commit: tip, files: await changedFiles(git, base, tip) };
  if (ticket.outcome !== "done") {
    const branch = parkedBranch(ticket.id);
    await pointBranch(git, branch, tip);
    return { ...done, tree: "parked", branch };
  }
  const branch = current ?? parkedBranch(ticket.id);
  if (current === undefined) await pointBranch(git, branch, tip);
  const into = settings.startBranch === null ? undefined : parseRevision(settings.startBranch);
  if (!settings.mergeBranches || into === undefined) return { ...done, tree: "branch", branch };
  const merged = await mergeInto(
    { git: openGit(project.top, { signing: project.options.signing }), top: project.top },
    { into, tip, message: `Merge "${ticket.title.slice(0, 60)}"\n\nRun: ${ticket.runId}`, at: ticket.at },
  );
  if (merged.kind === "merged") return { ...done, tree: "commit", branch: null };
  return merged.kind === "conflict"
    ? {
        ...done,
        tree: "branch",
        branch,
        conflicts: merged.files.map((file) => fromTop(git, file)),
        note: `in conflict with ${into}`,
      }
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

/** After the end was recorded: the worktree, unless something came into it since, and its branch where that holds nothing of its own. */
export const removeWorktree = async ({ git }: Project, folder: string, settled: SettledWork): Promise<void> => {
  if (git === undefined) return;
  const inside = openGit(folder);
  const own = parseRevision((await inside(gitArguments.currentBranch())).stdout.trim());
  const tip = parseRevision((await inside(gitArguments.head())).stdout.trim());
  if (tip !== settled.tip || (await listKept(inside)).length > 0) return;
  if ((await git(gitArguments.removeWorktree(folder))).code !== 0) return;
  if (own !== undefined) await removeSpareBranch(git, own, settled);
};

/** Removes a ticket's branch that is still at the commit that was settled, where that commit is the base, merged or parked. */
export const removeSpareBranch = async (git: Git, branch: Revision, { end, tip }: SettledWork): Promise<void> => {
  if (tip === undefined || end.branch === branch || !branch.startsWith("promptwheel/")) return;
  const { stdout } = await git(gitArguments.listWorktrees());
  if (!stdout.split("\0").includes(`branch refs/heads/${branch}`)) await git(gitArguments.removeBranch(branch, tip));
};
