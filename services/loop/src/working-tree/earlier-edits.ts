/**
 * Edits that lay in the tree when a ticket was taken: they are somebody's, and no commit has them. A session that owns its tree keeps them
 * under a ref, so that not even an agent that undoes them loses them. Not here: how the ticket itself ends (`settle-tree.ts`).
 */
import { join } from "node:path";
import { gitArguments, parseRevision, type Revision, requireRevision } from "../git/arguments.ts";
import type { Baseline } from "../git/change.ts";
import type { Git } from "../git/git.ts";
import { dropWork, filteredFiles, isKept, keepWork } from "../git/work-tree.ts";
import type { Project } from "../session/project.ts";
import type { RunState } from "../state/run-state.ts";
import type { UnsettledTicket } from "../state/tree.ts";
import type { TicketId } from "../value/id.ts";

/** What lay in the tree, edited and not committed, when a ticket was taken: kept for whoever wrote it, under a ref of the ticket's. */
export const keepEarlierEdits = async (
  { git, root, home, options }: Project,
  { ownTree, direct }: RunState["settings"],
  { ticket, baseline }: { readonly ticket: Pick<UnsettledTicket, "id">; readonly baseline: Baseline },
): Promise<void> => {
  const dirty = Object.keys(baseline.dirty).filter(isInside);
  if (!ownTree || !direct || git === undefined || dirty.length === 0) return;
  const filtered = new Set(await filteredFiles(git, dirty));
  const files = dirty.filter((path) => !filtered.has(path));
  if (files.length === 0) return;
  const message = `Edits that were there before ${ticket.id}`;
  const tree = { git, root, index: join(home, `index-before-${ticket.id}`) };
  const commit = { files, message, at: options.clock() };
  await keepWork(tree, requireRevision(baseline.head), { ref: earlierRef(ticket.id), commit });
};

/** The ref of those edits, where there is one and an edit is not as it was any more; without a difference the ref goes. */
export const findEarlierEdits = async (
  git: Git,
  id: TicketId,
  { baseline, now }: { readonly baseline: Baseline; readonly now: Baseline },
): Promise<string | null> => {
  const ref = earlierRef(id);
  const changed = Object.entries(baseline.dirty).some(([path, print]) => isInside(path) && now.dirty[path] !== print);
  if (changed) return (await isKept(git, ref)) ? `refs/${ref}` : null;
  await dropWork(git, ref);
  return null;
};

/** The commit that holds those edits, where there is one. */
export const findEarlierCommit = async (git: Git, id: TicketId): Promise<Revision | undefined> =>
  parseRevision((await git(gitArguments.resolveCommit(requireRevision(`refs/${earlierRef(id)}`)))).stdout.trim());

/** The content of what lies beside a package is never read. */
const isInside = (path: string): boolean => !path.startsWith("../");

const earlierRef = (id: TicketId): Revision => requireRevision(`promptwheel/before/${id}`);
