/**
 * Edits in the working tree while a hook of the server's commit runs. Many hooks put away what is not staged (`git stash`) and give it back at
 * their end: one that is ended before, or fails on its way, leaves a person without them. They are kept under a ref meanwhile, and what
 * is gone afterwards is written back. Not here: the run of the hook (`commit-hooks.ts`).
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Revision, requireRevision } from "../git/arguments.ts";
import { type Baseline, takeBaseline } from "../git/change.ts";
import { dropWork, editedFiles, filteredFiles, giveBack, keepWork, namesIn, type WorkTree } from "../git/work-tree.ts";
import { errorMessage } from "../value/error.ts";
import type { TicketId } from "../value/id.ts";

interface KeptEdits {
  readonly id: TicketId;
  /** The tree before the hook. */
  readonly before: Baseline;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface HookEnd {
  readonly success: boolean;
  readonly output: string;
}

/** Runs a hook. One that has taken edits away has failed, and its output says where they are. */
export const keepEditsDuring = async <T extends HookEnd>(
  tree: WorkTree,
  { id, before, at }: KeptEdits,
  hook: () => Promise<T>,
): Promise<T> => {
  const { git, root } = tree;
  const there = Object.keys(before.dirty)
    .toSorted()
    .filter((file) => !file.startsWith("../") && isThere(root, file));
  const filtered = new Set(await filteredFiles(git, there));
  const files = there.filter((file) => !filtered.has(file));
  if (files.length === 0) return hook();
  // What a killed server has left under an earlier name stays there.
  const ref = requireRevision(`promptwheel/hook/${id}-${at}`);
  const commit = { files, message: `Edits that were there when a hook of ${id} was run`, at };
  await keepWork(tree, requireRevision(before.head), { ref, commit });
  const end = await hook();
  const after = await takeBaseline(git, root);
  const gone = after === undefined ? files : await listGone(tree, files, { before, after });
  if (gone.length === 0) {
    await dropWork(git, ref);
    return end;
  }
  const isSame = after?.head === before.head;
  const words = isSame ? await restore(tree, ref, gone) : `the edits of before are under refs/${ref}`;
  return { ...end, success: false, output: `${end.output}\n[it took edits away: ${gone.join(", ")}; ${words}]` };
};

/** Those that are not as they were, and hold nothing newer: they are as HEAD has them, or not there. What is staged does not count. */
const listGone = async (
  { git, root }: WorkTree,
  files: readonly string[],
  { before, after }: { readonly before: Baseline; readonly after: Baseline },
): Promise<readonly string[]> => {
  const changed = files.filter((file) => after.dirty[file] !== before.dirty[file]);
  const head = requireRevision(after.head);
  const known = await namesIn(git, head, changed);
  const different = new Set(await editedFiles(git, head, changed));
  return changed.filter((file) => !isThere(root, file) || (known.has(file) && !different.has(file)));
};

/** Writes them back. They are as HEAD has them now, or not there: there is no newer edit in them. */
const restore = async (tree: WorkTree, ref: Revision, gone: readonly string[]): Promise<string> => {
  const kept = `refs/${ref}`;
  try {
    const blocked = await giveBack(tree, requireRevision(kept), gone);
    if (blocked.length > 0) return `something else is in the place of ${blocked.join(", ")}; they are under ${kept}`;
    await dropWork(tree.git, ref);
    return "they are as they were again";
  } catch (problem) {
    return `they are under ${kept} (${errorMessage(problem)})`;
  }
};

const isThere = (root: string, file: string): boolean =>
  lstatSync(join(root, file), { throwIfNoEntry: false }) !== undefined;
