import { stripTypeScriptTypes } from "node:module";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { JsonSchema } from "../schema/json-schema.ts";
import { lower } from "../schema/lower.ts";
import { printZod, recursive } from "./zod.ts";

/** The schema that a printed text makes. */
const made = (text: string): z.ZodType => new Function("z", `${stripTypeScriptTypes(recursive)} return ${text};`)(z);
const print = (schema: JsonSchema): string => printZod(schema, { unnamed: "refuse" });

const text = { type: "string" };
const number = { type: "number" };
const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});

describe("the text", () => {
  test.each<[JsonSchema, string]>([
    [{ type: "string", minLength: 1, maxLength: 5, pattern: "(a+)+$", format: "uri" }, "z.string().min(1)"],
    [{ type: "integer", minimum: -1, exclusiveMaximum: 9 }, "z.int().min(-1).lt(9)"],
    [{ type: "number" }, "z.number()"],
    [{ type: ["string", "null"] }, "z.string().nullable()"],
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "z.string().nullable()"],
    [{ oneOf: [{ type: "string" }, { type: "number" }] }, "z.union([\n  z.string(),\n  z.number(),\n])"],
    [{ enum: ["a", "b", "a"] }, 'z.literal(["a", "b"])'],
    [{ enum: [1, null] }, "z.literal([1, null])"],
    [{ const: "a" }, 'z.literal("a")'],
    [{ const: { a: 1 } }, "z.json()"],
    [{ type: "array", items: { type: "boolean" }, maxItems: 3 }, "z.array(z.boolean()).max(3)"],
    [{ type: "array", prefixItems: [{ type: "string" }] }, "z.array(z.json())"],
    [{ type: "object" }, "z.record(z.string(), z.json())"],
    [{ type: "object", additionalProperties: { type: "number" } }, "z.record(z.string(), z.number())"],
    [{ type: "object", additionalProperties: false }, "z.strictObject({})"],
    [{ type: "object", properties: {} }, "z.strictObject({})"],
    [{ allOf: [{ type: "string" }] }, "z.string()"],
    [{ allOf: [{ type: "string" }, { type: "number" }] }, "z.json()"],
    [{ allOf: [{ minLength: 1 }], type: "string" }, "z.json()"],
    [{ type: "object", allOf: [{ $ref: "#" }] }, "z.record(z.string(), z.json())"],
    [{ type: "object", anyOf: [{ type: "string" }] }, "z.record(z.string(), z.json())"],
    [{ type: "object", anyOf: [{ required: [] }, { type: "object" }] }, "z.record(z.string(), z.json())"],
    [{ anyOf: [{ $ref: "#" }] }, "z.json()"],
    [{ not: { type: "string" } }, "z.json()"],
    [{}, "z.json()"],
  ])("of %j", (schema, text) => expect(print(schema)).toBe(text));

  test("says of every field what the upstream says, or that it says nothing", () => {
    const schema = {
      type: "object",
      properties: { "odd-name": { type: "string", description: "Odd." }, n: { type: "integer", default: 3 } },
      required: ["odd-name"],
    };
    expect(print(schema)).toBe(
      'z.strictObject({\n  "odd-name": z.string().describe("Odd."),\n' +
        '  n: z.int().optional().describe("The upstream\'s `n`; it says no more about it. (3 when left out)"),\n})',
    );
    expect(printZod(schema, { unnamed: "leave out" })).toMatch(/^z\.object/);
    expect(print({ ...schema, additionalProperties: true })).toMatch(/^z\.looseObject/);
    expect(print({ ...schema, additionalProperties: { type: "string" } })).toMatch(/\.catchall\(z\.string\(\)\)$/);
  });

  test.each<[string, JsonSchema, unknown, unknown]>([
    [
      "joins objects that are all to be one",
      {
        type: "object",
        allOf: [object({ a: text }, ["a"]), { $ref: "#/$defs/b" }],
        $defs: { b: object({ b: number }) },
      },
      { a: "x", b: 1 },
      { b: 1 },
    ],
    [
      "holds a field to all that several of them say",
      {
        type: "object",
        allOf: [object({ a: { anyOf: [text, number] } }), object({ a: { $ref: "#/$defs/a" } })],
        $defs: { a: text },
      },
      { a: 1 },
      [],
    ],
    [
      "prints the fields of an object whose branches only say which are needed",
      { ...object({ a: text, b: text }), anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      { b: "x" },
      { b: 1 },
    ],
    [
      "takes branches on top that are objects",
      { type: "object", oneOf: [object({ a: text }, ["a"]), object({ b: text }, ["b"])] },
      { b: "x" },
      { c: "x" },
    ],
    ["names what is only required", { ...object({ a: text }, ["a", "b"]) }, { a: "x", b: 1 }, { a: "x" }],
  ])("%s", (_, schema, good, bad) => {
    const parsed = made(print(schema));
    expect(parsed.safeParse(good).success).toBe(true);
    expect(parsed.safeParse(bad).success).toBe(false);
  });

  test("a schema that leads into itself stays one, in all clients", () => {
    const node = object({ v: text, kids: { type: "array", items: { $ref: "#/$defs/n" } } }, ["v"]);
    const schema = { ...object({ root: { $ref: "#/$defs/n" } }, ["root"]), $defs: { n: node } };
    const parsed = made(print(schema));
    const deep = (v: unknown) => ({ root: { v: "a", kids: [{ v: "b", kids: [{ v }] }] } });
    expect(parsed.safeParse(deep("c")).success).toBe(true);
    expect(parsed.safeParse(deep(1)).success).toBe(false);
    expect(JSON.stringify(lower(parsed, "input").json)).toMatch(/"items":\{"\$ref":"#\/\$defs\/\w+"\}/);
  });

  test("follows references, also old ones, and stops where they lead into themselves", () => {
    const point = { type: "object", properties: { x: { type: "number", description: "X" } }, required: ["x"] };
    const old = {
      type: "object",
      properties: { p: { $ref: "#/definitions/p", description: "P" } },
      definitions: { p: point },
    };
    expect(made(print(old)).safeParse({ p: { x: 1 } }).success).toBe(true);
    expect(made(print(old)).safeParse({ p: { x: "1" } }).success).toBe(false);
    const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#" }, description: "K" } } };
    expect(made(print(tree)).safeParse({ kids: [{ kids: [] }] }).success).toBe(true);
    expect(print({ $ref: "https://example.com/schema" })).toBe("z.json()");
  });

  test("is not multiplied by references to references", () => {
    const doubled = (to: string) => ({ type: "object", properties: { a: { $ref: to }, b: { $ref: to } } });
    const $defs = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${at}`, doubled(`#/$defs/d${at + 1}`)]));
    expect(print({ $ref: "#/$defs/d0", $defs }).length).toBeLessThan(1_000_000);
  });

  test("is never code of the upstream's", () => {
    const evil = '"); globalThis.hacked = true; ("';
    const schema = {
      type: "object",
      properties: {
        [evil]: { type: "string", description: evil },
        ["__proto__"]: { type: "string" },
        a: { enum: [evil], title: evil, default: evil, description: "*/ globalThis.hacked = true; /*" },
      },
    };
    made(print(schema));
    expect(Reflect.get(globalThis, "hacked")).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, words) => {
        const own = name === "__proto__" ? "x" : name;
        const parsed = made(print({ type: "object", properties: { [own]: { const: words, description: words } } }));
        expect(parsed.safeParse({ [own]: words }).success).toBe(true);
      }),
    );
  });
});

