/** A JSON Schema that is still being made, and what is wrong with the schema that it is made from. Not here: making it (`zod-node`). */

/** Something in a schema that cannot work, whatever is sent. */
export interface SchemaProblem {
  readonly kind: "default" | "async" | "pattern" | "key" | "transform" | "duplicate_id" | "unreadable";
  /** Field path from the schema's root. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

export type Problem = Omit<SchemaProblem, "path">;

/** A JSON Schema that is still being made. */
export interface Draft {
  pattern?: string | undefined;
  allOf?: unknown;
  [keyword: string]: unknown;
}
