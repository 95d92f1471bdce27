import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { codecs } from "./codecs.ts";
import { decoder } from "./decoder.ts";
import { encoder, encodingSchema } from "./encoder.ts";
import type { Schema } from "./schema/schema.ts";

const encode = (schema: Schema, value: unknown): unknown => {
  const result = encoder(schema)(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
};

const decode = (schema: Schema, value: unknown): unknown => {
  const result = decoder(schema)(value);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.value;
};

describe("every shipped codec", () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ["date", codecs.date(), new Date(0), "1970-01-01T00:00:00.000Z"],
    ["bigint", codecs.bigint(), 9_007_199_254_740_993n, "9007199254740993"],
    ["map", codecs.map(z.string(), z.int()), new Map([["a", 1]]), [{ key: "a", value: 1 }]],
    [
      "map of dates",
      codecs.map(z.int(), codecs.date()),
      new Map([[1, new Date(0)]]),
      [{ key: 1, value: "1970-01-01T00:00:00.000Z" }],
    ],
    ["set", codecs.set(codecs.bigint()), new Set([1n, -2n]), ["1", "-2"]],
    ["url", codecs.url(), new URL("https://example.com/a?b"), "https://example.com/a?b"],
    ["bytes", codecs.bytes(), new Uint8Array([0, 250, 255]), "APr_"],
    ["stringbool", z.stringbool(), true, "true"],
    ["a user's own", z.codec(z.string(), z.number(), { decode: Number, encode: String }), 7, "7"],
  ])("%s takes a value to the wire and back", (_, schema, value, wire) => {
    expect(encode(schema, value)).toEqual(wire);
    expect(decode(schema, wire)).toEqual(value);
    expect(encode(z.object({ a: z.array(schema).min(1) }), { a: [value], other: 1 })).toEqual({ a: [wire] });
    expect(encode(z.record(z.string(), z.union([z.null(), schema])), { a: value, b: null })).toEqual({
      a: wire,
      b: null,
    });
  });

  test.each<[string, Schema, readonly unknown[]]>([
    ["date", codecs.date(), ["", "yesterday", 0, null, "2026-02-30T00:00:00Z"]],
    ["bigint", codecs.bigint(), ["", "1.5", "01", "-0", "0x1", 1, "9".repeat(1_001)]],
    ["map", codecs.map(z.string(), z.int()), [{}, [["a", 1]], [{ key: "a" }]]],
    ["url", codecs.url(), ["", "no url"]],
    ["bytes", codecs.bytes(), ["a+/=", "%", 1]],
  ])("%s refuses what is not a wire form of it", (_, schema, wires) => {
    for (const wire of wires) expect(decoder(schema)(wire)).toMatchObject({ ok: false });
  });

  test.each<[string, Schema, unknown]>([
    ["an invalid Date", codecs.date(), new Date(Number.NaN)],
    ["a text for a Date", codecs.date(), "1970-01-01T00:00:00.000Z"],
    ["a number for a bigint", codecs.bigint(), 1],
    ["an object for a Map", codecs.map(z.string(), z.int()), { a: 1 }],
  ])("%s is not encoded", (_, schema, value) => {
    expect(encoder(z.object({ at: schema }))({ at: value })).toMatchObject({ ok: false, issues: [{ path: "at" }] });
  });
});

describe("encoding", () => {
  test("a schema without codecs is its own, so that nothing is decoded otherwise than before", () => {
    interface Tree {
      readonly kids: readonly Tree[];
    }
    const tree: z.ZodType<Tree> = z.object({
      get kids() {
        return z.array(tree).default([]);
      },
    });
    for (const schema of [tree, z.object({ a: z.string().default("x") }), z3.object({ a: z3.string() })]) {
      expect(encodingSchema(schema)).toBe(schema);
    }
    expect(encode(z.object({ a: z.string().default("x") }), {})).toEqual({ a: "x" });
  });

  test("a default of a codec is a value, and is encoded", () => {
    const schema = z.object({ at: codecs.date().default(new Date(0)) });
    expect(encode(schema, {})).toEqual({ at: "1970-01-01T00:00:00.000Z" });
    expect(decode(schema, {})).toEqual({ at: new Date(0) });
  });

  test("a rule on a value sees the value, wherever it is", () => {
    const late = codecs.date().refine((date) => date.getTime() > 0, "later");
    const ordered = z
      .object({ from: codecs.date(), to: codecs.date() })
      .refine(({ from, to }) => from.getTime() < to.getTime(), "in order");
    const [one, two] = [new Date(1), new Date(2)];
    expect(encode(late, one)).toBe(one.toISOString());
    expect(encoder(late)(new Date(0))).toMatchObject({ ok: false });
    expect(encode(ordered, { from: one, to: two })).toEqual({ from: one.toISOString(), to: two.toISOString() });
    expect(encoder(ordered)({ from: two, to: one })).toMatchObject({ ok: false });
  });

  test("both halves of a pipe hold, and a catch hides nothing of a handler", () => {
    const pipe = z.string().max(3).pipe(z.string().min(2));
    expect(encode(pipe, "ab")).toBe("ab");
    for (const bad of ["a", "abcd"]) expect(encoder(pipe)(bad)).toMatchObject({ ok: false });
    expect(encoder(z.string().catch("x"))(1)).toMatchObject({ ok: false });
  });

  test("a codec inside what leads into itself is encoded at every depth", () => {
    interface Event {
      at: Date;
      next: Event | null;
    }
    const event: z.ZodType<Event> = z.object({
      at: codecs.date(),
      get next() {
        return event.nullable();
      },
    });
    const at = new Date(0);
    const wire = at.toISOString();
    expect(encode(event, { at, next: { at, next: null } })).toEqual({ at: wire, next: { at: wire, next: null } });
  });

  test("a transform goes one way, and says which codec to write", () => {
    for (const schema of [z.string().transform(Number), z.preprocess(Number, z.number())]) {
      expect(() => encode(z.object({ a: schema }), { a: 1 })).toThrow("z.codec");
    }
  });
});
