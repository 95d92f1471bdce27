import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { decoder, strictDecoder } from "./decoder.ts";

/** A union of thirty that counts how often the issue of a branch was worded. */
const countingUnion = () => {
  const counted = { words: 0 };
  const error = (): string => {
    counted.words += 1;
    return "no";
  };
  const options = Array.from({ length: 30 }, (_, index) => z.object({ [`k${index}`]: z.int({ error }) }));
  return { counted, union: z.union(options) };
};

describe("what does not fit", () => {
  const decode = decoder(
    z.object({
      name: z.string().min(2),
      level: z.int(),
      colour: z.enum(["red", "green"]),
      of: z.array(z.union([z.object({ text: z.string(), size: z.int() }), z.object({ number: z.number() })])),
    }),
  );

  test.each([
    ["a missing field", { name: "Ada", level: 1, of: [] }, "colour", 'one of "red", "green"'],
    ["a wrong type", { name: "Ada", level: "1", colour: "red", of: [] }, "level", "a number"],
    ["a fraction", { name: "Ada", level: 1.5, colour: "red", of: [] }, "level", "a whole number"],
    ["no object", 7, "", "an object"],
    [
      "the branch that came nearest",
      { name: "Ada", level: 1, colour: "red", of: [{ text: "a" }] },
      "of[0].size",
      "a number",
    ],
  ])("%s is named with its path", (_, input, path, expected) => {
    expect(decode(input)).toMatchObject({ ok: false, issues: [{ path, expected, fix: expect.any(String) }] });
  });

  test.each([
    [
      "a discriminated union",
      z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    ],
    [
      "a plain union of the same",
      z.union([z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b"), id: z.int() })]),
    ],
  ])("a tag that no branch of %s has is named with all that there are", (_, union) => {
    const issue = { path: "of.kind", expected: 'one of "a", "b"' };
    expect(decoder(z.object({ of: union }))({ of: { kind: "c" } })).toMatchObject({ ok: false, issues: [issue] });
    expect(decoder(z.object({ of: union }))({ of: {} })).toMatchObject({ ok: false, issues: [issue] });
  });

  test("several are named in order, at most 20 and 4 KB of them", () => {
    const many = decoder(z.object({ rows: z.array(z.object({ id: z.int() })) }));
    const decoded = many({ rows: Array.from({ length: 4_000 }, () => ({ id: "no" })) });
    const issues = decoded.ok ? [] : decoded.issues;
    expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, index) => `rows[${index}].id`));
    expect(Buffer.byteLength(JSON.stringify(issues))).toBeLessThan(4_096);
  });

  test("a large input is looked through up to its first fault, not to its end", () => {
    let seen = 0;
    const id = z.int().refine(() => {
      seen += 1;
      return true;
    });
    const many = decoder(z.object({ rows: z.array(z.object({ id })) }));
    const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: at === 1 ? "no" : at }));
    expect(many({ rows })).toMatchObject({ ok: false, issues: [{ path: "rows[1].id" }] });
    expect(seen).toBeLessThan(10);
    seen = 0;
    expect(many({ rows: rows.slice(0, 3_000) })).toMatchObject({ ok: false, issues: [{ path: "rows[1].id" }] });
    expect(seen).toBeGreaterThan(2_000);
  });

  test("values are never repeated", () => {
    expect(
      JSON.stringify(decode({ name: "secret-1", level: "secret-2", colour: "secret-3", of: "secret-4" })),
    ).not.toContain("secret");
  });
});

