import { codecs } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { findBrokenPart } from "./zod-parts.ts";

/** As a plain JavaScript author calls it. */
const built = (source: string): z.ZodType => new Function("z", "codecs", `return ${source};`)(z, codecs);

test.for([
  ["z.union([])", "a union of at least one schema, which has none"],
  ["z.union(z.string(), z.int())", "schemas where Zod takes schemas, where one is in the place of settings"],
  ["z.array(z.int()).min(1.5)", "a whole number of 0 or more in `.min()`, where 1.5 is"],
  ["z.array(z.int()).min(-1)", "a whole number of 0 or more in `.min()`, where -1 is"],
  ["z.string().length(Infinity)", "a whole number of 0 or more in `.length()`, where Infinity is"],
  ['z.string().max("2")', 'a whole number of 0 or more in `.max()`, where "2" is'],
  ["z.number().multipleOf(0)", "a number over 0 in `.multipleOf()`, where 0 is"],
  ["z.number().min(1n)", "a number in `.min()`, where 1n is"],
  ["z.bigint().lt(1)", "a bigint in `.lt()`, where 1 is"],
  ["z.date().min(new Date(NaN))", "a Date in `.min()`, where an invalid Date is"],
  ['z.string().regex("a")', 'a regular expression in `.regex()`, where "a" is'],
  ["z.string().refine({})", "a function in `.refine()`, where an object is"],
  ["z.string().overwrite([])", "a function in `.overwrite()`, where a list is"],
  ["z.string().default(undefined)", "a value in `.default()` that can be published, where undefined is"],
  ["z.int().default(1n)", "a value in `.default()` that its schema takes, where 1n is"],
  ["z.int().catch(Symbol('a'))", "a value in `.catch()` that can be published, where Symbol(a) is"],
  [
    "z.int().default(() => { throw new Error('no file'); })",
    "a value in `.default()`, or a function that gives one without arguments, which fails with: no file",
  ],
  [
    "z.int().catch(({ value }) => value.length)",
    "a value in `.catch()`, or a function that gives one without arguments, which fails with: Cannot destructure property 'value' of 'undefined' as it is undefined.",
  ],
  ["z.object({ [Symbol('a')]: z.int() })", "fields whose names are texts, where Symbol(a) is one"],
  ["z.array(z.int()).meta({ id: 7 })", "an id that is a string, in `.meta()`, where 7 is"],
  ["z.array(z.int()).meta({ id: 7 }).describe('Seven')", "an id that is a string, in `.meta()`, where 7 is"],
  ["z.int().describe(7)", "a description that is a text, in `.describe()` or `.meta()`, where 7 is"],
  ["z.enum([])", "an enum of at least one value, which has none"],
  ["z.literal([])", "a literal of at least one value, which has none"],
  [
    'z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("a") })])',
    'branches that each have a fixed value of the discriminator, and none the same, which fails with: Duplicate discriminator value "a"',
  ],
  [
    'z.discriminatedUnion("kind", [z.object({ kind: codecs.date() }), z.object({ kind: z.literal("a") })])',
    'branches that each have a fixed value of the discriminator, and none the same, which fails with: Invalid discriminated union option at index "0"',
  ],
] as const)("%s", ([source, expected]) => {
  expect(findBrokenPart(built(source))).toEqual({ path: [], expected });
  // Wherever it is, and whatever was said of it afterwards.
  expect(findBrokenPart(z.object({ it: built(source).optional().describe("It") }))).toEqual({ path: ["it"], expected });
});

test.for([
  "z.number().max(Infinity)",
  "codecs.bigint().default(1n)",
  "z.string().default(() => 'a')",
  "z.string().catch('a')",
  "z.int64().min(1n).multipleOf(2n)",
  "z.date().min(new Date(0))",
  "z.stringbool()",
  'z.templateLiteral(["a", z.int()])',
  'z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })])',
  // An async rule runs while Zod looks at the branches.
  'z.discriminatedUnion("kind", [z.object({ kind: z.literal("a").optional() }).refine(async () => true), z.object({ kind: z.literal("b") })])',
  "z.enum({ A: 1, B: 2 })",
  "z.nan()",
  "z.string().nonoptional()",
  "z.codec(z.string(), z.int(), { decode: Number, encode: String })",
])("%s is as it should be", (source) => {
  expect(findBrokenPart(built(source))).toBeUndefined();
});
