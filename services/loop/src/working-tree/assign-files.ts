/** Whose a changed file is, in a tree that a person works in as well. Not here: what becomes of it (`settle-tree.ts`). */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Baseline } from "../git/change.ts";
import type { Git } from "../git/git.ts";
import { filteredFiles } from "../git/work-tree.ts";
import type { UnsettledTicket } from "../state/tree.ts";
import type { ToolTimes } from "./edit-times.ts";

interface AssignedFiles {
  /** The ticket's alone. */
  readonly own: readonly string[];
  /** The ticket's and somebody else's. */
  readonly shared: readonly string[];
  /** Changed since the ticket was taken, and not the ticket's. */
  readonly others: readonly string[];
}

interface TreeChanges {
  readonly baseline: Baseline;
  readonly now: Baseline;
  /** When the agent's tools were at work, where its client has noted it. */
  readonly times?: ToolTimes | undefined;
  /** Real path of the project's folder. */
  readonly root: string;
}

/**
 * By what changed since the ticket was taken, and by what its plan, its results and the log of tools name. What was changed while no tool was
 * at work is somebody else's, too.
 */
export const assignFiles = async (
  git: Git,
  { files }: Pick<UnsettledTicket, "files">,
  { baseline, now, times, root }: TreeChanges,
): Promise<AssignedFiles> => {
  const before = new Map(Object.entries(baseline.dirty));
  const changed = Object.keys(now.dirty).filter((path) => before.get(path) !== now.dirty[path]);
  const filtered = new Set(await filteredFiles(git, changed));
  const named = new Set([...files, ...(times?.edited ?? [])]);
  const isShared = (path: string): boolean =>
    before.has(path) ||
    times?.isForeign(path, lstatSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs) === true;
  // What lies beside the project's folder is not a ticket's, whoever changed it: no scope allows it.
  const mine = changed.filter((path) => named.has(path) && !filtered.has(path) && !path.startsWith("../"));
  return {
    own: mine.filter((path) => !isShared(path)).toSorted(),
    shared: mine.filter(isShared).toSorted(),
    others: changed.filter((path) => !mine.includes(path)).toSorted(),
  };
};
