/**
 * How a closed ticket ends in the working tree of a session that owns it: as a commit, parked, or unchanged. A file is the ticket's when it
 * changed since the ticket was taken and its plan or one of its results names it. A file that was changed before as well is also
 * somebody else's: it parks the ticket and stays. Everything else is unattributed: never committed, never restored, listed.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { gitArguments, parseRevision, type Revision, requireRevision } from "../git/arguments.ts";
import { gitRefused, listLocks, worktreePath } from "../git/branch.ts";
import { type Baseline, takeBaseline } from "../git/change.ts";
import { type Git, openGit } from "../git/git.ts";
import {
  changedFiles,
  commitWork,
  filesOfCommit,
  findCommitWith,
  parkWork,
  refreshIndex,
  type WorkTree,
} from "../git/work-tree.ts";
import type { Project } from "../session/project.ts";
import { readBranch, returnToBranch } from "../session/session-branch.ts";
import type { RunState } from "../state/run-state.ts";
import type { TreeSettlement, UnsettledTicket } from "../state/tree.ts";
import { describeOpenWork } from "../state/unsettled.ts";
import { errorMessage } from "../value/error.ts";
import type { TicketId } from "../value/id.ts";
import { assignFiles } from "./assign-files.ts";
import { formatMessage, parkedBranch } from "./commit-message.ts";
import { findEarlierEdits } from "./earlier-edits.ts";
import { readBaseline } from "./measure.ts";
import { removeSpareBranch, removeWorktree, settleBranch, settleWorktree } from "./settle-worktree.ts";
import { findToolTimes } from "./tool-log.ts";

/** Settles every closed ticket, one after the other; called before the next one is begun. Throws `git_refused`. */
export const settleTrees = async (project: Project): Promise<void> => {
  for (let next = nextUnsettled(project); next !== undefined; ) {
    await settleNext(project, next);
    const following = nextUnsettled(project);
    if (following === next) return;
    next = following;
  }
};

const nextUnsettled = (project: Project): TicketId | undefined => project.peek()?.unsettled[0]?.id;

/** The same after a report, which is recorded whatever git says: what could not be settled is tried again before the next ticket. */
export const trySettleTrees = async (project: Project): Promise<void> => {
  try {
    await settleTrees(project);
  } catch (problem) {
    project.options.warn("the work of a ticket could not be settled yet", { problem: errorMessage(problem) });
  }
};

const settleNext = (project: Project, id: TicketId): Promise<void> =>
  underLock(project, { id, startBranch: project.peek()?.settings.startBranch ?? null }, async (git) => {
    const state = project.peek();
    const [ticket] = state?.unsettled ?? [];
    if (state === undefined || ticket === undefined) return;
    await settleOne(project, git, { ticket, state, record: (end) => recordEnd(project, end) });
  });

/** The tickets that are being worked on, before the session is ended with them. */
export const settleOpenWork = async (project: Project, state: RunState): Promise<void> => {
  for (const ticket of describeOpenWork(state))
    await underLock(project, { id: ticket.id, ...state.settings }, (git) =>
      settleOne(project, git, { ticket, state, record: (end) => recordEnd(project, end) }),
    );
};

/** What an ended session left: its log takes no event any more. */
export const settleEnded = async (project: Project, state: RunState): Promise<readonly TreeSettlement[]> => {
  const settled: TreeSettlement[] = [];
  const record = async (end: TreeSettlement): Promise<void> => {
    settled.push(end);
  };
  for (const ticket of state.unsettled)
    await underLock(project, { id: ticket.id, ...state.settings }, (git) =>
      settleOne(project, git, { ticket, state, record }),
    );
  return settled;
};

const recordEnd = async (project: Project, payload: TreeSettlement): Promise<void> => {
  await project.send({ type: "TREE_SETTLED", payload }, () => null);
};

interface TicketEnd {
  readonly ticket: UnsettledTicket;
  readonly state: RunState;
  readonly record: (end: TreeSettlement) => Promise<void>;
}

/** Where the ticket was worked on decides how it ends. What it needs no more goes once its end is recorded. */
const settleOne = async (
  project: Project,
  git: Git | undefined,
  { ticket, state, record }: TicketEnd,
): Promise<void> => {
  const folder = join(project.root, worktreePath(ticket));
  if (git !== undefined && existsSync(join(folder, ".git"))) {
    const settled = await settleWorktree(project, { ticket, folder, settings: state.settings });
    await record(settled.end);
    return removeWorktree(project, folder, settled);
  }
  const baseline = readBaseline(project, ticket.id);
  const branch = parseRevision(baseline?.worktreeBranch ?? "");
  if (git !== undefined && baseline !== undefined && branch !== undefined) {
    const since = requireRevision(baseline.head);
    const settled = await settleBranch(project, git, { ticket, branch, since, settings: state.settings });
    await record(settled.end);
    return removeSpareBranch(git, branch, settled);
  }
  await record(await nameOwnBranch(git, state.settings, await settle(project, git, ticket)));
  await returnToBranch(project, state.settings);
};

/**
 * Runs work on a ticket's end with the locks noted that git may take for it: of the index, of HEAD, its branch, the session's and the parked one.
 * Without a repository there is nothing to lock.
 */
