import { codecs } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { lower, type SchemaSide } from "../schema/lower.ts";
import { prove } from "./prove.ts";

const kinds = (schema: z.ZodType | z3.ZodTypeAny, side: SchemaSide = "input"): readonly string[] => {
  const { json, templates } = lower(schema, side);
  return prove({ schema, side, json, templates }, { values: 200, seed: 7 }).map(({ kind }) => kind);
};
const field = (it: z.ZodType): z.ZodType => z.object({ it });

test.each<[string, z.ZodType]>([
  ["words of a stringbool", z.stringbool()],
  ["words of a stringbool with cases", z.stringbool({ truthy: ["Y"], falsy: ["N"], case: "sensitive" })],
  ["a URL", z.url()],
  ["what a trimmed text may be", z.string().trim().max(3)],
  [
    "what a lowered text may be",
    z
      .string()
      .toLowerCase()
      .regex(/^[a-z]+$/),
  ],
  ["a catchall", z.object({ a: z.int() }).catchall(z.string())],
  ["keys by pattern", z.looseRecord(z.string().regex(/^[a-c]$/), z.int())],
  ["a template", z.templateLiteral(["v", z.int()])],
  ["coercion", z.coerce.number()],
  ["a value in place of a bad one", z.int().catch(3)],
  ["multiples", z.number().multipleOf(0.1)],
  ["recursion", z.json()],
  ["a member that is called as a modifier", z.object({ readonly: z.boolean().optional(), b: z.int() })],
  ["a member of the same name that is always there", z.object({ readonly: z.boolean() })],
])("nothing but rules that only Zod knows is found for %s", (_, schema) => {
  expect(kinds(field(schema)).filter((kind) => kind !== "own_rule")).toEqual([]);
  expect(kinds(field(schema), "output")).toEqual([]);
});

test.each<[string, z.ZodType]>([
  ["a rule in code", z.int().refine((value) => value % 2 === 0)],
  ["a codec's other half", z.codec(z.string(), z.int(), { decode: Number, encode: String })],
  ["a host", z.httpUrl()],
  ["a token", z.jwt()],
  ["what follows trimming", z.string().trim().max(3)],
])("only Zod knows %s", (_, schema) => {
  expect(kinds(field(schema))).toEqual(["own_rule"]);
});

test.each<[string, z.ZodType, SchemaSide]>([
  ["looser", z.string().min(2).meta({ minLength: 0 }), "input"],
  ["tighter", z.string().meta({ minLength: 3 }), "input"],
  ["type_looser", z.string().meta({ anyOf: [{}, {}] }), "input"],
  ["not_strict", z.string().meta({ minimum: 3 }), "input"],
  ["not_strict", z.string().meta({ minLength: "3" }), "input"],
  [
    "gives_other",
    z
      .string()
      .max(2)
      .overwrite((text) => `${text}xxx`),
    "output",
  ],
  ["throws", z.string().refine((text) => JSON.parse(text) !== 7), "input"],
  ["async", z.int().superRefine(async () => undefined), "input"],
  ["async", z.int().refine(() => Promise.resolve(true)), "input"],
  ["async", codecs.date().check(async () => undefined), "input"],
])("finds what is %s", (kind, schema, side) => {
  expect(kinds(field(schema), side)).toContain(kind);
});

test("Zod 3 is held to what is published, and its rules are its own", () => {
  expect(kinds(z3.object({ it: z3.string().min(2) }))).toEqual([]);
  expect(kinds(z3.object({ it: z3.string().refine((text) => text !== text.trim()) }))).toEqual(["own_rule"]);
});

test("the same schema gives the same findings", () => {
  const schema = field(z.int().refine((value) => value > 5));
  const run = () => {
    const { json, templates } = lower(schema, "input");
    return prove({ schema, side: "input", json, templates }, { values: 50, seed: 3 });
  };
  expect(run()).toEqual(run());
});
