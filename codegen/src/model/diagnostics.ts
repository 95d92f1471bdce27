/**
 * The closed table of diagnostics: everything `fairlead gen` can say about a contract or a project. Codes are stable; each has
 * a contract in `test/golden` that must fail with it.
 *
 * An error stops the writing of files; a warning and a note do not. A note is about what cannot be otherwise.
 */

export type Severity = "error" | "warning" | "note";

const table = {
  // The project
  contract_load_failed: "error",
  contract_empty: "error",
  contract_malformed: "error",
  include_not_found: "error",
  contract_id_invalid: "error",
  contract_id_reserved: "error",
  contract_duplicate: "error",
  contract_version_invalid: "error",
  service_missing: "warning",
  service_not_installed: "warning",
  file_not_ours: "error",
  names_lock_invalid: "error",
  name_unused: "warning",
  // Words
  summary_missing: "error",
  field_undescribed: "error",
  output_undescribed: "warning",
  description_too_long: "error",
  error_when_missing: "error",
  // Schemas
  input_not_object: "error",
  input_union: "error",
  schema_unrepresentable: "error",
  schema_empty: "error",
  schema_external_ref: "error",
  schema_unsupported: "error",
  schema_pattern_slow: "error",
  schema_pattern_flags: "error",
  schema_async: "error",
  schema_id_invalid: "error",
  schema_id_reserved: "error",
  schema_throws: "error",
  schema_looser: "error",
  schema_own_rule: "note",
  schema_tighter: "error",
  schema_gives_other: "error",
  schema_type_differs: "error",
  schema_not_strict: "error",
  schema_id_duplicate: "error",
  schema_id_clash: "error",
  default_invalid: "error",
  example_invalid: "error",
  question_invalid: "error",
  // Names and routes
  procedure_name_invalid: "error",
  procedure_name_reserved: "error",
  error_reason_invalid: "error",
  field_reserved: "error",
  tool_name_invalid: "error",
  tool_name_too_long: "error",
  tool_duplicate: "error",
  tool_subscription: "error",
  tool_field_invalid: "error",
  tool_too_many: "warning",
  route_invalid: "error",
  route_duplicate: "error",
  // Verbs of the command line
  verb_name_invalid: "error",
  verb_duplicate: "error",
  verb_procedure_unknown: "error",
  verb_field_unknown: "error",
  verb_path_unknown: "error",
  prompt_unfit: "error",
  resource_unfit: "error",
  // Behaviour
  policy_out_of_range: "error",
  policy_retry_unsafe: "error",
  run_repeats_unsafe: "error",
  hints_contradiction: "error",
  error_code_unknown: "error",
} as const satisfies Record<string, Severity>;

/** One of the table above; stable, for tools that read the diagnostics. */
export type DiagnosticCode = keyof typeof table;

/** All codes, in the table's order. */
export const diagnosticCodes = Object.keys(table) as readonly DiagnosticCode[];

/** Something to fix: what is wrong, where, and how to fix it. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** File or module of the contract; the project's root for what belongs to no contract. */
  readonly source: string;
  /** Line of `source`, from 1, where it is known. */
  readonly line?: number;
  /** Contract, procedure and field, like `rules.resolveAttack input game.npcs[].ac`; empty for the project. */
  readonly where: string;
  readonly message: string;
  readonly fix: string;
}

/** Where a diagnostic belongs. */
export interface DiagnosticPlace {
  readonly source: string;
  readonly where: string;
}

export const diagnostic = (
  code: DiagnosticCode,
  place: DiagnosticPlace,
  text: { readonly message: string; readonly fix: string },
): Diagnostic => ({ code, severity: table[code], source: place.source, where: place.where, ...text });

/** One line for a terminal or a log. */
export const diagnosticLine = ({ code, severity, source, line, where, message, fix }: Diagnostic): string =>
  `${[severity, code, ...place(source, line), ...(where === "" ? [] : [where])].join(" ")}: ${message}; ${fix}`;

/** Nothing for what is about the project as a whole. */
const place = (source: string, line: number | undefined): readonly string[] =>
  source === "." ? [] : [line === undefined ? source : `${source}:${line}`];

/** Whether nothing may be written: warnings alone stop no run. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === "error");