describe("unions that fail everywhere", () => {
  test("take a bounded amount of work, and still name the first place", () => {
    const { counted, union } = countingUnion();
    const decode = decoder(z.object({ of: z.array(union) }));
    const decoded = decode({ of: Array.from({ length: 50_000 }, () => ({})) });
    expect(decoded).toMatchObject({ ok: false, issues: [{ path: expect.stringMatching(/^of\[0\]/) }] });
    expect(counted.words).toBeLessThan(12_500);
  });

  test("say so when the first place alone is too much to name", () => {
    const options = Array.from({ length: 5_001 }, (_, index) => z.literal(index));
    expect(decoder(z.object({ of: z.union(options) }))({ of: "x" })).toEqual({
      ok: false,
      issues: [{ path: "", expected: "the shapes that the contract describes", fix: expect.any(String) }],
    });
  });

  test("also in Zod 3", () => {
    let words = 0;
    const branch = () => z3.object({ a: z3.number() });
    const items = z3.array(z3.union([branch(), branch()]));
    const decode = decoder(
      z3.object({
        items: items.superRefine(() => {
          words += 1;
        }),
      }),
    );
    const many = decode({ items: Array.from({ length: 50_000 }, () => ({})) });
    expect(many).toMatchObject({ ok: false, issues: [{ path: "items[0].a" }] });
    expect(words).toBe(0);
    expect(decode({ items: [{}] })).toMatchObject({ ok: false, issues: [{ path: "items[0].a" }] });
  });

  test("a defect of a schema is not a refusal", () => {
    const broken = z.object({
      a: z.string().refine(() => {
        throw new TypeError("a defect");
      }),
    });
    expect(() => decoder(broken)({ a: "x" })).toThrow("a defect");
  });
});

describe("a schema that is used often", () => {
  const shape = z.strictObject({
    name: z.string().trim().min(2),
    level: z.int().default(1),
    at: z.iso.datetime().optional(),
    of: z.array(z.union([z.object({ text: z.string() }), z.number().transform(String)])).default([]),
    more: z.record(z.string(), z.boolean()).optional(),
    even: z
      .int()
      .refine((value) => value % 2 === 0, "expected an even number")
      .optional(),
  });
  const text = fc.oneof(fc.constantFrom("Ada", " x ", ""), fc.string());
  const input = fc.oneof(
    fc.record(
      {
        name: text,
        level: fc.oneof(fc.integer(), fc.double(), text),
        at: fc.constantFrom("2026-01-01T00:00:00Z", "soon"),
        of: fc.array(fc.oneof(fc.record({ text }), fc.integer(), fc.boolean())),
        more: fc.dictionary(text, fc.oneof(fc.boolean(), fc.integer())),
        even: fc.integer(),
        besides: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    fc.anything(),
  );

  test("decodes the thousandth time as it did the first", () => {
    const warm = decoder(shape);
    for (let use = 0; use < 1_000; use += 1) warm({ name: "Ada" });
    fc.assert(
      fc.property(input, (value) => {
        expect(warm(value)).toEqual(decoder(shape)(value));
      }),
    );
  });
});

describe("what a person writes down", () => {
  const named = z.object({ name: z.string().trim(), of: z.object({ x: z.int() }).optional() });
  const sized = z.object({ size: z.int().default(1) });
  const refused = (schema: z.ZodType, written: unknown): readonly (string | undefined)[] => {
    const decode = strictDecoder(schema);
    const results = Array.from({ length: 12 }, () => decode(written));
    const paths = results.map((result) => (result.ok ? "" : result.issues.map(({ path }) => path).join(" ")));
    return [...new Set(paths)];
  };

  test.each<[string, z.ZodType, unknown, string]>([
    ["keys of both halves of an intersection", named.and(sized), { name: "a", size: 2 }, ""],
    ["a default of one half", named.and(sized), { name: " a " }, ""],
    ["a key of neither half", named.and(sized), { name: "a", nam: "b" }, "nam"],
    ["a key of none of three", named.and(sized).and(z.object({ c: z.int() })), { name: "a", c: 1, d: 1 }, "d"],
    ["a key deep inside of a half", named.and(sized), { name: "a", of: { x: 1, y: 2 } }, "of.y"],
    ["a half that takes further keys", named.and(z.looseObject({})), { name: "a", more: 1 }, ""],
    ["a half that is a record", named.and(z.record(z.string(), z.unknown())), { name: "a", more: 1 }, ""],
    ["a half that is a union", named.and(z.union([sized, z.object({ c: z.int() })])), { name: "a", size: 1 }, ""],
  ])("%s", (_, schema, written, path) => {
    expect(refused(schema, written)).toEqual([path]);
  });
});
