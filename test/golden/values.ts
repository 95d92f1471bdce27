/**
 * Values for a JSON Schema: mostly right, sometimes wrong somewhere. Covers the keywords that the generator emits; strings stay
 * in the basic plane, since Zod counts UTF-16 units and JSON Schema code points.
 */
import type { JsonSchema } from "@fairlead/codegen";
import fc from "fast-check";

const text = (least: number, most: number): fc.Arbitrary<string> =>
  fc.string({ unit: "grapheme-ascii", minLength: least, maxLength: Math.max(least, Math.min(most, least + 12)) });

/** `root` holds the `$defs` that references point to. */
export const valuesOf = (schema: JsonSchema, root: JsonSchema, depth = 0): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 40, arbitrary: rightValues(schema, root, depth) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1, stringUnit: "grapheme-ascii" }) },
  );

const rightValues = (schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<unknown> => {
  const inner = (each: JsonSchema): fc.Arbitrary<unknown> => valuesOf(each, root, depth + 1);
  if (depth > 12) return fc.constant(null);
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    if (target === undefined) throw new Error(`no definition for ${schema.$ref}`);
    return inner(target);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    const shallow = depth > 6 ? branches.filter(({ type }) => type !== "array" && type !== "object") : branches;
    return fc.oneof(...(shallow.length > 0 ? shallow : branches).map(inner));
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0
    ? fc.jsonValue({ maxDepth: 2 })
    : fc.oneof(...types.map((type) => typed(type, schema, inner)));
};

const typed = (
  type: string,
  schema: JsonSchema,
  inner: (schema: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> => {
  const number = (keyword: string, fallback: number): number => {
    const value = schema[keyword];
    return typeof value === "number" ? value : fallback;
  };
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: Math.max(number("minimum", -1e6), -1e6), max: Math.min(number("maximum", 1e6), 1e6) });
    case "number":
      return fc.double({ min: number("minimum", -1e6), max: number("maximum", 1e6), noNaN: true });
    case "string":
      return schema.pattern === undefined
        ? text(number("minLength", 0), number("maxLength", 1e6))
        : fc.stringMatching(new RegExp(schema.pattern));
    case "array":
      return fc.array(typeof schema.items === "object" ? inner(schema.items) : fc.jsonValue({ maxDepth: 1 }), {
        minLength: number("minItems", 0),
        maxLength: Math.min(number("maxItems", 4), number("minItems", 0) + 4),
      });
    case "object":
      return objects(schema, inner);
    default:
      throw new Error(`no values for type ${type}`);
  }
};

const objects = (schema: JsonSchema, inner: (schema: JsonSchema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const fields = Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, inner(field)]));
  const requiredKeys = (schema.required ?? []).filter((key) => key in fields);
  const named = fc.record(fields, { requiredKeys, noNullPrototype: true });
  const extra = schema.additionalProperties;
  const key = fc.stringMatching(/^[a-z]{1,5}$/);
  const others =
    typeof extra === "object"
      ? fc.dictionary(key, inner(extra), { maxKeys: 3, noNullPrototype: true })
      : fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 1, noNullPrototype: true });
  return fc
    .tuple(named, fc.oneof({ weight: typeof extra === "object" ? 1 : 20, arbitrary: fc.constant({}) }, others))
    .map(([right, more]) => ({ ...more, ...right }));
};
