import { codecs, type Schema } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { lower, type SchemaSide } from "./lower.ts";

const lost = (schema: Schema, side: SchemaSide) =>
  lower(schema, side).unrepresentable.map(({ path, what }) => [path, what]);

interface Tree {
  name: string;
  kids: Tree[];
}

describe("Zod 4", () => {
  test("gives each side its own schema", () => {
    const schema = z.object({ level: z.int().default(1).describe("Level"), text: z.string().transform(Number) });
    expect(lower(schema, "input").json).toMatchObject({ properties: { text: { type: "string" } }, required: ["text"] });
    expect(lost(schema, "input")).toEqual([]);
    expect(lost(schema, "output")).toEqual([["text", "transform"]]);
  });

  test.each<[string, Schema]>([
    ["date", z.date()],
    ["bigint", z.bigint()],
    ["map", z.map(z.string(), z.string())],
    ["set", z.set(z.string())],
    ["undefined", z.undefined()],
    ["void", z.void()],
    ["symbol", z.symbol()],
    ["nan", z.nan()],
    ["custom", z.custom<string>((value) => typeof value === "string")],
    ["custom", z.instanceof(URL)],
    ["function", z.function()],
    ["file", z.file()],
    ["literal", z.literal([undefined, "a"])],
  ])("reports %s with its path, and does not throw", (what, inner) => {
    const schema = z.object({ list: z.array(z.object({ odd: inner })) });
    expect(lost(schema, "input")).toEqual([["list[].odd", what]]);
    expect(lower(schema, "input").unrepresentable[0]?.instead).not.toBe("");
  });

  test("reports what Zod itself refuses", () => {
    const twice = z.object({
      a: z.object({ x: z.string() }).meta({ id: "Same" }),
      b: z.object({ y: z.string() }).meta({ id: "Same" }),
    });
    expect(lower(twice, "input").problems).toMatchObject([{ path: "", message: expect.stringContaining("Same") }]);
  });

  test("keeps recursion in local definitions, under an object on top", () => {
    const node = z.object({
      name: z.string(),
      get kids() {
        return z.array(node);
      },
    });
    expect(lower(node, "input").json).toMatchObject({
      type: "object",
      properties: { kids: { items: { $ref: "#/$defs/self" } } },
      $defs: { self: { properties: { kids: { items: { $ref: "#/$defs/self" } } } } },
    });
    const list = z.object({ first: node, second: node });
    expect(Object.keys(lower(list, "input").json.$defs ?? {})).toEqual(["node"]);
  });

  test("opens a root that is only a name", () => {
    const named = z.object({ a: z.string() }).meta({ id: "Lower_test_only", description: "A thing" });
    expect(lower(named, "input").json).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      description: "A thing",
    });
  });

  test("names any JSON value once", () => {
    const { json } = lower(z.object({ a: z.json(), b: z.record(z.string(), z.json()) }), "output");
    expect(Object.keys(json.$defs ?? {})).toEqual(["json"]);
    expect(json).toMatchObject({
      properties: { a: { $ref: "#/$defs/json" }, b: { additionalProperties: { $ref: "#/$defs/json" } } },
    });
  });

  test("gives shared schemas the same object", () => {
    const shared = z.object({ a: z.string() });
    expect(lower(shared, "output")).toBe(lower(shared, "output"));
    expect(lower(shared, "output")).not.toBe(lower(shared, "input"));
  });
});

