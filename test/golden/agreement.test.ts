/**
 * Zod and the JSON Schema that is emitted for it, as ajv reads it, agree: on what is taken (a value parses if and only if it
 * validates), and on what is given (what parsing returns validates).
 *
 * For random schemas of every supported feature, and for every schema of the contracts that ship.
 */
import { type JsonSchema, lower } from "@fairlead/codegen";
import { type Contract, isZod4 } from "@fairlead/contracts";
import { kernel } from "@fairlead/contracts/kernel";
import rules from "@fairlead/contracts/rules";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import garden from "./fixtures/contracts/garden.contract.ts";
import { valuesOf } from "./values.ts";

/** Formats go by the patterns that are emitted beside them. */
const validator = (schema: JsonSchema): ((value: unknown) => boolean) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  return ajv.compile(schema);
};

/** As it would arrive from a wire. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const agrees = (schema: z.ZodType, value: unknown): void => {
  const parsed = schema.safeParse(value);
  const input = lower(schema, "input");
  const output = lower(schema, "output");
  expect(input.unrepresentable).toEqual([]);
  expect({ value, taken: validator(input.json)(value) }).toEqual({ value, taken: parsed.success });
  if (parsed.success)
    expect({ value, given: validator(output.json)(sent(parsed.data)) }).toEqual({ value, given: true });
};

const key = fc.constantFrom("a", "b", "c", "two words", "ключ", "constructor");

const { schema: anySchema } = fc.letrec<{ schema: z.ZodType }>((tie) => {
  const inner = tie("schema");
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<z.ZodType>(
        z.string(),
        z.string().min(2).max(4),
        z.string().regex(/^[a-c]+$/),
        z.string().startsWith("a").endsWith("b"),
        z.uuid(),
        z.iso.date(),
        z.iso.datetime(),
        z.email(),
        z.boolean(),
        z.null(),
        z.number(),
        z.number().min(-1.5).lt(7),
        z.int(),
        z.int().min(1).max(9).multipleOf(3),
        z.uint32(),
        z.enum(["a", "b"]),
        z.literal(["a", 1, true, null]),
        z.json(),
        z.templateLiteral(["v", z.int()]),
      ),
      inner.map((each) => z.array(each).min(1).max(3)),
      inner.map((each) => z.nullable(each)),
      inner.map((each) => z.record(z.string(), each)),
      inner.map((each) => z.record(z.enum(["a", "b"]), each)),
      inner.map((each) => z.partialRecord(z.enum(["a", "b"]), each)),
      fc.tuple(inner, inner).map((parts) => z.tuple(parts)),
      fc.tuple(inner, inner).map(([first, rest]) => z.tuple([first], rest)),
      fc.array(inner, { minLength: 1, maxLength: 3 }).map((parts) => z.union(parts)),
      fc
        .tuple(inner, inner)
        .map(([a, b]) =>
          z.discriminatedUnion("kind", [
            z.object({ kind: z.literal("a"), value: a }),
            z.object({ kind: z.literal("b"), value: b }),
          ]),
        ),
      fc.tuple(inner, inner).map(([a, b]) => z.object({ a }).and(z.object({ b }))),
      fc
        .tuple(
          fc.dictionary(key, fc.tuple(inner, fc.constantFrom("required", "optional", "readonly")), { maxKeys: 4 }),
          fc.constantFrom(z.object, z.strictObject, z.looseObject),
        )
        .map(([fields, make]) =>
          make(
            Object.fromEntries(
              Object.entries(fields).map(([name, [each, how]]) => {
                if (how === "optional") return [name, each.optional()];
                return [name, how === "readonly" ? each.readonly() : each];
              }),
            ),
          ),
        ),
    ),
  };
});

test("random schemas: Zod and ajv agree on what is taken and given", () => {
  const cases = anySchema.chain((schema) => {
    const { json } = lower(schema, "input");
    return fc.tuple(fc.constant(schema), fc.array(valuesOf(json, json), { minLength: 1, maxLength: 5 }));
  });
  fc.assert(
    fc.property(cases, ([schema, values]) => {
      for (const value of values) agrees(schema, sent(value));
    }),
    { numRuns: 400 },
  );
}, 120_000);

test("defaults: absent is taken, and given filled in", () => {
  const schema = z.object({ level: z.int().default(3), names: z.array(z.string()).prefault([]) });
  for (const value of [{}, { level: 1 }, { level: "1" }, { level: null }, { names: ["a"] }]) agrees(schema, value);
});

const shipped = [kernel, rules, garden].flatMap((contract: Contract) =>
  Object.entries(contract.procedures).flatMap(([name, { input, output }]) => [
    [`${contract.id}.${name} input`, input] as const,
    [`${contract.id}.${name} output`, output] as const,
  ]),
);

test.each(shipped.filter(([, schema]) => isZod4(schema)))("%s", (_, schema) => {
  const { json } = lower(schema, "input");
  const isTaken = validator(json);
  const isGiven = validator(lower(schema, "output").json);
  let taken = 0;
  fc.assert(
    fc.property(valuesOf(json, json), (made) => {
      const value = sent(made);
      const parsed = z.safeParse(schema as z.ZodType, value);
      expect({ value, taken: isTaken(value) }).toEqual({ value, taken: parsed.success });
      if (!parsed.success) return;
      taken += 1;
      expect({ value, given: isGiven(sent(parsed.data)) }).toEqual({ value, given: true });
    }),
    { numRuns: 200 },
  );
  expect(taken).toBeGreaterThan(0);
});
