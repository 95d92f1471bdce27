/** The closed table of changes between two releases: what each means for which callers. Not here: finding them (`compare`). */

/** What a caller may be. */
export type Surface = "http" | "trpc" | "mcp" | "typescript" | "python" | "cli";

export const surfaces: readonly Surface[] = ["http", "trpc", "mcp", "typescript", "python", "cli"];

/**
 * - `breaking`: a caller that worked does not any more, and the witness shows it.
 * - `warning`: not decided, or only some callers notice.
 * - `compatible`: every caller of the old release works with the new one.
 */
export type ChangeVerdict = "breaking" | "warning" | "compatible";

const calls: readonly Surface[] = ["http", "trpc", "mcp", "typescript", "python", "cli"];
const generated: readonly Surface[] = ["typescript", "python"];
/** What carries the bytes of a file. */
const files: readonly Surface[] = ["http", "typescript", "python", "cli"];

const table = {
  service_removed: ["breaking", calls],
  service_added: ["compatible", calls],
  procedure_removed: ["breaking", calls],
  procedure_added: ["compatible", calls],
  kind_changed: ["breaking", calls],
  input_narrowed: ["breaking", calls],
  input_widened: ["compatible", calls],
  input_undecided: ["warning", calls],
  input_field_removed: ["warning", calls],
  default_changed: ["warning", calls],
  output_widened: ["breaking", calls],
  output_narrowed: ["compatible", calls],
  output_undecided: ["warning", calls],
  output_field_removed: ["warning", generated],
  error_added: ["warning", calls],
  error_removed: ["warning", generated],
  error_code_changed: ["breaking", calls],
  error_data_removed: ["breaking", calls],
  error_data_added: ["compatible", calls],
  deprecated: ["compatible", calls],
  retry_weakened: ["breaking", calls],
  retry_strengthened: ["compatible", calls],
  access_raised: ["breaking", calls],
  access_lowered: ["warning", calls],
  deadline_shortened: ["warning", calls],
  deadline_lengthened: ["compatible", calls],
  run_removed: ["breaking", calls],
  run_added: ["compatible", calls],
  pages_removed: ["breaking", ["cli"]],
  page_iterator_removed: ["warning", ["typescript"]],
  pages_added: ["compatible", ["typescript", "cli"]],
  upload_added: ["breaking", calls],
  upload_removed: ["breaking", calls],
  upload_narrowed: ["breaking", calls],
  upload_widened: ["compatible", calls],
  download_added: ["breaking", files],
  download_removed: ["breaking", files],
  download_widened: ["breaking", files],
  download_narrowed: ["compatible", files],
  question_added: ["warning", calls],
  question_removed: ["compatible", calls],
  question_kind_changed: ["breaking", calls],
  route_removed: ["breaking", ["http", "typescript", "python"]],
  route_added: ["compatible", ["http"]],
  tool_removed: ["breaking", ["mcp"]],
  tool_added: ["compatible", ["mcp"]],
  annotation_changed: ["warning", ["mcp"]],
  verb_removed: ["breaking", ["cli"]],
  verb_added: ["compatible", ["cli"]],
  verb_argument_added: ["breaking", ["cli"]],
  verb_argument_removed: ["breaking", ["cli"]],
  verb_flag_removed: ["breaking", ["cli"]],
  verb_flag_added: ["compatible", ["cli"]],
  verb_document_removed: ["breaking", ["cli"]],
} as const satisfies Record<string, readonly [ChangeVerdict, readonly Surface[]]>;

/** A kind of change, of the table above. */
export type ChangeKind = keyof typeof table;

/** All kinds, in the table's order. */
export const changeKinds: readonly ChangeKind[] = Object.keys(table).filter(
  (kind): kind is ChangeKind => kind in table,
);

/** One change between two releases. */
export interface ReleaseChange {
  readonly kind: ChangeKind;
  readonly verdict: ChangeVerdict;
  readonly surfaces: readonly Surface[];
  readonly service: string;
  /** `notes.add input text`. */
  readonly where: string;
  readonly message: string;
  /** What worked and does not any more: a value as JSON, or a call. Every breaking change has one. */
  readonly witness?: string;
}

export interface ChangePlace {
  readonly service: string;
  readonly where: string;
  /** Surfaces that what changed is not on. */
  readonly without?: readonly Surface[];
}

export const change = (
  kind: ChangeKind,
  { service, where, without = [] }: ChangePlace,
  text: { readonly message: string; readonly witness?: string },
): ReleaseChange => {
  const [verdict, affected] = table[kind];
  const on: readonly Surface[] = affected;
  return { kind, verdict, surfaces: on.filter((each) => !without.includes(each)), service, where, ...text };
};

const order: readonly ChangeVerdict[] = ["compatible", "warning", "breaking"];

/** The worst of some changes. */
export const worst = (changes: readonly ReleaseChange[]): ChangeVerdict =>
  changes.reduce<ChangeVerdict>(
    (sum, { verdict }) => (order.indexOf(verdict) > order.indexOf(sum) ? verdict : sum),
    "compatible",
  );
