/**
 * The same contract in Zod 3 and in Zod 4 is the same contract: each construct that both have, with the same JSON Schema, HTTP route, values and
 * issues on both sides.
 */
import { decoder, encoder, query, queryParameters, type Schema } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z4 from "zod";
import * as z3 from "zod/v3";
import { lower } from "./lower.ts";

type Pair = readonly [name: string, three: z3.ZodTypeAny, four: z4.ZodType];

const Color = { Red: "red", Blue: "blue" } as const;

/** The constructs that both write in the same words. */
const alike = (z: typeof z4): Readonly<Record<string, z4.ZodType>> => {
  const point = z.object({ kind: z.literal("point"), x: z.number() });
  const line = z.object({ kind: z.literal("line"), length: z.number().positive() });
  return {
    "text with limits": z.string().min(2, "two letters at least").max(9).describe("A name."),
    "text of a length": z.string().length(3),
    "text by a pattern": z.string().regex(/^[a-z]+$/, "small letters"),
    "text by its parts": z.string().startsWith("a").includes("b").endsWith("c"),
    "text that is changed": z.string().trim().toLowerCase().toUpperCase(),
    email: z.string().email(),
    url: z.string().url(),
    uuid: z.string().uuid(),
    "e-mail with words": z.string().email("write an e-mail address"),
    emoji: z.string().emoji(),
    nanoid: z.string().nanoid(),
    cuid: z.string().cuid(),
    cuid2: z.string().cuid2(),
    ulid: z.string().ulid(),
    base64: z.string().base64(),
    base64url: z.string().base64url(),
    jwt: z.string().jwt(),
    "a date and time": z.string().datetime(),
    "a date and time with an offset": z.string().datetime({ offset: true, precision: 3 }),
    "a date": z.string().date(),
    "a time": z.string().time({ precision: 0 }),
    "a duration": z.string().duration(),
    numbers: z.number().min(1).max(9),
    "numbers in open limits": z.number().gt(1).lt(9),
    "whole numbers": z.number().int().nonnegative(),
    "numbers in steps": z.number().multipleOf(0.5).finite(),
    booleans: z.boolean(),
    null: z.null(),
    any: z.object({ a: z.any(), b: z.unknown() }),
    never: z.object({ a: z.never().optional() }),
    "a plain object": z.object({ a: z.string(), b: z.number() }),
    "a strict object": z.object({ name: z.string() }).strict(),
    "an open object": z.object({ a: z.string() }).passthrough(),
    "an object with a catchall": z.object({ a: z.string() }).catchall(z.number()),
    "objects in objects": z.object({ a: z.object({ b: z.string() }) }),
    "part of an object": z.object({ a: z.string(), b: z.string() }).pick({ a: true }).partial(),
    "a larger object": z.object({ a: z.string() }).extend({ c: z.boolean() }).omit({ a: true }),
    "optional fields": z.object({ a: z.string().optional() }),
    "fields of null": z.object({ a: z.string().nullable() }),
    "fields that may be missing or null": z.object({ a: z.string().nullish() }),
    defaults: z.object({ a: z.string().default("x"), b: z.number().default(1) }),
    "a default of an object": z.object({ a: z.object({ b: z.string() }).default({ b: "x" }) }),
    fallbacks: z.object({ a: z.number().catch(1) }),
    "fields that are read only": z.object({ a: z.string().readonly() }),
    "a brand": z.object({ a: z.string().max(5).brand("Name") }),
    lists: z.array(z.boolean()).min(1).max(3),
    "a list of a length": z.array(z.string()).length(2, "two of them"),
    enums: z.enum(["a", "b"]),
    "enums of TypeScript": z.nativeEnum(Color),
    literals: z.literal("a"),
    "literal numbers": z.literal(7),
    unions: z.union([z.string(), z.number(), z.null()]),
    "unions of objects": z.union([point, line]),
    "unions by a field": z.discriminatedUnion("kind", [point, line]),
    "parts together": z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
    tuples: z.tuple([z.string(), z.number()]),
    "tuples with more": z.tuple([z.string()]).rest(z.number()),
    records: z.record(z.string(), z.number()),
    "records by a pattern": z.record(z.string().regex(/^[a-z]$/, "a small letter"), z.number()),
    "a rule in code": z.string().refine((text) => text !== "no", "anything but no"),
    "several issues of one rule": z.object({ a: z.string() }).superRefine(({ a }, context) => {
      if (a !== "x") context.addIssue({ code: "custom", message: "give x", path: ["a"] });
    }),
    "a change before": z.preprocess((value) => (value === "" ? undefined : value), z.string().optional()),
    descriptions: z.object({
      a: z.string().describe("A name.").optional(),
      b: z.number().describe("Size.").nullable(),
    }),
    "words for a wrong type": z.string({ message: "a text, please" }),
    "a flat query": z.object({ id: z.string().uuid(), page: z.number().int().default(1), all: z.boolean().optional() }),
    "an enum in a query": z.object({ mode: z.enum(["a", "b"]), size: z.literal(5), text: z.string().max(20) }),
  };
};

