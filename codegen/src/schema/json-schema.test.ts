import fc from "fast-check";
import { expect, test } from "vitest";
import { children, fieldPath, type JsonSchema, rewrite, walk } from "./json-schema.ts";
import { localiseRefs, nameDefs } from "./references.ts";

const key = fc.string({ unit: "binary", maxLength: 6 }).filter((text) => text !== "__proto__");

const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constant({}),
    fc.record(
      {
        type: fc.constantFrom("object", "string"),
        description: fc.string(),
        properties: fc.dictionary(key, tie("schema"), { maxKeys: 2, noNullPrototype: true }),
        anyOf: fc.array(tie("schema"), { maxLength: 2 }),
        items: tie("schema"),
        additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
}));

test("rewriting with nothing to change gives the same schema", () => {
  fc.assert(
    fc.property(anySchema, (schema) => {
      expect(rewrite(schema, (same) => same)).toEqual(schema);
    }),
  );
});

test("a walk meets every schema once, children after their parent", () => {
  const count = (schema: JsonSchema): number => 1 + children(schema).reduce((sum, [, child]) => sum + count(child), 0);
  fc.assert(
    fc.property(anySchema, (schema) => {
      const met = walk(schema);
      expect(met).toHaveLength(count(schema));
      expect(met[0]).toEqual({ path: "", at: undefined, around: undefined, schema });
    }),
  );
});

test("paths read like code", () => {
  const schema: JsonSchema = {
    properties: {
      game: { properties: { npcs: { items: { properties: { ac: {} } } } } },
      by: { additionalProperties: {} },
    },
    $defs: { Node: { anyOf: [{ properties: { x: {} } }] } },
  };
  expect(walk(schema).map(({ path }) => path)).toEqual([
    "",
    "game",
    "game.npcs",
    "game.npcs[]",
    "game.npcs[].ac",
    "by",
    "by{}",
    "$defs.Node",
    "$defs.Node",
    "$defs.Node.x",
  ]);
  expect(fieldPath(["properties", "game", "properties", "npcs", "items", "properties", "ac"])).toBe("game.npcs[].ac");
  expect(fieldPath(["properties", "properties", "prefixItems", 1, "anyOf", 0])).toBe("properties[1]");
  expect(fieldPath([])).toBe("");
});

test("references to the root and into it become local definitions", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { again: { $ref: "#" }, a: { type: "string" }, b: { $ref: "#/properties/a" }, far: { $ref: "x.json" } },
  };
  expect(localiseRefs(schema)).toEqual({
    type: "object",
    properties: {
      again: { $ref: "#/$defs/self" },
      a: { type: "string" },
      b: { $ref: "#/$defs/ref1" },
      far: { $ref: "x.json" },
    },
    $defs: {
      self: {
        type: "object",
        properties: {
          again: { $ref: "#/$defs/self" },
          a: { type: "string" },
          b: { $ref: "#/$defs/ref1" },
          far: { $ref: "x.json" },
        },
      },
      ref1: { type: "string" },
    },
  });
});

test("numbered definitions get names that are free, and equal ones are joined", () => {
  const named = nameDefs({
    properties: {
      a: { $ref: "#/$defs/__schema0" },
      b: { $ref: "#/$defs/__schema1" },
      c: { $ref: "#/$defs/__schema2" },
    },
    $defs: {
      node: { type: "string" },
      __schema0: { items: { $ref: "#/$defs/__schema0" } },
      __schema1: { items: { $ref: "#/$defs/__schema1" } },
      __schema2: { type: "integer" },
    },
  });
  expect(named.properties).toEqual({
    a: { $ref: "#/$defs/node2" },
    b: { $ref: "#/$defs/node2" },
    c: { $ref: "#/$defs/node3" },
  });
  expect(Object.keys(named.$defs ?? {})).toEqual(["node", "node2", "node3"]);
});
