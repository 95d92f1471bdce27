/** What is published of records, defaults and pipes whose two sides differ, and what is refused of them before a call can fail. */
import { codecs } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkOutput } from "../check/schema.ts";
import { prove } from "../proof/prove.ts";
import { type LoweredSchema, lower, type SchemaSide } from "./lower.ts";

const field = (schema: z.ZodType, side: SchemaSide): LoweredSchema => lower(z.object({ it: schema }), side);

const published = (schema: z.ZodType, side: SchemaSide) => field(schema, side).json.properties?.it;

const refusals = (schema: z.ZodType, side: SchemaSide): readonly string[] =>
  field(schema, side).problems.map(({ kind }) => kind);

/** What the proof finds: nothing where Zod, the published schema and the type agree. */
const findings = (schema: z.ZodType, side: SchemaSide): readonly string[] => {
  const { json, templates } = field(schema, side);
  return prove({ schema: z.object({ it: schema }), side, json, templates }, { values: 50, seed: 7 }).map(
    ({ kind }) => kind,
  );
};

const sides = ["input", "output"] as const;

describe("a record by listed names", () => {
  const ab = { type: "string", enum: ["a", "b"] };
  test.each<[string, z.ZodType, object]>([
    ["one of them", z.record(z.literal("a"), z.boolean()), { propertyNames: { enum: ["a"] }, required: ["a"] }],
    [
      "a choice of lists",
      z.record(z.union([z.literal("a"), z.enum(["b"])]), z.boolean()),
      { propertyNames: ab, required: ["a", "b"] },
    ],
    ["some of a choice", z.partialRecord(z.enum(["a"]).or(z.literal("b")), z.boolean()), { propertyNames: ab }],
    ["loose, with others of any kind", z.looseRecord(z.enum(["a", "b"]), z.boolean()), { required: ["a", "b"] }],
  ])("defines its members: %s", (_, schema, more) => {
    for (const side of sides) {
      expect(published(schema, side)).toMatchObject({ properties: { a: { type: "boolean" } }, ...more });
      expect(findings(schema, side)).toEqual([]);
    }
  });
});

describe("a loose record", () => {
  test.each<[string, z.ZodType, object]>([
    ["any key", z.looseRecord(z.string(), z.int32()), { additionalProperties: { type: "integer" } }],
    [
      "a template",
      z.looseRecord(z.templateLiteral(["k", z.int()]), z.boolean()),
      { patternProperties: { "^k-?\\d+$": { type: "boolean" } } },
    ],
    [
      "a pattern with a flag",
      z.looseRecord(z.string().regex(/^a-/i), z.boolean()),
      { patternProperties: { "^[Aa]-": { type: "boolean" } } },
    ],
  ])("holds to its value what fits its keys: %s", (_, schema, words) => {
    for (const side of sides) {
      expect(published(schema, side)).toMatchObject({ type: "object", ...words });
      expect(published(schema, side)?.propertyNames).toBeUndefined();
      expect(findings(schema, side)).toEqual([]);
    }
  });

  test.each([z.int(), z.string().max(3), z.string().startsWith("a").endsWith("b"), z.string().regex(/^a/m)])(
    "whose keys have no words is refused",
    (keys) => {
      expect(refusals(z.looseRecord(keys, z.int()), "input")).toContain("key");
    },
  );
});

test.each<[string, z.ZodType]>([
  ["dates", z.record(codecs.date() as never, z.int())],
  ["bigints", z.record(codecs.bigint() as never, z.int())],
  ["booleans", z.record(z.boolean() as never, z.int())],
  ["a choice with null", z.record(z.union([z.string(), z.null()]) as never, z.int())],
  ["limited numbers", z.record(z.int().min(0).max(3), z.int())],
])("keys that no object has are refused: %s", (_, schema) => {
  for (const side of sides) expect(refusals(schema, side)).toEqual(["key"]);
});

test("a codec from text to text may be a key", () => {
  const upper = z.codec(z.string(), z.string(), {
    decode: (text) => text.toUpperCase(),
    encode: (text) => text.toLowerCase(),
  });
  for (const side of sides) expect(refusals(z.record(upper, z.int()), side)).toEqual([]);
});

