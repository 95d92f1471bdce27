/**
 * Values for a JSON Schema: half of them right, as far as one look at each keyword goes, half of them with one thing changed: another type, a
 * field gone, one too many, a number or a text just outside. Texts stay in the basic plane, since Zod counts UTF-16 units and JSON
 * Schema code points.
 *
 * Not here: whether a value is taken (`prove`).
 */
import fc from "fast-check";
import type { JsonSchema } from "../schema/json-schema.ts";

/** Values for a schema with its own `$defs`. Throws for a type that JSON does not have. */
export const schemaValues = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const right = rightValues(schema, { root: schema, depth: 0 });
  return fc.oneof(right, fc.tuple(right, fc.nat(), anyValue).map(changeOnePlace));
};

const plainText = { unit: "grapheme-ascii" } as const;
const anyValue = fc.jsonValue({ maxDepth: 1, stringUnit: "grapheme-ascii" });

interface SchemaPlace {
  /** Holds the `$defs` that references point to. */
  readonly root: JsonSchema;
  readonly depth: number;
}

const deepest = 12;

const rightValues = (schema: JsonSchema, place: SchemaPlace): fc.Arbitrary<unknown> => {
  const { root, depth } = place;
  if (depth > deepest) return fc.constant(null);
  const inner = (each: JsonSchema): fc.Arbitrary<unknown> => rightValues(each, { root, depth: depth + 1 });
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    if (target === undefined) throw new Error(`no definition for ${schema.$ref}`);
    return inner(target);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) {
    const shallow =
      depth > deepest / 2 ? branches.filter(({ type }) => type !== "array" && type !== "object") : branches;
    return fc.oneof(...(shallow.length > 0 ? shallow : branches).map(inner));
  }
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length > 0) return fc.oneof(...types.map((type) => typeValues(type, withParts(schema), inner)));
  return schema.allOf === undefined || schema.allOf.length === 0
    ? fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme-ascii" })
    : fc.tuple(...schema.allOf.map(inner)).map(joinObjects);
};

/** What the parts of an `allOf` say beside a type; where two say the same keyword, the first is used. */
const withParts = ({ allOf = [], ...schema }: JsonSchema): JsonSchema => Object.assign({}, ...allOf, schema);

const joinObjects = (parts: readonly unknown[]): unknown =>
  parts.every((part) => typeof part === "object" && part !== null) ? Object.assign({}, ...parts) : parts[0];

type Inner = (schema: JsonSchema) => fc.Arbitrary<unknown>;

const typeValues = (type: string, schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> => {
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
    case "number":
      return numbers(type, number);
    case "string":
      return texts(schema, number);
    case "array":
      return lists(schema, number, inner);
    case "object":
      return objects(schema, inner);
    default:
      throw new Error(`no values for type ${type}`);
  }
};

type ReadNumber = (keyword: string, fallback: number) => number;

const numbers = (type: "integer" | "number", number: ReadNumber): fc.Arbitrary<number> => {
  const least = Math.max(number("minimum", -1e6), number("exclusiveMinimum", -1e6));
  const most = Math.max(least, Math.min(number("maximum", 1e6), number("exclusiveMaximum", 1e6)));
  const step = number("multipleOf", 0);
  if (step > 0) return fc.integer({ min: Math.ceil(least / step), max: Math.floor(most / step) }).map((n) => n * step);
  const edges = fc.constantFrom(least, most, least - 1, most + 1);
  const between =
    type === "integer"
      ? fc.integer({ min: Math.ceil(least), max: Math.max(Math.ceil(least), Math.floor(most)) })
      : fc.double({ min: least, max: most, noNaN: true });
  return fc.oneof({ weight: 9, arbitrary: between }, { weight: 1, arbitrary: edges });
};

/** Texts that a format's rule takes, where its pattern is none that can be generated from. */
const samples = fc.constantFrom(
  ...[
    "https://example.com/a",
    "ftp://example.com",
    "2026-01-31",
    "2026-01-31T12:00:00Z",
    "12:00:00",
    "P1D",
    "ada@example.com",
  ],
  ...[
    "192.0.2.1",
    "2001:db8::1",
    "example.com",
    "123e4567-e89b-42d3-a456-426614174000",
    "true",
    "no",
    "1",
    "Ab c",
    " a ",
  ],
);

