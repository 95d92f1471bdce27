/** `@fairlead/codegen/proof`: how schemas, published schemas and types are held to each other; loads ajv and fast-check. */
export type { ProofFinding } from "./finding.ts";
export { typePredicate } from "./printed-type.ts";
export { type ProofOptions, type ProofSubject, prove } from "./prove.ts";
export { readType, type TypePredicate } from "./type-reader.ts";
export { schemaValues } from "./values.ts";
