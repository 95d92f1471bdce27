/**
 * What a contract may use as a schema: Zod 4, or Zod 3 (`zod/v3`) for teams that are moving to Zod 4.
 * Both speak Standard Schema, which is where input and output types are read from.
 *
 * Not here: turning a schema into JSON Schema (codegen's `lower`).
 */

import type * as z3 from "zod/v3";
import type * as z4 from "zod/v4/core";

/** A schema of Zod 4 or of Zod 3. */
export type Schema = z4.$ZodType | z3.ZodTypeAny;

/** What a caller sends: before defaults and transforms. */
export type SchemaInput<S> = S extends { readonly _zod: { input: infer I } }
  ? I
  : S extends { readonly _input: infer I }
    ? I
    : never;

/** What parsing gives: after defaults and transforms. */
export type SchemaOutput<S> = S extends { readonly _zod: { output: infer O } }
  ? O
  : S extends { readonly _output: infer O }
    ? O
    : never;

/**
 * A key for `.meta({ id, [listOnce]: true })`, for a large schema that several tools of a service take, like a whole document.
 * A tool list shows it in full once, in the first of those tools, and in the others as its required fields. A model pays for
 * every tool's schema in every conversation. What is decoded does not change.
 */
export const listOnce = "x-list-once";

/** Whether a schema is of Zod 4, of its mini package too; otherwise it is of Zod 3. */
export const isZod4 = (schema: Schema): schema is z4.$ZodType => "_zod" in schema;
