import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { codecs } from "./codecs.ts";
import { httpPath, queryParameters, queryToInput, servedMethods } from "./http-route.ts";
import { mutation, query, subscription } from "./procedure.ts";
import type { Schema } from "./schema/schema.ts";

const output = z.object({});
const reads = (input: Schema) => query({ summary: "Reads.", input, output });

const flat = reads(
  z.object({
    name: z.string().describe("n"),
    level: z.int().optional(),
    ratio: z.number().default(1),
    sure: z.boolean(),
    mode: z.enum(["fast", "slow"]),
    die: z.literal([4, 6]),
    id: z.uuid(),
  }),
);

const grown = reads(
  z.object({
    name: z.string(),
    levels: z.array(z.int()).optional(),
    sure: z.boolean().nullable().default(null),
    inner: z.object({ deep: z.int() }).optional(),
    many: z.array(z.array(z.int())).optional(),
  }),
);

describe("path and methods", () => {
  test("never depend on the input", () => {
    const events = subscription({ summary: "Streams.", input: z.object({}), output });
    for (const procedure of [flat, grown, reads(z.null()), reads(z.string()), events]) {
      expect(httpPath("rules", "roll", procedure)).toBe("/api/rules/roll");
      expect(servedMethods(procedure)).toEqual(["GET", "POST", "QUERY"]);
    }
  });

  test("a mutation is a POST", () => {
    const change = mutation({ summary: "Changes.", retry: "idempotent", input: z.object({}), output });
    expect(servedMethods(change)).toEqual(["POST"]);
  });

  test("the path is the one that the contract gives, below /api", () => {
    const procedure = query({ summary: "Reads.", input: z.object({}), output, http: { path: "/dice" } });
    expect(httpPath("rules", "roll", procedure)).toBe("/api/dice");
  });
});

describe("what a query string can have", () => {
  const parameters = (input: Schema) => Object.fromEntries(queryParameters(reads(input)));

  test("are the scalars of the input and lists of them, by name", () => {
    expect(parameters(flat.input)).toEqual({
      name: "string",
      level: "number",
      ratio: "number",
      sure: "boolean",
      mode: "string",
      die: "number",
      id: "string",
    });
    expect(parameters(grown.input)).toEqual({ name: "string", levels: "number[]", sure: "boolean" });
  });

  test("are those of both halves of an intersection, where both say the same of a field that they share", () => {
    const named = z.object({ name: z.string(), level: z.int(), age: z.int(), inner: z.object({}) });
    const aged = z.object({ level: z.string(), age: z.int().optional(), sure: z.boolean(), inner: z.string() });
    expect(parameters(named.and(aged))).toEqual({ name: "string", age: "number", sure: "boolean" });
    expect(parameters(z.intersection(z.object({ a: z.int() }), aged.and(named)).readonly())).toEqual({
      a: "number",
      name: "string",
      age: "number",
      sure: "boolean",
    });
  });

  test("are the texts of what is decoded from text", () => {
    expect(parameters(z.object({ at: codecs.date(), of: z.templateLiteral(["a", z.int()]) }))).toEqual({
      at: "string",
      of: "string",
    });
  });

  test.each<[string, Schema]>([
    ["a nested object", z.object({ inner: z.object({}) })],
    ["a union", z.object({ level: z.union([z.int(), z.boolean()]) })],
    ["literals of two types", z.object({ level: z.literal([1, "one"]) })],
    ["a list of lists", z.object({ many: z.array(z.array(z.int())) })],
    ["an input that is not an object", z.string().max(3)],
  ])("is nothing of %s", (_, input) => {
    expect(parameters(input)).toEqual({});
  });

  test("is the same for a Zod 3 schema", () => {
    expect(parameters(z3.object({ level: z3.number() }))).toEqual({ level: "number" });
  });
});

describe("the query string", () => {
  test("gives each field its own type", () => {
    expect(queryToInput(flat, "name=12&level=3&sure=true&mode=fast&die=6")).toEqual({
      name: "12",
      level: 3,
      sure: true,
      mode: "fast",
      die: 6,
    });
  });

  test.each([
    ["level=0x10", { level: "0x10" }],
    ["level=", { level: "" }],
    ["level=NaN", { level: "NaN" }],
    ["sure=1", { sure: "1" }],
    ["level=1&level=2", { level: [1, 2] }],
    ["stranger=1", { stranger: "1" }],
    ["name=%E0%A4%A", { name: "\uFFFD%A" }],
    ["", {}],
  ])("leaves what does not fit for the schema to refuse: %s", (text, expected) => {
    expect(queryToInput(flat, text)).toEqual(expected);
  });

  test("makes own properties of hostile names", () => {
    const input = queryToInput(flat, "__proto__=x&constructor=y");
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.keys(input)).toEqual(["__proto__", "constructor"]);
  });

  test("brings back what was encoded", () => {
    const inputs = fc.record(
      {
        name: fc.string({ unit: "binary", maxLength: 40 }).filter((text) => text.isWellFormed()),
        level: fc.maxSafeInteger(),
        ratio: fc.double({ noNaN: true, noDefaultInfinity: true }),
        sure: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const params = new URLSearchParams();
        for (const [key, value] of Object.entries(input)) {
          params.append(key, typeof value === "string" ? value : JSON.stringify(value));
        }
        expect(JSON.stringify(queryToInput(flat, params.toString()))).toBe(JSON.stringify(input));
      }),
    );
  });

  test("never throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void queryToInput(flat, text)));
  });

  test("takes scalars and lists by name, one item too, and leaves the rest to the schema", () => {
    expect(queryToInput(grown, "name=5&levels=1&sure=true")).toEqual({ name: "5", levels: [1], sure: true });
    expect(queryToInput(grown, "levels=1&levels=x&inner=%7B%7D&many=1")).toEqual({
      levels: [1, "x"],
      inner: "{}",
      many: "1",
    });
  });
});
