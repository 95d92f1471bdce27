/** What the proof of a schema can find: data, so that it can be stored. */
export interface ProofFinding {
  readonly kind: /** The published schema takes what the kernel refuses by a rule that has words in JSON Schema. */
    | "looser"
    /** The same by a rule that only Zod knows. */
    | "own_rule"
    /** The published schema refuses what the kernel takes. */
    | "tighter"
    /** What the kernel gives is not what is published. */
    | "gives_other"
    | "type_looser"
    | "type_tighter"
    /** ajv in strict mode does not take the schema itself. */
    | "not_strict"
    /** A rule or a codec waits, throws. */
    | "async"
    | "throws";
  /** A value that shows it, as JSON, shortened. */
  readonly value: string;
  readonly detail: string;
}
