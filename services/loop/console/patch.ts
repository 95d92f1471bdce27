/** A patch as rows to show. Pure. What a file holds is text. */

export interface PatchRow {
  readonly kind: "file" | "hunk" | "added" | "removed" | "same" | "note";
  readonly text: string;
  /** Line in the file after the change; null where it has none. */
  readonly line: number | null;
}

/** The rows of a unified diff, one a line of its text. */
export const readPatch = (patch: string): readonly PatchRow[] => {
  const rows: PatchRow[] = [];
  let line: number | null = null;
  for (const text of patch.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text)?.[1];
    if (text.startsWith("diff --git ")) {
      line = null;
      rows.push({ kind: "file", text: text.slice("diff --git ".length), line: null });
    } else if (hunk !== undefined) {
      line = Number(hunk);
      rows.push({ kind: "hunk", text, line: null });
    } else if (line === null) rows.push({ kind: "note", text, line: null });
    else if (text.startsWith("-")) rows.push({ kind: "removed", text, line: null });
    else if (text.startsWith("+") || text.startsWith(" ") || text === "") {
      rows.push({ kind: text.startsWith("+") ? "added" : "same", text, line });
      line += 1;
    } else rows.push({ kind: "note", text, line: null });
  }
  return rows;
};

/** Lines that a patch adds and removes. */
export const countPatch = (rows: readonly PatchRow[]): { readonly added: number; readonly removed: number } => ({
  added: rows.filter(({ kind }) => kind === "added").length,
  removed: rows.filter(({ kind }) => kind === "removed").length,
});
