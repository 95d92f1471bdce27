/**
 * Runs a command on the files as they were before a ticket, so that a failure that was there before can be distinguished from the ticket's. They
 * are written into a folder below the project's own, where programs find its dependencies, and removed afterwards.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseRevision } from "../git/arguments.ts";
import { exportCommit } from "../git/work-tree.ts";
import type { TicketWork } from "../state/run-state.ts";
import { errorMessage } from "../value/error.ts";
import { findEarlierCommit } from "./earlier-edits.ts";
import { readBaseline } from "./measure.ts";
import type { Project } from "./project.ts";

/** What the run gives; `undefined` where it is not known what was there before. */
export const runOnBase = async <T>(
  project: Project,
  { ticket }: TicketWork,
  run: (folder: string) => Promise<T>,
): Promise<T | undefined> => {
  const { git, home, top, options } = project;
  const baseline = readBaseline(project, ticket.id);
  if (git === undefined || baseline === undefined) return undefined;
  const commit = (await findEarlierCommit(git, ticket.id)) ?? parseRevision(baseline.head);
  if (commit === undefined) return undefined;
  const folder = join(home, `base-${ticket.id}`);
  const index = join(home, `index-base-${ticket.id}`);
  rmSync(folder, { recursive: true, force: true });
  try {
    await exportCommit({ git, root: top, index }, commit, folder);
    return await run(join(folder, git.prefix ?? ""));
  } catch (problem) {
    options.warn("a command could not be run on the files as they were before its ticket", {
      ticket: ticket.id,
      problem: errorMessage(problem),
    });
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};