/** Schemas as our own contracts lower to, so that the way back is exact. */
const leaf = fc.oneof(
  fc.constant({ type: "string" }),
  fc.constant({ type: "boolean" }),
  fc.constant({ type: "number" }),
  fc.record({ type: fc.constant("string"), minLength: fc.nat(9) }),
  fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 4 }).map((values) => ({ type: "string", enum: values })),
);
const name = fc.stringMatching(/^[a-z][A-Za-z0-9_-]{0,6}$/);
const described = (schema: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
  fc.tuple(schema, fc.stringMatching(/^[A-Z][a-z ]{0,9}[a-z]$/)).map(([one, description]) => ({ ...one, description }));
const { schema: canonical } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    tie("schema").map((items) => ({ type: "array", items })),
    fc.dictionary(name, fc.tuple(described(tie("schema")), fc.boolean()), { minKeys: 1, maxKeys: 4 }).map((members) => {
      const required = Object.keys(members).filter((key) => members[key]?.[1]);
      return {
        type: "object",
        properties: Object.fromEntries(Object.entries(members).map(([key, [schema]]) => [key, schema])),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      };
    }),
  ),
}));

test("what is printed lowers to the schema again", () => {
  fc.assert(
    fc.property(canonical, (schema) => {
      expect(lower(made(print(schema)), "input").json).toEqual(schema);
    }),
  );
});

/** Schemas, and what only looks like one: each keyword with what belongs there, or with scrap. */
const { schema: odd } = fc.letrec<{ schema: object }>((tie) => {
  const depthIdentifier = fc.createDepthIdentifier();
  const scrap = fc.constantFrom("object", "array", "string", "#", "#/properties/a", -1, 1e300, true, null);
  const or = (...fitting: readonly fc.Arbitrary<unknown>[]) =>
    fc.oneof({ depthIdentifier, maxDepth: 4 }, scrap, ...fitting, ...fitting, ...fitting);
  const schema = tie("schema");
  const name = fc.oneof(fc.constant("a"), fc.string());
  const typed = {
    type: or(fc.constantFrom("object", "object", "array", "string", "integer", "null")),
    properties: or(fc.dictionary(name, schema, { maxKeys: 3 })),
    additionalProperties: or(schema),
    items: or(schema),
    required: or(fc.array(name, { maxLength: 3 })),
    minimum: scrap,
    default: or(schema),
  };
  const other = {
    anyOf: or(fc.array(schema, { maxLength: 3 })),
    allOf: or(fc.array(schema, { maxLength: 3 })),
    enum: or(fc.array(name, { maxLength: 3 })),
    const: or(name),
    $ref: scrap,
  };
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });
  return {
    schema: fc.oneof(
      some(typed),
      fc.record(typed),
      fc.oneof(...Object.entries(other).map(([key, value]) => some({ [key]: value })), some({ ...typed, ...other })),
    ),
  };
});

test("any schema gives a text that makes a schema", () => {
  fc.assert(
    fc.property(odd, (schema) => {
      expect(made(print({ ...schema }))).toHaveProperty("safeParse");
    }),
  );
});
