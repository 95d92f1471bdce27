/**
 * What identifies a procedure's shape on the wire: a digest of its kind, its schemas and its errors. Words do not count: a better description is no
 * other contract.
 */
import { createHash } from "node:crypto";
import { asZod4, type Procedure, type Schema } from "@fairlead/contracts";
import { toJSONSchema } from "zod/v4/core";
import { canonicalJson } from "../../call/canonical.ts";
import { isRecord } from "../../call/record.ts";

const known = new WeakMap<Procedure, string>();

export const procedureDigest = (procedure: Procedure): string => {
  const found = known.get(procedure);
  if (found !== undefined) return found;
  const { kind, input, output, errors = {} } = procedure;
  const shape = {
    kind,
    input: wireSchema(input),
    output: wireSchema(output),
    errors: Object.fromEntries(
      Object.entries(errors).map(([reason, { code, data }]) => [
        reason,
        { code, ...(data !== undefined && { data: wireSchema(data) }) },
      ]),
    ),
  };
  const digest = createHash("sha256").update(canonicalJson(shape)).digest("hex").slice(0, 16);
  known.set(procedure, digest);
  return digest;
};

/** JSON Schema of what travels, with its words. */
export const describeWire = (schema: Schema): unknown =>
  toJSONSchema(asZod4(schema), { io: "input", unrepresentable: "any" });

const wireSchema = (schema: Schema): unknown => withoutWords(describeWire(schema));

const words: ReadonlySet<string> = new Set(["$schema", "title", "description", "examples", "deprecated"]);
/** Members whose own members are names, which may be any word. */
const named: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
/** Members that hold values and no schemas. */
const values: ReadonlySet<string> = new Set(["const", "enum", "default", "required"]);

const withoutWords = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !words.has(key))
      .map(([key, value]) => {
        if (values.has(key)) return [key, value];
        if (!named.has(key) || !isRecord(value)) return [key, withoutWords(value)];
        return [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutWords(inner)]))];
      }),
  );
};