describe("Zod 3", () => {
  test("gives the same as Zod 4 for plain schemas", () => {
    const three = z3.object({
      name: z3.string().min(1).max(5).describe("Name"),
      level: z3.number().int().min(0).optional().describe("Level"),
      mode: z3.enum(["a", "b"]),
      list: z3.array(z3.boolean()).max(3),
    });
    const four = z.object({
      name: z.string().min(1).max(5).describe("Name"),
      level: z.number().multipleOf(1).min(0).optional().describe("Level"),
      mode: z.enum(["a", "b"]),
      list: z.array(z.boolean()).max(3),
    });
    const sorted = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
    const json = lower(three, "input").json;
    expect(json.properties?.level).toMatchObject({ type: "integer", minimum: 0 });
    const { level: _, ...rest } = json.properties ?? {};
    const { level: __, ...others } = lower(four, "input").json.properties ?? {};
    expect(sorted(rest)).toEqual(sorted(others));
    expect(json.required).toEqual(["name", "mode", "list"]);
    expect(json.additionalProperties ?? {}).toEqual({});
  });

  test.each<[string, z3.ZodTypeAny]>([
    ["date", z3.date()],
    ["bigint", z3.bigint()],
    ["map", z3.map(z3.string(), z3.string())],
    ["set", z3.set(z3.string())],
    ["undefined", z3.undefined()],
    ["function", z3.function()],
    ["promise", z3.promise(z3.string())],
  ])("reports %s with its path", (what, inner) => {
    expect(lost(z3.object({ list: z3.array(z3.object({ odd: inner })) }), "input")).toEqual([["list[].odd", what]]);
  });

  test("knows transforms from refinements", () => {
    const schema = z3.object({
      fine: z3.string().refine((text) => text !== ""),
      odd: z3.string().transform((text) => text.length),
    });
    expect(lost(schema, "input")).toEqual([]);
    expect(lost(schema, "output")).toEqual([["odd", "transform"]]);
  });

  test("moves references and recursion into local definitions", () => {
    const tree: z3.ZodType<Tree> = z3.lazy(() => z3.object({ name: z3.string(), kids: z3.array(tree) }));
    const { json } = lower(z3.object({ tree, place: z3.object({ x: z3.number() }) }), "input");
    expect(JSON.stringify(json)).not.toMatch(/"\$ref":"#\/properties/);
    expect(JSON.stringify(json)).toContain("#/$defs/");
  });
});

describe("codecs are on the wire what their wire side says, in both directions", () => {
  const own = z.codec(z.string().max(9), z.number(), { decode: Number, encode: String });
  test.each<[string, z.ZodType, object]>([
    ["a date", codecs.date(), { type: "string", format: "date-time" }],
    ["a bigint", codecs.bigint(), { type: "string", maxLength: 1_001 }],
    ["a map", codecs.map(z.string(), own), { type: "array", items: { properties: { value: { maxLength: 9 } } } }],
    ["a set", codecs.set(own), { type: "array", items: { type: "string" } }],
    ["a URL", codecs.url(), { type: "string", format: "uri" }],
    ["bytes", codecs.bytes(), { type: "string", contentEncoding: "base64url" }],
    ["a user's own", own, { type: "string", maxLength: 9 }],
  ])("%s", (_, schema, json) => {
    const fields = z.object({ it: schema.describe("It"), all: z.array(schema).min(2).meta({ description: "All" }) });
    for (const side of ["input", "output"] as const) {
      const lowered = lower(fields, side);
      expect(lowered.unrepresentable).toEqual([]);
      expect(lowered.json).toMatchObject({
        properties: { it: { ...json, description: "It" }, all: { items: json, minItems: 2, description: "All" } },
      });
    }
  });

  test("a one-way transform in an output is refused with its place and the codec to write", () => {
    const schema = z.object({ a: z.array(z.preprocess(Number, z.number())), b: z.string().transform(Number) });
    expect(lower(schema, "output").unrepresentable).toMatchObject([
      { path: "a[]", what: "transform", instead: expect.stringContaining("z.codec") },
      { path: "b", what: "transform" },
    ]);
  });

  test("a default is what a caller gets, and need not send", () => {
    const schema = z.object({ at: codecs.date().default(new Date(0)) });
    expect(lower(schema, "input").json.required).toBeUndefined();
    expect(lower(schema, "output").json.required).toEqual(["at"]);
  });
});

describe("what is published takes what is decoded, and no other", () => {
  test.each<[string, z.ZodType, object]>([
    ["a flag of a pattern", z.string().regex(/^ab$/i), { pattern: "^[Aa][Bb]$" }],
    [
      "two patterns, one with a flag",
      z.string().regex(/^a/i).regex(/b$/),
      { allOf: [{ pattern: "^[Aa]" }, { pattern: "b$" }] },
    ],
    ["an end", z.string().endsWith("b"), { pattern: "b$" }],
    ["both halves of a pipe", z.string().max(5).pipe(z.string().min(2)), { maxLength: 5, allOf: [{ minLength: 2 }] }],
  ])("%s", (_, schema, json) => {
    for (const side of ["input", "output"] as const) {
      const lowered = lower(z.object({ it: schema }), side);
      expect(lowered.problems).toEqual([]);
      expect(lowered.json).toMatchObject({ properties: { it: json } });
    }
  });

  test("a half that changes the value says nothing of the other side", () => {
    const json = lower(z.object({ it: z.string().transform(Number).pipe(z.int()) }), "input").json;
    expect(json).toMatchObject({ properties: { it: { type: "string" } } });
    expect(JSON.stringify(json)).not.toContain("integer");
  });

  test("a pipe's other half is there on both sides", () => {
    const json = lower(z.object({ it: z.string().max(5).pipe(z.string().min(2)) }), "output").json;
    expect(JSON.stringify(json)).toMatch(/maxLength.*minLength|minLength.*maxLength/);
  });

  test.each<[string, z.ZodType, string, string]>([
    ["a default that its own schema refuses", z.string().min(3).default("a"), "default", "expects"],
    ["a default of a codec that is a text", codecs.date().default("x" as never), "default", "expects"],
    ["a prefault that its own schema refuses", z.string().min(3).prefault("a"), "default", "expects"],
    ["an async rule", z.string().refine(async () => true), "async", "decoding does not wait"],
    ["an async transform", z.string().transform(async (text) => text), "async", "decoding does not wait"],
    [
      "an async codec",
      z.codec(z.string(), z.int(), { decode: async () => 1, encode: String }),
      "async",
      "decoding does not wait",
    ],
    ["a flag that no source can say", z.string().regex(/^a$/m), "pattern", "/^a$/m"],
  ])("%s is refused with its place", (_, schema, kind, words) => {
    const { problems } = lower(z.object({ a: z.array(schema) }), "input");
    expect(problems).toMatchObject([{ kind, path: "a[]", message: expect.stringContaining(words) }]);
  });

  test.each([z.promise(z.string()), z.success(z.string())])("what is only known later is refused", (schema) => {
    expect(lost(z.object({ a: schema }), "input")).toEqual([["a", schema._zod.def.type]]);
  });

  test("two schemas with one id are named", () => {
    const schema = z.object({ a: z.string().meta({ id: "Same" }), b: z.int().meta({ id: "Same" }) });
    expect(lower(schema, "input")).toMatchObject({
      unrepresentable: [],
      problems: [{ kind: "duplicate_id", message: expect.stringContaining('"Same"') }],
    });
  });

  test("a list that code may not change is one that callers send: `readOnly` is for what they must not", () => {
    for (const side of ["input", "output"] as const) {
      expect(lower(z.array(z.int()).readonly(), side).json).not.toHaveProperty("readOnly");
      expect(
        lower(z.object({ a: z.array(z.int()).readonly().optional() }), side).json.properties?.a,
      ).not.toHaveProperty("readOnly");
    }
    expect(lower(z.array(z.int()).readonly().meta({ readOnly: true }), "output").json.readOnly).toBe(true);
  });

  test("a record by listed keys whose members may be absent requires none of them", () => {
    for (const keys of [z.enum(["a", "b"]), z.literal(["a", "b"])]) {
      expect(lower(z.record(keys, z.int().optional()), "output").json.required).toBeUndefined();
      expect(lower(z.record(keys, z.int()), "output").json.required).toEqual(["a", "b"]);
      expect(lower(z.record(keys, z.int().default(1)), "output").json.required).toEqual(["a", "b"]);
    }
  });

  test("only registered formats are named, and an output is open for what a later version adds", () => {
    const fields = z.object({
      a: z.nanoid(),
      b: z.cuid2(),
      c: z.email(),
      d: z.string().startsWith("x"),
      e: z.base64(),
    });
    const { properties } = lower(fields, "input").json;
    expect(Object.values(properties ?? {}).map(({ format }) => format)).toEqual([
      undefined,
      undefined,
      "email",
      undefined,
      undefined,
    ]);
    expect(properties?.a?.pattern).toBeDefined();
    expect(lower(z.object({ a: z.strictObject({ b: z.int() }) }), "output").json).toEqual({
      type: "object",
      properties: { a: { type: "object", properties: { b: expect.anything() }, required: ["b"] } },
      required: ["a"],
    });
  });
});

describe("numbers that JSON has no words for", () => {
  test.each<[string, z.ZodType]>([
    ["NaN", z.literal(Number.NaN)],
    ["Infinity", z.literal([1, Number.POSITIVE_INFINITY])],
    ["-Infinity", z.number().max(Number.NEGATIVE_INFINITY)],
    ["Infinity", z.number().min(Number.POSITIVE_INFINITY)],
    ["Infinity", z.number().meta({ examples: [{ deep: Number.POSITIVE_INFINITY }] })],
    ["NaN", z.enum({ A: Number.NaN })],
  ])("%s is refused where it says something", (what, schema) => {
    for (const side of ["input", "output"] as const)
      expect(lost(z.object({ it: schema }), side)).toEqual([["it", what]]);
  });

  test.each<[z.ZodType, object]>([
    [z.number().min(Number.NEGATIVE_INFINITY).max(Number.POSITIVE_INFINITY), { type: "number" }],
    [z.number().gt(Number.NEGATIVE_INFINITY).lt(Number.POSITIVE_INFINITY), { type: "number" }],
    [z.string().max(Number.POSITIVE_INFINITY), { type: "string" }],
    [z.array(z.int()).max(Number.POSITIVE_INFINITY), { type: "array" }],
  ])("a limit without an end says nothing", (schema, json) => {
    const { items: _, ...rest } = lower(schema, "input").json;
    expect({ ...rest, lost: lost(schema, "input") }).toEqual({ ...json, lost: [] });
  });
});

describe("words about a schema change nothing else of it", () => {
  const worded = (schema: z.ZodType): readonly z.ZodType[] => [
    schema.describe("It"),
    schema.describe("That").describe("It"),
    schema.meta({ description: "It" }),
  ];
  test.each<[string, () => z.ZodType]>([
    ["a stringbool", () => z.stringbool({ truthy: ["on"], falsy: ["off"] })],
    ["a value in place of a bad one", () => z.int().catch(3)],
    ["the same of a codec", () => codecs.date().catch(new Date(0))],
    ["a default on the wire side", () => codecs.date().prefault("2020-01-01T00:00:00.000Z")],
  ])("of %s", (_, make) => {
    for (const side of ["input", "output"] as const) {
      const { json } = lower(z.object({ it: make() }), side);
      for (const schema of worded(make())) {
        const { description, ...rest } = lower(z.object({ it: schema }), side).json.properties?.it ?? {};
        expect(rest).toEqual(json.properties?.it);
        expect(description).toBe("It");
      }
    }
  });

  test("and stay with the schema that has them, whichever others are made from it", () => {
    const level = z.int();
    const schema = z.object({ a: level.catch(1).describe("A"), b: level });
    lower(schema, "output");
    expect(z.globalRegistry.get(level)).toBeUndefined();
    expect(lower(schema, "output").json.properties).toMatchObject({ a: { description: "A" }, b: { type: "integer" } });
  });
});

test("the type of a template has no more texts than a compiler counts, whatever is beside them", () => {
  const many = z.enum(Array.from({ length: 400 }, (_, at) => `e${at}`));
  const flags = Array.from({ length: 18 }, () => z.boolean());
  const typed = [z.templateLiteral([z.string(), many, many]), z.templateLiteral(flags)].map((schema) =>
    Object.values(lower(schema, "input").templates),
  );
  expect(typed).toEqual([["`\u0024{string}\u0024{string}\u0024{string}`"], [`\`${"\u0024{string}".repeat(18)}\``]]);
});
