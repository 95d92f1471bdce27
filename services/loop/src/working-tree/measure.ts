/** What a ticket changed in the working tree: takes a baseline when a ticket is taken, and compares with it when a result is reported. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gitArguments, parseRevision } from "../git/arguments.ts";
import { worktreePath } from "../git/branch.ts";
import { type Baseline, measureChange, type TreeChange, takeBaseline } from "../git/change.ts";
import { type Git, openGit } from "../git/git.ts";
import { createFileChecker } from "../scope/check.ts";
import type { Project } from "../session/project.ts";
import type { SessionPhase } from "../state/phase.ts";
import type { RunState, TicketWork } from "../state/run-state.ts";
import { ticketPolicy } from "../state/state-document.ts";
import { decodeStored } from "../store/stored-event.ts";
import { baselineShape } from "../store/stored-shape.ts";
import type { TicketId } from "../value/id.ts";
import { keepEarlierEdits } from "./earlier-edits.ts";
import { beginToolLog } from "./tool-log.ts";

/** The work of a ticket, alone or among the parallel ones. */
export const findWork = (state: RunState, id: TicketId | undefined): TicketWork | undefined =>
  id === undefined || state.current?.ticket.id === id
    ? (state.current ?? undefined)
    : state.workers.find(({ ticket }) => ticket.id === id);

/** The phase of a ticket, alone or among the parallel ones. */
export const findPhase = (state: RunState, { ticket }: TicketWork): SessionPhase =>
  state.workers.find((worker) => worker.ticket.id === ticket.id)?.phase ?? state.phase;

interface WorkingTree {
  readonly git: Git;
  /** Absolute. */
  readonly folder: string;
  /** Other tickets are worked on in the same tree. */
  readonly shared: boolean;
}

/** Where a ticket is worked on; `undefined` outside git. */
export const findWorkingTree = (project: Project, state: RunState, work: TicketWork): WorkingTree | undefined => {
  if (project.git === undefined) return undefined;
  const folder = join(project.root, worktreePath(work.ticket));
  if (existsSync(join(folder, ".git"))) {
    const { prefix = "" } = project.git;
    return { git: openGit(folder, { prefix }), folder: join(folder, prefix), shared: false };
  }
  const shared = state.workers.some(({ ticket }) => ticket.id === work.ticket.id);
  return { git: project.git, folder: project.root, shared };
};

/** The other tickets that are worked on in the tree that this one shares. */
const findTreeSharers = (project: Project, state: RunState, work: TicketWork): readonly TicketWork[] =>
  state.workers.filter(
    (other) => other.ticket.id !== work.ticket.id && findWorkingTree(project, state, other)?.shared === true,
  );

const createScopeTest = (state: RunState, work: TicketWork): ((path: string) => boolean) => {
  const check = createFileChecker(ticketPolicy(state, work));
  return (path) => check(path) === undefined;
};

/** Takes the baselines that are missing; called before a client gets its prompt. */
export const ensureBaselines = async (project: Project, state: RunState): Promise<void> => {
  for (const work of [...(state.current === null ? [] : [state.current]), ...state.workers])
    if (project.store.baseline(work.ticket.id) === undefined) await takeAndSave(project, state, work);
};

const takeAndSave = async (project: Project, state: RunState, work: TicketWork): Promise<void> => {
  const tree = findWorkingTree(project, state, work);
  const baseline = tree && (await takeBaseline(tree.git, tree.folder));
  if (baseline === undefined) return;
  await keepEarlierEdits(project, state.settings, { ticket: work.ticket, baseline });
  if (state.settings.ownTree && state.settings.direct) beginToolLog(project, work.ticket.id);
  await saveBaseline(project, work, baseline);
};

const saveBaseline = (project: Project, { ticket }: TicketWork, baseline: Baseline): Promise<void> =>
  project.write(() => project.store.saveBaseline(ticket.id, JSON.stringify(baseline)));

