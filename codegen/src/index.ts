/** `@fairlead/codegen`: from contracts to files. */
export type { TokenCost } from "./check-project.ts";
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  diagnosticLine,
  hasErrors,
  type Severity,
} from "./diagnostics.ts";
export { checkDrift, type DriftResult, type GenerateOptions, type GenerateResult, generate } from "./generate.ts";
export { type ImportOptions, type ImportResult, importTools } from "./imported.ts";
export type { UpstreamTool } from "./imported-text.ts";
export type { JsonSchema } from "./json-schema.ts";
export { type Lowered, lower, type Side } from "./lower.ts";
export { type Slowness, slownessOf } from "./pattern.ts";
export { type ScaffoldOptions, type ScaffoldResult, scaffold } from "./scaffold.ts";
export { watch } from "./watch.ts";
export type { Change, Difference } from "./write.ts";
