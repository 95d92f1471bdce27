import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { httpRoute, queryFields, queryToInput, servedMethods } from "./http-route.ts";
import { mutation, query, subscription } from "./procedure.ts";
import type { Schema } from "./schema.ts";

const output = z.object({});
const reads = (input: Schema) => query({ summary: "Reads.", input, output });

const flat = reads(
  z.object({
    name: z.string().max(40).describe("n"),
    level: z.int().optional(),
    ratio: z.number().default(1),
    sure: z.boolean(),
    mode: z.enum(["fast", "slow"]),
    die: z.literal([4, 6]),
    id: z.uuid(),
  }),
);

describe("the route", () => {
  test("is a GET for a query whose input is flat, scalar and short", () => {
    expect(httpRoute("rules", "roll", flat)).toEqual({ method: "GET", path: "/api/rules/roll", encoding: "query" });
    expect(httpRoute("rules", "list", reads(z.strictObject({}))).method).toBe("GET");
  });

  test("is a GET for a subscription under the same rule, so that an EventSource can open it", () => {
    const events = subscription({ summary: "Streams.", input: z.object({ after: z.int().optional() }), output });
    expect(httpRoute("kernel", "events", events)).toMatchObject({ method: "GET", encoding: "query" });
  });

  test("takes the path that the contract gives, below /api", () => {
    const procedure = query({ summary: "Reads.", input: z.object({}), output, http: { path: "/dice" } });
    expect(httpRoute("rules", "roll", procedure).path).toBe("/api/dice");
  });

  test.each<[string, Schema]>([
    ["a string without a maximum", z.object({ text: z.string() })],
    ["a string that may be long", z.object({ text: z.string().max(129) })],
    ["an array", z.object({ list: z.array(z.string().max(1)) })],
    ["a nested object", z.object({ inner: z.object({}) })],
    ["a field that may be null", z.object({ level: z.int().nullable() })],
    ["a union", z.object({ level: z.union([z.int(), z.boolean()]) })],
    ["literals of two types", z.object({ level: z.literal([1, "one"]) })],
    ["unlisted fields", z.looseObject({ level: z.int() })],
    ["nine fields", z.object(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, z.int()])))],
    ["a transform", z.object({ level: z.string().max(3).transform(Number) })],
    ["an input that is no object", z.string().max(3)],
  ])("is a POST for %s", (_, input) => {
    expect(httpRoute("rules", "roll", reads(input))).toMatchObject({ method: "POST", encoding: "json" });
  });

  test("is the same for a Zod 3 schema", () => {
    const route = httpRoute("rules", "roll", reads(z3.object({ level: z3.number() })));
    expect(route).toMatchObject({ method: "GET", encoding: "query" });
  });

  test("is a POST for every mutation", () => {
    const change = mutation({ summary: "Changes.", retry: "idempotent", input: z.object({}), output });
    expect(httpRoute("rules", "reset", change).method).toBe("POST");
  });
});

describe("the query string", () => {
  test("gives each field its own type", () => {
    expect(Object.fromEntries(queryFields(flat) ?? [])).toEqual({
      name: "string",
      level: "number",
      ratio: "number",
      sure: "boolean",
      mode: "string",
      die: "number",
      id: "string",
    });
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
});

describe("what is served beside the documented endpoint", () => {
  const grown = reads(
    z.object({
      name: z.string(),
      levels: z.array(z.int()).optional(),
      sure: z.boolean().nullable().default(null),
      inner: z.object({ deep: z.int() }).optional(),
      many: z.array(z.array(z.int())).optional(),
    }),
  );

  test("every query has GET, POST and QUERY, a mutation POST alone", () => {
    expect(servedMethods(flat)).toEqual(["GET", "POST", "QUERY"]);
    expect(servedMethods(grown)).toEqual(["POST", "GET", "QUERY"]);
    const writes = mutation({ summary: "Writes.", retry: "unsafe", input: z.object({}), output });
    expect(servedMethods(writes)).toEqual(["POST"]);
  });

  test("a GET takes scalars and lists by name, one item too, and leaves the rest to the schema", () => {
    expect(queryToInput(grown, "name=5&levels=1&sure=true")).toEqual({ name: "5", levels: [1], sure: true });
    expect(queryToInput(grown, "levels=1&levels=x&inner=%7B%7D&many=1")).toEqual({
      levels: [1, "x"],
      inner: "{}",
      many: "1",
    });
  });
});
