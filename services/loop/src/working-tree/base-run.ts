/**
 * Runs a command on the files as they were before a ticket, so that a failure that was there before can be distinguished from the ticket's. They
 * are written into a folder below the project's own, where programs find its dependencies, and removed afterwards.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseRevision } from "../git/arguments.ts";
import { openGit } from "../git/git.ts";
import { exportCommit } from "../git/work-tree.ts";
import type { Project } from "../session/project.ts";
import type { TicketWork } from "../state/run-state.ts";
import { errorMessage } from "../value/error.ts";
import { findEarlierCommit } from "./earlier-edits.ts";
import { readBaseline } from "./measure.ts";

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
  try {
    rmSync(folder, { recursive: true, force: true });
    // Git below the top would write the files of its folder alone.
    await exportCommit({ git: openGit(top), root: top, index }, commit, folder);
    return await run(join(folder, git.prefix ?? ""));
  } catch (problem) {
    options.warn("a command could not be run on the files as they were before its ticket", {
      ticket: ticket.id,
      problem: errorMessage(problem),
    });
    return undefined;
  } finally {
    removeFolder(project, folder);
  }
};

/** A folder that a command has locked is left, and says nothing about the ticket. */
const removeFolder = ({ options }: Project, folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch (problem) {
    options.warn("a copy of the files as they were before a ticket could not be removed", {
      folder,
      problem: errorMessage(problem),
    });
  }
};
