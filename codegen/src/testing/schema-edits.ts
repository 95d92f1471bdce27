/**
 * Edits of a schema whose meaning is known, and places in a schema where they can be made: what `diff` says of them is compared with that.
 * For tests only.
 */
import type { JsonSchema } from "../schema/json-schema.ts";

/** What the edited schema takes, compared with the one before. */
type EditRelation = "less" | "more" | "same" | "other";

interface SchemaEdit {
  readonly name: string;
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly relation: EditRelation;
}

const text: JsonSchema = { type: "string" };
const whole: JsonSchema = { type: "integer" };
const object = (properties: Readonly<Record<string, JsonSchema>>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const list = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "array", items, ...more });

/** An edit and the opposite one. */
const both = (name: string, narrower: JsonSchema, wider: JsonSchema): readonly SchemaEdit[] => [
  { name: `${name}: narrowed`, before: wider, after: narrower, relation: "less" },
  { name: `${name}: widened`, before: narrower, after: wider, relation: "more" },
];

const other = (name: string, before: JsonSchema, after: JsonSchema): SchemaEdit => ({
  name,
  before,
  after,
  relation: "other",
});
const same = (name: string, before: JsonSchema, after: JsonSchema): SchemaEdit => ({
  name,
  before,
  after,
  relation: "same",
});

const card = object({ kind: { const: "card", type: "string" }, number: text }, { required: ["kind", "number"] });
const cash = object({ kind: { const: "cash", type: "string" } }, { required: ["kind"] });

export const schemaEdits: readonly SchemaEdit[] = [
  ...both("minimum", { type: "integer", minimum: 5 }, { type: "integer", minimum: 1 }),
  ...both("maximum", { type: "integer", maximum: 5 }, { type: "integer", maximum: 10 }),
  ...both("a minimum at all", { type: "number", minimum: 0 }, { type: "number" }),
  ...both("exclusive minimum", { type: "number", exclusiveMinimum: 0 }, { type: "number", minimum: 0 }),
  ...both("exclusive maximum", { type: "number", exclusiveMaximum: 9 }, { type: "number", maximum: 9 }),
  ...both("multiple", { type: "integer", multipleOf: 10 }, { type: "integer", multipleOf: 5 }),
  ...both("a multiple at all", { type: "integer", multipleOf: 3 }, whole),
  ...both("whole numbers", whole, { type: "number" }),
  ...both("least length", { type: "string", minLength: 3 }, { type: "string", minLength: 1 }),
  ...both("greatest length", { type: "string", maxLength: 3 }, { type: "string", maxLength: 40 }),
  ...both("pattern", { type: "string", pattern: "^[a-z]+$" }, text),
  ...both("format with its pattern", { type: "string", format: "date", pattern: "^\\d{4}-\\d\\d-\\d\\d$" }, text),
  ...both("format", { type: "string", format: "uri" }, text),
  ...both("enum", { type: "string", enum: ["a", "b"] }, { type: "string", enum: ["a", "b", "c"] }),
  ...both("enum to text", { type: "string", enum: ["a", "b"] }, text),
  ...both("literal", { type: "string", const: "a" }, { type: "string", enum: ["a", "b"] }),
  ...both("true alone", { type: "boolean", const: true }, { type: "boolean" }),
  ...both("null", text, { anyOf: [text, { type: "null" }] }),
  ...both("types in a list", { type: "string" }, { type: ["string", "null"] }),
  ...both("branch", { anyOf: [text, whole] }, { anyOf: [text, whole, { type: "boolean" }] }),
  ...both("tagged branch", { oneOf: [card] }, { oneOf: [card, cash] }),
  ...both("field of a tagged branch", { oneOf: [cash, card] }, { oneOf: [cash, { ...card, required: ["kind"] }] }),
  ...both("required field", object({ a: text }, { required: ["a"] }), object({ a: text })),
  ...both("new required field", object({ a: text, b: whole }, { required: ["b"] }), object({ a: text })),
  ...both("field's type", object({ a: whole }), object({ a: { anyOf: [whole, text] } })),
  ...both("unknown fields", object({ a: text }, { additionalProperties: false }), object({ a: text })),
  ...both("fields beside", object({}, { additionalProperties: whole }), object({}, { additionalProperties: {} })),
  ...both(
    "map's values",
    { type: "object", additionalProperties: whole },
    { type: "object", additionalProperties: { type: "number" } },
  ),
  ...both(
    "map's keys",
    { type: "object", propertyNames: { enum: ["a", "b"] }, additionalProperties: whole },
    {
      type: "object",
      propertyNames: { enum: ["a", "b", "c"] },
      additionalProperties: whole,
    },
  ),
  ...both(
    "map's size",
    { type: "object", additionalProperties: whole, minProperties: 1 },
    { type: "object", additionalProperties: whole },
  ),
  ...both(
    "map's greatest size",
    { type: "object", additionalProperties: whole, maxProperties: 1 },
    { type: "object", additionalProperties: whole },
  ),
  ...both("least items", list(text, { minItems: 2 }), list(text)),
  ...both("greatest items", list(text, { maxItems: 2 }), list(text, { maxItems: 9 })),
  ...both("unique items", list(whole, { uniqueItems: true }), list(whole)),
  ...both("items", list({ type: "string", maxLength: 2 }), list(text)),
  ...both(
    "tuple's rest",
    { type: "array", prefixItems: [text], items: false },
    { type: "array", prefixItems: [text], items: whole },
  ),
  ...both(
    "tuple's place",
    { type: "array", prefixItems: [whole], items: false },
    { type: "array", prefixItems: [{ type: "number" }], items: false },
  ),
  ...both(
    "intersection",
    { allOf: [object({ a: text }, { required: ["a"] }), object({ b: text }, { required: ["b"] })] },
    object({ a: text }, { required: ["a"] }),
  ),
  ...both("anything", text, {}),
  other("another type", text, whole),
  other("other literals", { type: "string", enum: ["a", "b"] }, { type: "string", enum: ["b", "c"] }),
  other("bounds moved", { type: "integer", minimum: 0, maximum: 9 }, { type: "integer", minimum: 5, maximum: 20 }),
  other(
    "renamed field",
    object({ a: text }, { required: ["a"], additionalProperties: false }),
    object({ b: text }, { required: ["b"], additionalProperties: false }),
  ),
  other("list instead of one", text, list(text)),
  same("new optional field", object({ a: text }), object({ a: text, b: whole })),
  same(
    "words",
    { type: "string", description: "One" },
    { type: "string", description: "Other", title: "T", examples: ["x"] },
  ),
  same("order of choices", { type: "string", enum: ["a", "b"] }, { type: "string", enum: ["b", "a"] }),
  same("order of branches", { anyOf: [text, whole] }, { anyOf: [whole, text] }),
  same("one literal", { type: "string", const: "a" }, { type: "string", enum: ["a"] }),
  same("bounds of whole numbers", { type: "integer", exclusiveMinimum: 0 }, { type: "integer", minimum: 1 }),
  same("union of one", text, { anyOf: [text] }),
];

