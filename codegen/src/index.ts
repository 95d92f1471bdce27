/** `@fairlead/codegen`: from contracts to files. */
export type { TokenCost } from "./check/project.ts";
export { type PythonTypes, printPythonTypes } from "./emit/python/types.ts";
export { checkDrift, type DriftResult, type GenerateOptions, type GenerateResult, generate } from "./generate.ts";
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  diagnosticLine,
  hasErrors,
  type Severity,
} from "./model/diagnostics.ts";
export { printType, type TypeStyle } from "./print/types.ts";
export { SeededRandom } from "./sample/random.ts";
export { sampleValue } from "./sample/value.ts";
export { type ImportOptions, type ImportResult, importTools } from "./scaffold/imported.ts";
export type { UpstreamTool } from "./scaffold/imported-text.ts";
export { importOpenApi, type OpenApiImport, type OpenApiImportResult } from "./scaffold/openapi/import-openapi.ts";
export { type ScaffoldOptions, type ScaffoldResult, scaffold } from "./scaffold/scaffold.ts";
export type { JsonSchema } from "./schema/json-schema.ts";
export { type LoweredSchema, lower, type SchemaSide } from "./schema/lower.ts";
export { type PatternSlowness, patternSlowness } from "./schema/pattern.ts";
export { type FurtherFiles, type WatchRun, watch } from "./watch.ts";
export type { FileChange, FileDifference } from "./write.ts";
