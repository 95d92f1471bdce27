/** Sizes a build may have. Not here: what the contract checks before a handler sees the input. */

/** Characters of XML: 8 MiB. */
export const maxBuildChars = 8 * 1024 * 1024;

/** Elements inside elements. Path of Building's own files have six. */
export const maxDepth = 32;
