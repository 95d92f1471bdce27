import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldLines } from "./schema-text.ts";

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

test("a definition that several shapes of a union have in one place is taken apart once", () => {
  const shape = (kind: string) => ({
    type: "object",
    properties: { kind: { const: kind }, who: { $ref: "#/$defs/who" }, size: { type: "string" } },
  });
  const who = { type: "object", properties: { id: { type: "string" } } };
  const lines = fieldLines({ oneOf: [shape("cat"), shape("dog")], $defs: { who } });
  expect(lines.map(({ path, type }) => `${path}|${type}`)).toEqual([
    'kind?|"cat"',
    "who?|object",
    "who.id?|string",
    "size?|string",
    'kind?|"dog"',
    "who?|object",
    "size?|string",
  ]);
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
