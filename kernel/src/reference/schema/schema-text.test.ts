import fc from "fast-check";
import { expect, test } from "vitest";
import { bareText, fieldLines } from "./schema-text.ts";

test("a field is a line with its path, type and description", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", description: "Its name." },
      size: { enum: ["s", "l"], description: "Its size." },
      level: { type: "integer", minimum: 1, maximum: 20 },
      any: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
      who: { $ref: "#/$defs/who", description: "Who." },
      list: {
        type: "array",
        items: { type: "object", properties: { ac: { type: ["number", "null"] } }, required: ["ac"] },
      },
      either: { anyOf: [{ type: "string" }, { const: 4 }] },
    },
    required: ["name", "list"],
    $defs: { who: { type: "object", properties: { id: { type: "string" } } } },
  };
  expect(fieldLines(schema).map(({ path, type, description }) => `${path}|${type}|${description}`)).toEqual([
    "name|string|Its name.",
    'size?|"s" | "l"|Its size.',
    "level?|integer 1..20|",
    "any?|integer|",
    "who?|object|Who.",
    "who.id?|string|",
    "list|object[]|",
    "list[].ac|number | null|",
    "either?|string | 4|",
  ]);
});

const linesOf = (schema: Parameters<typeof fieldLines>[0]): readonly string[] =>
  fieldLines(schema).map(({ path, type, description }) => [path, type, description].filter(Boolean).join("|"));

test("a union says what all of its shapes have, and then each with what only it has", () => {
  const shape = (kind: string, more: object = {}) => ({
    type: "object",
    properties: { kind: { const: kind, description: `A ${kind}.` }, who: { $ref: "#/$defs/who" }, ...more },
    required: ["kind"],
  });
  const who = { type: "object", properties: { id: { type: "string" } } };
  const pet = { oneOf: [shape("cat", { lives: { type: "integer" } }), shape("dog")] };
  expect(linesOf({ ...pet, $defs: { who } })).toEqual([
    "who?|object",
    "who.id?|string",
    'when kind is "cat"|A cat.',
    "lives?|integer",
    'when kind is "dog"|A dog.',
  ]);
  expect(linesOf({ type: "object", properties: { pet }, required: ["pet"], $defs: { who } })).toEqual([
    "pet|object",
    "pet.who?|object",
    "pet.who.id?|string",
    'pet, when kind is "cat"|A cat.',
    "pet.lives?|integer",
    'pet, when kind is "dog"|A dog.',
  ]);
});

test("shapes without a distinguishing field are numbered; a shape or nothing is not a union", () => {
  const object = (name: string) => ({
    type: "object",
    description: `By ${name}.`,
    properties: { [name]: { type: "string" } },
  });
  expect(linesOf({ anyOf: [object("url"), object("path"), { type: "null" }] })).toEqual([
    "shape 1 of 2|By url.",
    "url?|string",
    "shape 2 of 2|By path.",
    "path?|string",
  ]);
  expect(linesOf({ anyOf: [object("url"), { type: "null" }] })).toEqual(["url?|string"]);
});

test("a schema that refers to itself ends", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } } };
  expect(fieldLines({ $ref: "#/$defs/node", $defs: { node } }).length).toBeLessThan(20);
  const union = { anyOf: [{ $ref: "#/$defs/union" }, { type: "array", items: { $ref: "#/$defs/union" } }] };
  expect(fieldLines({ type: "object", properties: { all: { $ref: "#/$defs/union" } }, $defs: { union } })).toHaveLength(
    1,
  );
});

test("any object gives lines", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom("type", "properties", "items", "anyOf", "$ref", "enum", "required"),
        fc.jsonValue(),
      ),
      (schema) => {
        for (const line of fieldLines(schema)) expect(typeof line.type).toBe("string");
      },
    ),
  );
});

test.each<[object, string]>([
  [{}, "anything"],
  [{ description: "Any JSON value" }, "anything"],
  [{ $ref: "#/$defs/any", $defs: { any: {} } }, "anything"],
  [
    {
      anyOf: [
        ...["string", "number", "boolean", "null"].map((type) => ({ type })),
        { type: "array", items: {} },
        { type: "object", additionalProperties: {} },
      ],
    },
    "anything",
  ],
  [{ type: "object" }, "anything, by name"],
  [{ type: "object", additionalProperties: {} }, "anything, by name"],
  [{ type: "object", properties: {}, additionalProperties: true }, "anything, by name"],
  [{ type: "object", properties: {} }, "(nothing)"],
  [{ type: "object", properties: {}, additionalProperties: false }, "(nothing)"],
  [{ type: "object", additionalProperties: false }, "(nothing)"],
  [{ type: "boolean" }, "boolean"],
  [{ type: "array", items: { type: "string" } }, "string[]"],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "object" }] } }, "(string | object)[]"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ type: "array", items: { type: "array", items: { type: ["string", "null"] } } }, "(string | null)[][]"],
  [{ anyOf: [{ type: "array", items: { type: "string" } }, { type: "null" }] }, "string[] | null"],
  [{ type: "array", items: { type: "integer", minimum: 1, maximum: 9 } }, "(integer 1..9)[]"],
  [
    { type: "array", items: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] } },
    "(string | string[])[]",
  ],
  [{ enum: ["a", "b"] }, '"a" | "b"'],
])("%j without fields is shown as %s", (schema, text) => {
  expect(bareText({ ...schema })).toBe(text);
});
