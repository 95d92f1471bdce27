/** Rows as columns for people. Pure. */

/** Pads every column to its widest cell; the first row is the heading. No trailing spaces. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      widths
        .map((width, at) => (row[at] ?? "").padEnd(width))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};
