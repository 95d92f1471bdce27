/** Ties tickets to the working tree: takes a baseline when a ticket is taken, and measures what differs when a result is reported. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseRevision, verbs } from "../git/arguments.ts";
import { worktreeOf } from "../git/branch.ts";
import { type Baseline, type Change, measureChange, takeBaseline } from "../git/change.ts";
import { type Git, gitIn } from "../git/git.ts";
import { fileChecker } from "../scope/check.ts";
import type { RunState, Work } from "../state/run-state.ts";
import { policyOf } from "../state/state-document.ts";
import { readStored } from "../store/stored-event.ts";
import { baselineShape } from "../store/stored-shape.ts";
import type { TicketId } from "../value/id.ts";
import type { Project } from "./project.ts";

/** The work of a ticket, alone or among the parallel ones. */
export const workOn = (state: RunState, id: TicketId | undefined): Work | undefined =>
  id === undefined || state.current?.ticket.id === id
    ? (state.current ?? undefined)
    : state.workers.find(({ ticket }) => ticket.id === id);

export interface Place {
  readonly git: Git;
  /** Absolute. */
  readonly folder: string;
  /** Other tickets are worked on in the same tree. */
  readonly shared: boolean;
}

/** Where a ticket is worked on; `undefined` outside git. */
export const placeOf = (project: Project, state: RunState, work: Work): Place | undefined => {
  if (project.git === undefined) return undefined;
  const folder = join(project.root, worktreeOf(work.ticket));
  if (existsSync(join(folder, ".git"))) return { git: gitIn(folder), folder, shared: false };
  const shared = state.workers.some(({ ticket }) => ticket.id === work.ticket.id);
  return { git: project.git, folder: project.root, shared };
};

/** The other tickets that are worked on in the tree that this one shares. */
const companions = (project: Project, state: RunState, work: Work): readonly Work[] =>
  state.workers.filter(
    (other) => other.ticket.id !== work.ticket.id && placeOf(project, state, other)?.shared === true,
  );

const mayTouch = (state: RunState, work: Work): ((path: string) => boolean) => {
  const violationOf = fileChecker(policyOf(state, work));
  return (path) => violationOf(path) === undefined;
};

/** Takes the baselines that are missing; called before a client is told to begin. */
export const ensureBaselines = async (project: Project, state: RunState): Promise<void> => {
  for (const work of [...(state.current === null ? [] : [state.current]), ...state.workers])
    if (project.store.baseline(work.ticket.id) === undefined) await takeAndSave(project, state, work);
};

const takeAndSave = async (project: Project, state: RunState, work: Work): Promise<void> => {
  const place = placeOf(project, state, work);
  const baseline = place && (await takeBaseline(place.git, place.folder));
  if (baseline !== undefined) await save(project, work, baseline);
};

const save = (project: Project, { ticket }: Work, baseline: Baseline): Promise<void> =>
  project.write(() => project.store.saveBaseline(ticket.id, JSON.stringify(baseline)));

/**
 * After the ticket's branch was set up: the baseline's commit becomes the branch's first one, so that the way there is not held
 * against the ticket. What the ticket has done keeps counting: edits that were carried along, commits on the branch, and commits
 * made below it since the ticket was taken.
 */
export const moveBaseline = async (project: Project, work: Work, base: string): Promise<void> => {
  const place = placeOf(project, project.session(), work);
  const stored = baselineOf(project, work);
  const now = place && (await takeBaseline(place.git, place.folder));
  if (place === undefined || now === undefined) return;
  if (stored === undefined || !(await isBeginning(place.git, now.head, { base, taken: stored.head }))) return;
  await save(project, work, place.folder === project.root ? { ...stored, head: now.head } : now);
};

/** Nothing was committed on the branch yet, and its base is no work on top of where the ticket was taken. */
const isBeginning = async (
  git: Git,
  head: string,
  { base, taken }: { readonly base: string; readonly taken: string },
): Promise<boolean> => {
  const [first, before] = [parseRevision(base), parseRevision(taken)];
  if (first === undefined || before === undefined) return false;
  const { stdout } = await git(verbs.commitOf(first));
  if (stdout.trim() !== head) return false;
  return head === taken || (await git(verbs.isAncestor(before, first))).code !== 0;
};

interface Subject {
  readonly work: Work;
  /** A branch whose commits count as well, like that of a pull request. */
  readonly branch?: string;
}

/**
 * What the ticket changed; `undefined` where the server cannot tell. In a shared tree a file that another open ticket may touch and
 * this one may not is the other's; one that nobody may touch counts against whoever reports first.
 */
export const measure = async (
  project: Project,
  state: RunState,
  { work, branch }: Subject,
): Promise<Change | undefined> => {
  const place = placeOf(project, state, work);
  const stored = baselineOf(project, work);
  if (place === undefined || stored === undefined) return undefined;
  const since = { ...stored, branch: parseRevision(branch ?? "") };
  if (!place.shared) return measureChange(place.git, place.folder, since);
  const own = mayTouch(state, work);
  const others = companions(project, state, work).map((other) => mayTouch(state, other));
  const counts = (path: string): boolean => own(path) || !others.some((may) => may(path));
  return measureChange(place.git, place.folder, { ...since, counts });
};

/**
 * Notes in the other tickets' baselines what this one has done within its scope, so that it is not held against them once this one
 * is closed. Inside `drive`; `before` is the state in which the change was measured.
 */
export const attribute = (project: Project, before: RunState, { work, change }: Sight): void => {
  if (placeOf(project, before, work)?.shared !== true) return;
  const own = mayTouch(before, work);
  const done = Object.entries(change.fingerprints).filter(([path]) => own(path));
  for (const other of companions(project, before, work)) {
    const baseline = baselineOf(project, other);
    if (baseline === undefined) continue;
    const dirty = { ...baseline.dirty, ...Object.fromEntries(done) };
    project.store.saveBaseline(other.ticket.id, JSON.stringify({ ...baseline, dirty }));
  }
};

/** What the server saw of a ticket. */
export interface Sight {
  readonly work: Work;
  readonly change: Change;
}

const baselineOf = (project: Project, { ticket }: Work): Baseline | undefined => {
  const stored = project.store.baseline(ticket.id);
  return stored === undefined ? undefined : readStored(baselineShape, stored, `the baseline of ${ticket.id}`);
};
