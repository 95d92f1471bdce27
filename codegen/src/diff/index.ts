/** `@fairlead/codegen/diff`: what changed between two releases of contracts, and for which callers. */
export { type ChangeKind, type ChangeVerdict, changeKinds, type ReleaseChange, type Surface, worst } from "./change.ts";
export { compareReleases, type ReleaseComparison, type VersionAdvice, type VersionBump } from "./compare.ts";
export {
  isReleaseFile,
  type Release,
  type ReleaseDocuments,
  readRelease,
  schemaFile,
  servicesIn,
  verbsFile,
} from "./release.ts";
export { comparisonMarkdown, comparisonText, surfaceVerdicts } from "./report.ts";
