/**
 * What one expression or query may cost. Every number can be set by the host; the defaults admit a query over 1,000,000 rows.
 */
export interface Limits {
  /** Longest text of one expression, in UTF-8 bytes. */
  readonly textBytes: number;
  /** Deepest syntax tree, and deepest nesting of brackets. */
  readonly depth: number;
  /**
   * Steps that one row may take: each element visited by a sequence method is a step. Outside any row (in `eval`, `from`, over a group) the
   * elements of a sequence method are rows themselves; those of another inside of it belong to their row.
   */
  readonly fuelPerRow: number;
  /** Steps of the whole query or evaluation; each row is one step in addition to its own. */
  readonly fuelPerQuery: number;
  /** Longest string an expression may make, in UTF-16 units; checked before it is made. */
  readonly stringLength: number;
  /** Longest sequence an expression may make. */
  readonly items: number;
  /** Rows in a result. */
  readonly resultRows: number;
  /** Bytes of a result as JSON. */
  readonly resultBytes: number;
  /** Wall time of a query or evaluation, in milliseconds. */
  readonly wallMs: number;
}

/** The limits of a query where its caller sets none. */
export const defaultLimits: Limits = {
  textBytes: 4_096,
  depth: 64,
  fuelPerRow: 1_000_000,
  fuelPerQuery: 20_000_000,
  stringLength: 65_536,
  items: 2_000_000,
  resultRows: 1_000,
  resultBytes: 1_048_576,
  wallMs: 5_000,
};
