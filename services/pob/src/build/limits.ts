/** Sizes a build may have. Not here: what the contract checks before a handler sees the input. */

/** Characters of XML: 8 MiB. */
export const maxBuildChars = 8 * 1024 * 1024;

/** Elements inside elements. Path of Building's own files have six. */
export const maxXmlDepth = 32;

/**
 * Elements, attributes and references (`&lt;`) of one text. Reading that many of each takes a tenth of a second together; the largest
 * builds that people share have a twentieth of it.
 */
export const xmlLimits = { elements: 20_000, attributes: 60_000, references: 100_000 } as const;

/** Nodes of one passive tree; Path of Building's own trees have under 3,000. */
export const maxNodes = 1_000;
