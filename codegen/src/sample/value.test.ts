import type { Schema } from "@fairlead/contracts";
import { codecs, decoder } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { lower } from "../schema/lower.ts";
import { sampleValue } from "./value.ts";

type Tree = { readonly name: string; readonly inner: readonly Tree[] };
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), inner: z.array(tree) }));

const schemas: readonly (readonly [string, Schema])[] = [
  [
    "bounds of numbers",
    z.object({ a: z.int().min(3).max(4), b: z.number().gt(0).lt(1), c: z.int().multipleOf(7), d: z.int().max(-5) }),
  ],
  ["a number far from zero", z.object({ a: z.int().min(1_000_000), b: z.number().min(-0.5).max(-0.25) })],
  ["texts with lengths", z.object({ a: z.string().min(40), b: z.string().max(2), c: z.string().length(5) })],
  [
    "formats",
    z.object({ a: z.email(), b: z.uuid(), c: z.url(), d: z.iso.datetime(), e: z.iso.date(), f: z.ipv4(), g: z.ipv6() }),
  ],
  [
    "patterns",
    z.object({ a: z.string().regex(/^[A-Z]{3}-\d{2}$/), b: z.hex(), c: z.ulid(), d: z.string().startsWith("x-") }),
  ],
  ["a pattern that looks ahead", z.object({ host: z.hostname() })],
  ["codecs", z.object({ at: codecs.date(), bytes: codecs.bytes() })],
  [
    "unions",
    z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), x: z.int() }),
      z.object({ kind: z.literal("b"), y: z.string() }),
    ]),
  ],
  ["intersections", z.intersection(z.object({ a: z.int() }), z.object({ b: z.string().optional() }))],
  [
    "tuples and lists",
    z.object({ a: z.tuple([z.int(), z.string()]), b: z.array(z.boolean()).min(5).max(6), c: z.array(z.int()).max(0) }),
  ],
  [
    "records",
    z.object({
      a: z.record(z.string(), z.int()),
      b: z.record(z.enum(["x", "y"]), z.boolean()),
      c: z.record(z.string().regex(/^k\d$/), z.null()),
    }),
  ],
  ["enums and literals", z.object({ a: z.enum(["x", "y"]), b: z.literal(4), c: z.null(), d: z.literal([1, "one"]) })],
  ["what leads into itself", tree],
  ["any JSON", z.object({ a: z.json(), b: z.unknown().optional() })],
];

const seeds = Array.from({ length: 60 }, (_, at) => at * 7_919);

describe("a value for a schema", () => {
  test.each(schemas)("is one that it takes: %s", (_, schema) => {
    const { json } = lower(schema, "output");
    const decode = decoder(schema);
    for (const seed of seeds) {
      const value = sampleValue(json, seed);
      expect({ seed, value, decoded: decode(value) }).toMatchObject({ decoded: { ok: true } });
    }
  });

  test("follows from the seed alone, and differs with it", () => {
    const { json } = lower(z.object({ name: z.string(), list: z.array(z.int()) }), "output");
    const made = seeds.map((seed) => JSON.stringify(sampleValue(json, seed)));
    expect(seeds.map((seed) => JSON.stringify(sampleValue(json, seed)))).toEqual(made);
    expect(new Set(made).size).toBeGreaterThan(50);
  });

  test("of a field that may be left out is there now and then", () => {
    const { json } = lower(z.object({ a: z.int().optional() }), "output");
    const made = seeds.map((seed) => JSON.stringify(sampleValue(json, seed)));
    expect(made.includes("{}")).toBe(true);
    expect(made.some((text) => text.includes("a"))).toBe(true);
  });
});