// Zod 3's words are a part of Zod 4's: the same function makes both.
const threes = alike(z3 as unknown as typeof z4) as unknown as Readonly<Record<string, z3.ZodTypeAny>>;
const fours = alike(z4);

interface Tree {
  readonly name: string;
  readonly parts: readonly Tree[];
}
const tree3: z3.ZodType<Tree> = z3.lazy(() => z3.object({ name: z3.string(), parts: z3.array(tree3) }));
const tree4: z4.ZodType<Tree> = z4.lazy(() => z4.object({ name: z4.string(), parts: z4.array(tree4) }));

const pairs: readonly Pair[] = [
  ...Object.entries(fours).map(([name, four]): Pair => [name, threes[name] ?? z3.never(), four]),
  [
    "a record by an enum",
    z3.record(z3.enum(["a", "b"]), z3.number()),
    z4.partialRecord(z4.enum(["a", "b"]), z4.number()),
  ],
  ["an address", z3.string().ip({ version: "v4" }), z4.ipv4()],
  ["a network", z3.string().cidr({ version: "v6" }), z4.cidrv6()],
  ["schemas that lead into themselves", tree3, tree4],
];

/** What may be sent: most of it wrong for most schemas. */
const values: readonly unknown[] = [
  ...["", "a", "abc", "no", "x", "red", "abcdefghijkl", " A ", "ada@example.com", "https://example.com", "2026-01-31"],
  ...[
    "2026-01-31T12:00:00Z",
    "2026-01-31T12:00:00.000+02:00",
    "12:00:00",
    "PT1H",
    "192.0.2.1",
    "2001:db8::/32",
    "YQ==",
  ],
  ...["123e4567-e89b-42d3-a456-426614174000", 0, 1, 1.5, 5, 7, 9, -1, true, null, undefined],
  ...[
    [],
    [true],
    ["a", 1],
    ["a", 1, 2],
    ["a", "b"],
    {},
    { a: "x" },
    { a: 1 },
    { a: "x", b: 1 },
    { nam: "x" },
    { a: null },
  ],
  ...[
    { name: "x", other: 1 },
    { kind: "point", x: 1 },
    { kind: "line", length: -1 },
    { kind: "circle" },
    { A: 1, b: 2 },
  ],
  ...[{ a: { b: "x" } }, { a: { b: 1 } }, { name: "x", parts: [{ name: "y", parts: [{}] }] }, { mode: "c", size: 5 }],
];

describe.each(["input", "output"] as const)("the JSON Schema of an %s", (side) => {
  test.each(pairs)("%s", (_, three, four) => {
    const { json, unrepresentable } = lower(three, side);
    expect({ json, unrepresentable }).toEqual({
      json: lower(four, side).json,
      unrepresentable: lower(four, side).unrepresentable,
    });
  });
});

describe("values and issues", () => {
  test.each(pairs)("%s", (_, three, four) => {
    const [decode3, decode4] = [decoder(three), decoder(four)];
    for (const value of values) expect(decode3(value), JSON.stringify(value)).toEqual(decode4(value));
  });
});

describe("what handlers give", () => {
  test.each(pairs.filter(([name]) => name !== "a change before"))("%s", (_, three, four) => {
    const [encode3, encode4] = [encoder(three), encoder(four)];
    for (const value of values) expect(encode3(value), JSON.stringify(value)).toEqual(encode4(value));
  });
});

const listParameters = (input: Schema) => [...queryParameters(query({ summary: "Reads.", input, output: z4.null() }))];

test.each(pairs)("the query string of a GET: %s", (_, three, four) => {
  expect(listParameters(three)).toEqual(listParameters(four));
});

test("some fields can be written in a query string, of both", () => {
  expect(listParameters(threes["a flat query"] ?? z3.never())).not.toEqual([]);
  expect(listParameters(threes["an enum in a query"] ?? z3.never())).not.toEqual([]);
});

test("an address of either version is a rule in code", () => {
  const decode = decoder(z3.string().ip());
  expect(["192.0.2.1", "2001:db8::1", "x"].map((value) => decode(value).ok)).toEqual([true, true, false]);
});

test("a schema is read as the same one each time", () => {
  const three = z3.object({ a: z3.string() });
  expect(lower(three, "input")).toBe(lower(three, "input"));
});
