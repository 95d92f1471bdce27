/** The same contract in Zod 3 and in Zod 4 is the same contract: each construct that both have, lowered on both sides. */
import { describe, expect, test } from "vitest";
import * as z4 from "zod";
import * as z3 from "zod/v3";
import { lower } from "./lower.ts";

type Pair = readonly [name: string, three: z3.ZodTypeAny, four: z4.ZodType];

const pairs: readonly Pair[] = [
  ["text", z3.string().min(1).max(9).describe("A name."), z4.string().min(1).max(9).describe("A name.")],
  ["a plain object", z3.object({ a: z3.string() }), z4.object({ a: z4.string() })],
  ["a strict object", z3.object({ a: z3.string() }).strict(), z4.strictObject({ a: z4.string() })],
  ["an open object", z3.object({ a: z3.string() }).passthrough(), z4.looseObject({ a: z4.string() })],
  [
    "objects in objects",
    z3.object({ a: z3.object({ b: z3.string() }) }),
    z4.object({ a: z4.object({ b: z4.string() }) }),
  ],
  ["optional fields", z3.object({ a: z3.string().optional() }), z4.object({ a: z4.string().optional() })],
  ["defaults", z3.object({ a: z3.string().default("x") }), z4.object({ a: z4.string().default("x") })],
  ["lists", z3.array(z3.boolean()).min(1).max(3), z4.array(z4.boolean()).min(1).max(3)],
  ["enums", z3.enum(["a", "b"]), z4.enum(["a", "b"])],
  ["literals", z3.literal("a"), z4.literal("a")],
];

describe.each(["input", "output"] as const)("%s", (side) => {
  test.each(pairs)("%s", (_, three, four) => {
    expect(lower(three, side).json).toEqual(lower(four, side).json);
  });
});
