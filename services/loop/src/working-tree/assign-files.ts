/** Whose a changed file is, in a tree that a person works in as well. Not here: what becomes of it (`settle-tree.ts`). */
import type { Baseline } from "../git/change.ts";
import type { Git } from "../git/git.ts";
import { filteredFiles } from "../git/work-tree.ts";
import type { UnsettledTicket } from "../state/tree.ts";

interface AssignedFiles {
  /** The ticket's alone. */
  readonly own: readonly string[];
  /** The ticket's and somebody else's. */
  readonly shared: readonly string[];
  /** Changed since the ticket was taken, and not the ticket's. */
  readonly others: readonly string[];
}

/** By what changed since the ticket was taken, and by what its plan and its results name. */
export const assignFiles = async (
  git: Git,
  { files }: Pick<UnsettledTicket, "files">,
  { baseline, now }: { readonly baseline: Baseline; readonly now: Baseline },
): Promise<AssignedFiles> => {
  const before = new Map(Object.entries(baseline.dirty));
  const changed = Object.keys(now.dirty).filter((path) => before.get(path) !== now.dirty[path]);
  const filtered = new Set(await filteredFiles(git, changed));
  const named = new Set(files);
  // What lies beside the project's folder is not a ticket's, whoever changed it: no scope allows it.
  const mine = changed.filter((path) => named.has(path) && !filtered.has(path) && !path.startsWith("../"));
  return {
    own: mine.filter((path) => !before.has(path)).toSorted(),
    shared: mine.filter((path) => before.has(path)).toSorted(),
    others: changed.filter((path) => !mine.includes(path)).toSorted(),
  };
};