describe("a default", () => {
  test.each<[string, z.ZodType, unknown]>([
    ["a bigint", codecs.bigint().default(5n), "5"],
    [
      "an object with codecs",
      z.object({ at: codecs.date(), n: codecs.bigint() }).default({ at: new Date(0), n: 5n }),
      { at: "1970-01-01T00:00:00.000Z", n: "5" },
    ],
    ["a set", codecs.set(codecs.bigint()).default(new Set([3n])), ["3"]],
    ["what a caller could have sent", codecs.bigint().prefault("7"), "7"],
    ["a number", z.int().default(3), 3],
  ])("is published as it would be sent: %s", (_, schema, value) => {
    expect(published(schema, "input")).toMatchObject({ default: value });
    for (const side of sides) {
      expect(field(schema, side).unrepresentable).toEqual([]);
      expect(findings(schema, side)).toEqual([]);
    }
  });

  test.each<[string, z.ZodType]>([
    ["a random id", z.string().default(() => crypto.randomUUID())],
    ["the time", z.int().default(() => Date.now())],
    ["the time in seconds", z.int().default(() => Math.floor(Date.now() / 1_000))],
    ["a date of now", codecs.date().default(() => new Date())],
    ["a random text to decode", z.string().prefault(() => crypto.randomUUID())],
    [
      "the time inside of an object",
      z.object({ at: z.iso.datetime() }).default(() => ({ at: new Date().toISOString() })),
    ],
  ])("that differs each time is not published: %s", (_, schema) => {
    for (const side of sides) expect(published(schema, side)).not.toHaveProperty("default");
  });

  test("that JSON cannot say is refused", () => {
    expect(field(z.bigint().default(5n), "input").unrepresentable.map(({ what }) => what)).toContain("bigint");
  });
});

describe("the second half of a pipe", () => {
  const pairs: readonly (readonly [string, z.ZodType, object])[] = [
    ["a date", z.string().pipe(codecs.date()), { allOf: [{ format: "date-time" }] }],
    ["a bigint", z.string().max(30).pipe(codecs.bigint()), { maxLength: 30, allOf: [{ maxLength: 1001 }] }],
    ["a set", z.array(z.string()).pipe(codecs.set(z.string().min(2))), { allOf: [{ items: { minLength: 2 } }] }],
    [
      "another pipe",
      z.string().pipe(z.string().min(2).pipe(codecs.date())),
      { allOf: [{ minLength: 2, allOf: [{ format: "date-time" }] }] },
    ],
  ];
  test.each(pairs)("is published where it is a codec: %s", (_, schema, words) => {
    for (const side of sides) {
      expect(published(schema, side)).toMatchObject(words);
      expect(findings(schema, side)).toEqual([]);
    }
  });

  test("is published with the words of a stringbool", () => {
    const schema = z.string().pipe(z.stringbool({ truthy: ["yes"], falsy: ["no"] }));
    expect(published(schema, "input")).toMatchObject({ allOf: [{ pattern: "^(?:[Yy][Ee][Ss]|[Nn][Oo])$" }] });
    for (const side of sides) expect(findings(schema, side)).toEqual([]);
  });

  test("is left out where it is kinder, or sees another value", () => {
    for (const schema of [z.string().pipe(z.coerce.number()), z.string().trim().pipe(z.email())]) {
      expect(published(schema, "input")).toEqual({ type: "string" });
      expect(findings(schema, "input")).toEqual(["own_rule"]);
    }
  });

  test("is refused in an output where it goes one way, however deep, and not in an input", () => {
    const length = z.string().transform((text) => text.length);
    for (const schema of [
      z.string().pipe(length),
      z.string().pipe(z.string().pipe(length)),
      z.string().pipe(length.nullable() as never),
    ]) {
      expect(refusals(schema, "output")).toEqual(["transform"]);
      expect(refusals(schema, "input")).toEqual([]);
      expect(findings(schema, "input")).toEqual([]);
    }
  });

  test("is refused in an output where it coerces to another type", () => {
    expect(refusals(z.string().pipe(z.coerce.number()), "output")).toEqual(["transform"]);
    expect(refusals(z.string().pipe(z.coerce.string().min(2) as never), "output")).toEqual([]);
  });

  test("is refused where it waits", () => {
    const later = z.codec(z.string(), z.string(), { decode: async (text) => text, encode: (text) => text });
    expect(refusals(z.string().pipe(later), "input")).toContain("async");
  });
});

test("a field that both halves of an intersection have is described by either", () => {
  const both = z.intersection(
    z.object({ a: z.string().min(2).describe("A") }),
    z.object({ a: z.string().max(4), b: z.int() }),
  );
  const found = checkOutput(lower(both, "output"), { source: "shop.contract.ts", where: "shop.look" });
  expect(found.map(({ where }) => where)).toEqual(["shop.look b"]);
});

test("`nullable` is no word of JSON Schema", () => {
  expect(published(z.string().meta({ nullable: true }), "input")).toEqual({ type: "string" });
});
