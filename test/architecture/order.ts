/**
 * The direction of imports between a package's folders, as data: each list goes from the outside in, and a folder may import only those
 * that stand after it. Folders are named from the package's `src/`, which is `.` itself.
 */
export const order: Readonly<Record<string, readonly string[]>> = {};

/** Plain lists, a file for each entry: they may hold more than 20 files. */
export const plainLists: readonly string[] = ["clients/cli/src/commands", "codegen/src/emit", "contracts/src"];