const texts = (schema: JsonSchema, number: ReadNumber): fc.Arbitrary<string> => {
  const least = number("minLength", 0);
  const plain = fc.string({
    ...plainText,
    minLength: least,
    maxLength: Math.max(least, Math.min(number("maxLength", 1e6), least + 12)),
  });
  if (schema.pattern !== undefined) return matching(schema.pattern);
  return schema.format === undefined ? plain : fc.oneof(plain, samples);
};

const matching = (pattern: string): fc.Arbitrary<string> => {
  const made = patterns.get(pattern) ?? textsOfPattern(pattern);
  patterns.set(pattern, made);
  return made;
};

/** Schemas share patterns, and reading one takes longer than making values of it. */
const patterns = new Map<string, fc.Arbitrary<string>>();

const textsOfPattern = (pattern: string): fc.Arbitrary<string> => {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"), { maxLength: 100, size: "xsmall" });
  } catch {
    return samples;
  }
};

const lists = (
  { items, prefixItems = [] }: JsonSchema,
  number: ReadNumber,
  inner: Inner,
): fc.Arbitrary<readonly unknown[]> => {
  const least = number("minItems", 0);
  const first = fc.tuple(...prefixItems.map(inner));
  if (items === false)
    return fc
      .tuple(first, fc.integer({ min: least, max: prefixItems.length }))
      .map(([all, count]) => all.slice(0, count));
  const rest = fc.array(typeof items === "object" ? inner(items) : anyValue, {
    minLength: Math.max(0, least - prefixItems.length),
    maxLength: Math.max(least, Math.min(number("maxItems", 3), least + 3)),
    size: "xsmall",
  });
  return fc.tuple(first, rest).map(([all, more]) => [...all, ...more]);
};

const objects = (schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> => {
  const { properties = {}, additionalProperties: extra, patternProperties = {}, propertyNames } = schema;
  const fields = Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, inner(field)]));
  const requiredKeys = (schema.required ?? []).filter((key) => key in fields);
  const parts = [fc.record(fields, { requiredKeys, noNullPrototype: true })];
  const dictionary = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> =>
    fc.dictionary(key, value, { maxKeys: 3, size: "xsmall", noNullPrototype: true });
  for (const [pattern, value] of Object.entries(patternProperties))
    parts.push(dictionary(matching(pattern), inner(value)));
  if (typeof extra === "object") parts.push(dictionary(names(propertyNames), inner(extra)));
  const missing = (schema.required ?? []).filter((key) => !(key in fields));
  if (missing.length > 0 && typeof extra === "object")
    parts.push(fc.record(Object.fromEntries(missing.map((key) => [key, inner(extra)])), { noNullPrototype: true }));
  const [named] = parts;
  if (parts.length === 1 && named !== undefined) return named;
  return fc.tuple(...parts).map((made) => Object.assign({}, ...made.toReversed()));
};

/** Made once: reading its pattern takes longer than making values of it. */
const plainNames = fc.stringMatching(/^[a-z]{1,5}$/);

const names = (schema: unknown): fc.Arbitrary<string> => {
  const { enum: choices, pattern } = Object(schema) as JsonSchema;
  if (Array.isArray(choices)) return fc.constantFrom(...choices.map(String));
  return pattern === undefined ? plainNames : matching(pattern);
};

/** Changes the place of that number, counted round all places of the value. */
const changeOnePlace = ([value, index, other]: readonly [unknown, number, unknown]): unknown => {
  const places = countPlaces(value);
  let left = index % places;
  const change = (at: unknown): unknown => {
    if (left-- === 0) return changeValue(at, index, other);
    if (Array.isArray(at)) return at.map(change);
    if (typeof at !== "object" || at === null) return at;
    return Object.fromEntries(Object.entries(at).map(([key, inner]) => [key, change(inner)]));
  };
  return change(value);
};

const countPlaces = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + countPlaces(inner), 1)
    : 1;

const changeValue = (value: unknown, index: number, other: unknown): unknown => {
  if (index % 3 === 0) return other;
  if (typeof value === "string") return changedTexts(value)[index % 4];
  if (typeof value === "number") return index % 2 === 0 ? value + 0.5 : -value;
  if (Array.isArray(value)) return index % 2 === 0 ? value.slice(1) : [...value, ...value, other];
  if (typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  if (index % 2 === 0) return Object.fromEntries(entries.filter((_, at) => at !== index % entries.length));
  return { ...value, [entries.length % 2 === 0 ? "zz" : "a"]: other };
};

/** Too long, in other letters, too short by one, and much too short. */
const changedTexts = (text: string): readonly string[] => [
  `${text}${text}x`,
  swapCase(text),
  text.slice(1),
  text.slice(0, 1),
];

const swapCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());
