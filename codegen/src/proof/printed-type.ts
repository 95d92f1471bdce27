/** The printed type of a JSON Schema, with those of its definitions, read back. Not here: reading (`type-reader`), and printing (`print/types`). */
import { printType, type TypeStyle } from "../print/types.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { readType, type TypePredicate } from "./type-reader.ts";

/** Whether a value is assignable to the type that clients get for a schema. */
export const typePredicate = ({ $defs = {}, ...root }: JsonSchema, style: TypeStyle = {}): TypePredicate => {
  const known = new Map<string, TypePredicate>();
  const names = Object.keys($defs);
  const definitionName = (definition: string): string => `Definition${names.indexOf(definition)}`;
  const read = (schema: JsonSchema): TypePredicate =>
    // What a definition accepts is known when all of them have been read.
    readType(printType(schema, definitionName, style), (name) => (value) => known.get(name)?.(value) ?? false);
  for (const [name, schema] of Object.entries($defs)) known.set(definitionName(name), read(schema));
  return read(root);
};
