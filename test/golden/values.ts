/**
 * Values for a JSON Schema: mostly right, sometimes wrong somewhere. Covers the keywords that the generator emits; strings stay
 * in the basic plane, since Zod counts UTF-16 units and JSON Schema code points.
 */
import type { JsonSchema } from "@fairlead/codegen";
import fc from "fast-check";

const text = (least: number, most: number): fc.Arbitrary<string> =>
  fc.string({ unit: "grapheme-ascii", minLength: least, maxLength: Math.max(least, Math.min(most, least + 12)) });

export interface Place {
  /** Holds the `$defs` that references point to. */
  readonly root: JsonSchema;
  /** How many of forty values are anything at all. */
  readonly wrong: number;
  readonly depth: number;
}

/** Half of the values are right everywhere, as far as the keywords above go. */
export const valuesOf = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof(...[0, 1].map((wrong) => valuesAt(schema, { root: schema, wrong, depth: 0 })));

const valuesAt = (schema: JsonSchema, place: Place): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 40, arbitrary: rightValues(schema, place) },
    { weight: place.wrong, arbitrary: fc.jsonValue({ maxDepth: 1, stringUnit: "grapheme-ascii" }) },
  );

const rightValues = (schema: JsonSchema, place: Place): fc.Arbitrary<unknown> => {
  const { root, depth, wrong } = place;
  const inner = (each: JsonSchema): fc.Arbitrary<unknown> => valuesAt(each, { ...place, depth: depth + 1 });
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
    : fc.oneof(...types.map((type) => typed(type, schema, { inner, wrong })));
};

interface Inside {
  readonly inner: (schema: JsonSchema) => fc.Arbitrary<unknown>;
  readonly wrong: number;
}

const typed = (type: string, schema: JsonSchema, inside: Inside): fc.Arbitrary<unknown> => {
  const { inner } = inside;
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
      return objects(schema, inside);
    default:
      throw new Error(`no values for type ${type}`);
  }
};

const objects = (schema: JsonSchema, { inner, wrong }: Inside): fc.Arbitrary<unknown> => {
  const fields = Object.fromEntries(Object.entries(schema.properties ?? {}).map(([key, field]) => [key, inner(field)]));
  const requiredKeys = (schema.required ?? []).filter((key) => key in fields);
  const named = fc.record(fields, { requiredKeys, noNullPrototype: true });
  const extra = schema.additionalProperties;
  const key = fc.stringMatching(/^[a-z]{1,5}$/);
  const others =
    typeof extra === "object"
      ? fc.dictionary(key, inner(extra), { maxKeys: 3, noNullPrototype: true })
      : fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 1, noNullPrototype: true });
  const often = typeof extra === "object" ? 10 : wrong;
  return fc
    .tuple(named, fc.oneof({ weight: 10, arbitrary: fc.constant({}) }, { weight: often, arbitrary: others }))
    .map(([right, more]) => ({ ...more, ...right }));
};