const underLock = async (
  project: Project,
  { id, startBranch }: { readonly id: TicketId; readonly startBranch: string | null },
  work: (git: Git | undefined) => Promise<void>,
): Promise<void> => {
  const { git, lockGuard } = project;
  if (git === undefined) return lockGuard.run([], () => work(git));
  const current = parseRevision((await git(gitArguments.currentBranch())).stdout.trim());
  const locks: string[] = [];
  for (const branch of [current ?? headBranch, parseRevision(startBranch ?? "") ?? headBranch, parkedBranch(id)])
    locks.push(...(await listLocks(git, branch)));
  const worktree = join(project.root, worktreePath({ id }));
  if (existsSync(join(worktree, ".git"))) {
    const inside = openGit(worktree);
    const branch = parseRevision((await inside(gitArguments.currentBranch())).stdout.trim());
    locks.push(...(await listLocks(inside, branch ?? headBranch)));
  }
  await refuseOperation(git);
  await lockGuard.run([...new Set(locks)], () => work(git));
};

/** A commit in the middle of somebody's merge or rebase would end or spoil it. */
const refuseOperation = async (git: Git): Promise<void> => {
  const { stdout } = await git(gitArguments.operationPaths());
  const open = stdout.split("\n").find((path) => path !== "" && existsSync(path));
  if (open !== undefined)
    throw gitRefused(
      `a merge, rebase or the like is under way (${basename(open)}), so that the work of a ticket cannot be committed or parked`,
      "finish it or undo it, then call again",
    );
};

const headBranch = requireRevision("HEAD");

/** Without a repository, or without a baseline, it cannot be known what the ticket changed: its work stays where it is. */
const settle = async (project: Project, git: Git | undefined, ticket: UnsettledTicket): Promise<TreeSettlement> => {
  const { root, home } = project;
  const baseline = readBaseline(project, ticket.id);
  if (git === undefined || baseline === undefined) {
    project.options.warn("the work of a ticket is left as it is", {
      ticket: ticket.id,
      problem: git === undefined ? "there is no git repository" : "git had no answer when the ticket was taken",
    });
    return { ...describeEnd(ticket, null), ...noWork };
  }
  const now = await takeBaseline(git, root);
  if (now === undefined)
    throw gitRefused(
      "git does not say what differs from HEAD, or too many files do, so that the work of a ticket cannot be committed or parked",
      "see that git status works and lists no more than 2,000 files, then call again",
    );
  const before = await findEarlierEdits(git, ticket.id, { baseline, now });
  const base = describeEnd(ticket, before);
  const head = requireRevision(now.head);
  const tree: WorkTree = { git, root, index: join(home, `index-${ticket.id}`) };
  const done = await findEarlierEnd(git, ticket, { baseline, head });
  const { own, shared, others } = await assignFiles(git, ticket, {
    baseline,
    now,
    times: findToolTimes(project, ticket.id),
    root,
  });
  const work = [...own, ...shared];
  const message = formatMessage(ticket);
  if (done !== undefined && done.branch === null) return { ...base, ...done, unattributed: others };
  if (work.length === 0 && done === undefined)
    return { ...base, ...noWork, ...committedByClient(now, baseline), unattributed: others };
  if (ticket.outcome === "done" && shared.length === 0 && done === undefined) {
    const commit = await commitWork(tree, head, { files: own, message, at: ticket.at, signed: true });
    return { ...base, tree: "commit", commit, branch: null, files: own, unattributed: others };
  }
  const branch = parkedBranch(ticket.id);
  const { commit, kept } = await parkWork(tree, head, {
    branch,
    commit: { files: work, message, at: ticket.at },
    restore: own,
  });
  const files = done?.files ?? work;
  const note =
    ticket.outcome === "done" && shared.length > 0
      ? `parked since somebody else has edited ${shared.slice(0, 5).join(", ")}, too: left as it is`
      : null;
  const unattributed = [...others, ...shared, ...kept].toSorted();
  return { ...base, tree: "parked", commit, branch, files, unattributed, note };
};

/** A commit on a ticket's own branch, which is checked out in place, is not on the session's. */
const nameOwnBranch = async (
  git: Git | undefined,
  { startBranch }: RunState["settings"],
  end: TreeSettlement,
): Promise<TreeSettlement> => {
  if (end.tree !== "commit") return end;
  const branch = await readBranch(git);
  return branch !== null && branch !== startBranch && branch.startsWith("promptwheel/")
    ? { ...end, tree: "branch", branch }
    : end;
};

const describeEnd = ({ id, title, outcome, verification }: UnsettledTicket, before: string | null) => ({
  ticket_id: id,
  title,
  outcome,
  before,
  conflicts: [],
  note: null,
  verification,
});

const noWork = { tree: "unchanged", commit: null, branch: null, files: [], unattributed: [] } as const;

/** What a server that was killed had done for the ticket already. */
const findEarlierEnd = async (
  git: Git,
  ticket: UnsettledTicket,
  { baseline, head }: { readonly baseline: Baseline; readonly head: Revision },
): Promise<Pick<TreeSettlement, "tree" | "commit" | "branch" | "files"> | undefined> => {
  const since = requireRevision(baseline.head);
  const commit = await findCommitWith(git, since, `\nTicket: ${ticket.id}\nVerification: `);
  if (commit !== undefined) {
    const files = await filesOfCommit(git, commit);
    await refreshIndex(git, files);
    return { tree: "commit", commit, branch: null, files };
  }
  const branch = parkedBranch(ticket.id);
  const parked = parseRevision((await git(gitArguments.resolveCommit(branch))).stdout.trim());
  if (parked === undefined) return undefined;
  return { tree: "parked", commit: parked, branch, files: await changedFiles(git, head, parked) };
};

/** The client has committed its work itself. */
const committedByClient = (now: Baseline, baseline: Baseline): Partial<Pick<TreeSettlement, "tree" | "commit">> =>
  now.head === baseline.head ? {} : { tree: "commit", commit: now.head };
