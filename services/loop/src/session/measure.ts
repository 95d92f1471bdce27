/** Ties tickets to the working tree: takes a baseline when a ticket is taken, and measures what differs when a result is reported. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { worktreeOf } from "../git/branch.ts";
import { type Change, measureChange, takeBaseline } from "../git/change.ts";
import { type Git, gitIn } from "../git/git.ts";
import type { TicketId } from "../id.ts";
import type { RunState, Work } from "../machine/state.ts";
import { readStored } from "../store/stored-event.ts";
import { baselineShape } from "../store/stored-shape.ts";
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
}

/** Where a ticket is worked on. Parallel tickets without a worktree share the tree: nothing can be told apart there. */
export const placeOf = (project: Project, state: RunState, work: Work): Place | undefined => {
  if (project.git === undefined) return undefined;
  const folder = join(project.root, worktreeOf(work.ticket));
  if (existsSync(join(folder, ".git"))) return { git: gitIn(folder), folder };
  return state.workers.some(({ ticket }) => ticket.id === work.ticket.id)
    ? undefined
    : { git: project.git, folder: project.root };
};

/** Takes the baselines that are missing; called before a client is told to begin. */
export const ensureBaselines = async (project: Project, state: RunState): Promise<void> => {
  for (const work of [...(state.current === null ? [] : [state.current]), ...state.workers])
    if (project.store.baseline(work.ticket.id) === undefined) await renewBaseline(project, state, work);
};

/** Takes a ticket's baseline now. */
export const renewBaseline = async (project: Project, state: RunState, work: Work): Promise<void> => {
  const place = placeOf(project, state, work);
  if (place === undefined) return;
  const baseline = await takeBaseline(place.git, place.folder);
  if (baseline !== undefined)
    await project.write(() => project.store.saveBaseline(work.ticket.id, JSON.stringify(baseline)));
};

/** What the ticket changed; `undefined` where the server cannot tell. */
export const measure = async (project: Project, state: RunState, work: Work): Promise<Change | undefined> => {
  const place = placeOf(project, state, work);
  const stored = project.store.baseline(work.ticket.id);
  if (place === undefined || stored === undefined) return undefined;
  return measureChange(place.git, place.folder, readStored(baselineShape, stored, `the baseline of ${work.ticket.id}`));
};
