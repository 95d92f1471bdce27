/** Checked trees as source text, for a process that does not have this package. */
export { codeSource } from "./source/generate.ts";
export { languageLibrary } from "./source/library.ts";
export { RecipeLinkage } from "./source/linkage.ts";
export { passSource } from "./source/pass.ts";
export { quotedSource } from "./value/row.ts";
