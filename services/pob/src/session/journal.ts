/**
 * What a session has done since its build was loaded, so that it can be done again in another process. Pure; only what
 * succeeded is written down, so a build or an edit that kills the process is not replayed.
 */
import type { BuildChanges, LoadInput, TreeInput } from "../engine/engine.ts";

export type Edit =
  | { readonly kind: "tree"; readonly tree: TreeInput }
  | { readonly kind: "changes"; readonly changes: BuildChanges };

export type Journal =
  | { readonly kind: "empty" }
  | { readonly kind: "loaded"; readonly load: LoadInput; readonly edits: readonly Edit[] };

export const emptyJournal: Journal = { kind: "empty" };

/** Edits after which the journal begins again from the build as it is then. */
export const mostEdits = 500;

export const startJournal = (load: LoadInput): Journal => ({ kind: "loaded", load, edits: [] });

export const appendEdit = (journal: Journal, edit: Edit): Journal =>
  journal.kind === "empty" ? journal : { ...journal, edits: [...journal.edits, edit] };

/** The journal without its last edit, and how many edits are left; nothing when there is none. */
export const removeLastEdit = (
  journal: Journal,
): { readonly journal: Journal; readonly edit: Edit; readonly left: number } | undefined => {
  if (journal.kind === "empty") return undefined;
  const edit = journal.edits.at(-1);
  const edits = journal.edits.slice(0, -1);
  return edit === undefined ? undefined : { journal: { ...journal, edits }, edit, left: edits.length };
};