/**
 * After the ticket's branch was set up: the baseline's commit becomes the branch's first one, so that the commits up to there do not
 * count as changes of the ticket. What the ticket has done still counts: edits that were carried along, commits on the branch, and
 * commits made below it since the ticket was taken.
 */
export const moveBaseline = async (project: Project, work: TicketWork, base: string): Promise<void> => {
  const tree = findWorkingTree(project, project.requireSession(), work);
  const stored = readBaseline(project, work.ticket.id);
  const now = tree && (await takeBaseline(tree.git, tree.folder));
  if (tree === undefined || now === undefined) return;
  if (stored === undefined || !(await isBranchStart(tree.git, now.head, { base, taken: stored.head }))) return;
  await saveBaseline(project, work, tree.folder === project.root ? { ...stored, head: now.head } : now);
};

/** Notes that a ticket has a worktree: how it ends does not depend on whether the folder is still there. */
export const noteWorktree = async (project: Project, work: TicketWork, branch: string): Promise<void> => {
  const stored = readBaseline(project, work.ticket.id);
  if (stored !== undefined) await saveBaseline(project, work, { ...stored, worktreeBranch: branch });
};

/** Nothing was committed on the branch yet, and its base holds no commits made after the ticket was taken. */
const isBranchStart = async (
  git: Git,
  head: string,
  { base, taken }: { readonly base: string; readonly taken: string },
): Promise<boolean> => {
  const [first, before] = [parseRevision(base), parseRevision(taken)];
  if (first === undefined || before === undefined) return false;
  const { stdout } = await git(gitArguments.resolveCommit(first));
  if (stdout.trim() !== head) return false;
  return head === taken || (await git(gitArguments.isAncestor(before, first))).code !== 0;
};

interface MeasureTarget {
  readonly work: TicketWork;
  /** A branch whose commits count as well, like that of a pull request. */
  readonly branch?: string;
}

/**
 * What the ticket changed; `undefined` where the server cannot know. In a shared tree a file that another open ticket may touch and
 * this one may not is the other's; one that no ticket may touch counts against whoever reports first.
 */
export const measureTicket = async (
  project: Project,
  state: RunState,
  { work, branch }: MeasureTarget,
): Promise<TreeChange | undefined> => {
  const tree = findWorkingTree(project, state, work);
  const stored = readBaseline(project, work.ticket.id);
  if (tree === undefined || stored === undefined) return undefined;
  const since = { ...stored, branch: parseRevision(branch ?? "") };
  if (!tree.shared) return measureChange(tree.git, tree.folder, since);
  const own = createScopeTest(state, work);
  const others = findTreeSharers(project, state, work).map((other) => createScopeTest(state, other));
  const counts = (path: string): boolean => own(path) || !others.some((may) => may(path));
  return measureChange(tree.git, tree.folder, { ...since, counts });
};

/**
 * Notes in the other tickets' baselines what this one has done within its scope, so that it does not count as their change once this one
 * is closed. Inside `commit`; `before` is the state in which the change was measured.
 */
export const attributeChange = (project: Project, before: RunState, { work, change }: TicketMeasurement): void => {
  if (findWorkingTree(project, before, work)?.shared !== true) return;
  const own = createScopeTest(before, work);
  const done = Object.entries(change.fingerprints).filter(([path]) => own(path));
  for (const other of findTreeSharers(project, before, work)) {
    const baseline = readBaseline(project, other.ticket.id);
    if (baseline === undefined) continue;
    const dirty = { ...baseline.dirty, ...Object.fromEntries(done) };
    project.store.saveBaseline(other.ticket.id, JSON.stringify({ ...baseline, dirty }));
  }
};

/** The change of a ticket, as the server saw it. */
export interface TicketMeasurement {
  readonly work: TicketWork;
  readonly change: TreeChange;
}

/** The working tree when a ticket was taken; `undefined` where it could not be seen. */
export const readBaseline = (project: Project, id: TicketId): Baseline | undefined => {
  const stored = project.store.baseline(id);
  return stored === undefined ? undefined : decodeStored(baselineShape, stored, `the baseline of ${id}`);
};