/** Puts a schema somewhere. */
export const schemaPositions: Readonly<Record<string, (edited: JsonSchema) => JsonSchema>> = {
  "a field": (edited) => object({ it: edited, id: text }, { required: ["it", "id"] }),
  "the whole": (edited) => edited,
  "an optional field": (edited) => object({ it: edited }),
  "a field of a closed object": (edited) => object({ it: edited }, { required: ["it"], additionalProperties: false }),
  "a field deep down": (edited) =>
    object(
      { a: object({ b: object({ it: edited }, { required: ["it"] }) }, { required: ["b"] }) },
      { required: ["a"] },
    ),
  "items of a list": (edited) => object({ all: list(edited, { maxItems: 5 }) }, { required: ["all"] }),
  "values of a map": (edited) => ({ type: "object", additionalProperties: edited }),
  "a place of a tuple": (edited) => ({ type: "array", prefixItems: [text, edited], items: false, minItems: 2 }),
  "a branch with a tag": (edited) => ({
    oneOf: [cash, object({ kind: { const: "it", type: "string" }, it: edited }, { required: ["kind", "it"] })],
  }),
  "a definition": (edited) => object({ it: { $ref: "#/$defs/It" } }, { required: ["it"], $defs: { It: edited } }),
  "a recursive definition": (edited) => ({
    ...object({ root: { $ref: "#/$defs/Tree" } }, { required: ["root"] }),
    $defs: { Tree: object({ it: edited, inner: list({ $ref: "#/$defs/Tree" }) }, { required: ["it"] }) },
  }),
  "a part of an intersection": (edited) => ({
    allOf: [object({ it: edited }, { required: ["it"] }), object({ id: text }, { required: ["id"] })],
  }),
};
