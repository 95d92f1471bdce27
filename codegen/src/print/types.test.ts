import { stripTypeScriptTypes } from "node:module";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../schema/lower.ts";
import { printType } from "./types.ts";

const printed = (schema: z.ZodType, side: "input" | "output" = "output"): string => {
  const { $defs: _, ...root } = lower(schema, side).json;
  return printType(root, (name) => `T_${name}`);
};

test.each<[z.ZodType, string]>([
  [z.string(), "string"],
  [z.int(), "number"],
  [z.boolean(), "boolean"],
  [z.null(), "null"],
  [z.unknown(), "unknown"],
  [z.never(), "never"],
  [z.string().nullable(), "string | null"],
  [z.enum(["a", "b"]).nullable(), '"a" | "b" | null'],
  [z.literal([1, "one", null]), '1 | "one" | null'],
  [z.array(z.string()), "string[]"],
  [z.array(z.string().nullable()), "(string | null)[]"],
  [z.array(z.literal("a|b")), '"a|b"[]'],
  [z.array(z.array(z.enum(["x", "y"]))), '("x" | "y")[][]'],
  [z.tuple([z.string(), z.int().optional()]), "[string, number?]"],
  [z.tuple([z.string()], z.int()), "[string, ...number[]]"],
  [z.record(z.string(), z.int()), "{ [key: string]: number }"],
  [z.record(z.enum(["a", "b"]), z.int()), "{\n  a: number;\n  b: number;\n}"],
  [z.partialRecord(z.enum(["a", "b"]), z.int()), "{\n  a?: number;\n  b?: number;\n}"],
  [z.object({}), "Record<string, never>"],
  [z.looseObject({}), "{ [key: string]: unknown }"],
  [z.object({ a: z.string(), "b-c": z.int().optional() }), '{\n  a: string;\n  "b-c"?: number;\n}'],
  [z.looseObject({ a: z.string() }), "{\n  a: string;\n  [key: string]: unknown;\n}"],
  [z.object({ a: z.string().describe("Not a */ comment") }), "{\n  /** Not a *\\/ comment */\n  a: string;\n}"],
  [z.union([z.object({ a: z.string() }), z.int()]), "{\n  a: string;\n} | number"],
])("prints %#", (schema, type) => {
  expect(printed(schema)).toBe(type);
});

test("takes the names of definitions from its caller", () => {
  expect(printed(z.object({ any: z.json() }))).toBe("{\n  any: T_json;\n}");
});

test("a default is optional for callers and always there in answers", () => {
  const schema = z.object({ level: z.int().default(1) });
  expect(printed(schema, "input")).toBe("{\n  level?: number;\n}");
  expect(printed(schema, "output")).toBe("{\n  level: number;\n}");
});

const word = fc.string({ unit: "binary", maxLength: 8 });

const { schema: anySchema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<z.ZodType>(z.string(), z.int(), z.boolean(), z.null(), z.unknown(), z.never()),
    fc.uniqueArray(word, { minLength: 1, maxLength: 3 }).map((values) => z.enum(values as [string])),
    tie("schema").map((inner) => z.array(inner)),
    tie("schema").map((inner) => z.nullable(inner)),
    tie("schema").map((inner) => z.record(z.string(), inner)),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((inner) => z.union(inner)),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((inner) => z.tuple(inner as [z.ZodType])),
    fc
      .dictionary(word, fc.tuple(tie("schema"), word), { maxKeys: 3 })
      .map((fields) =>
        z.object(Object.fromEntries(Object.entries(fields).map(([key, [inner, text]]) => [key, inner.describe(text)]))),
      ),
  ),
}));

test("prints what a TypeScript parser takes, whatever names and words are in it", () => {
  fc.assert(
    fc.property(anySchema, fc.constantFrom("input" as const, "output" as const), (schema, side) => {
      expect(stripTypeScriptTypes(`type T = ${printed(schema, side)};`).trim()).toBe("");
    }),
  );
});
