/**
 * Zod and the JSON Schema that is emitted for it, as ajv reads it, agree: on what is taken (a value parses if and only if it
 * validates), and on what is given (what parsing returns validates).
 *
 * For random schemas of every supported feature, and for every schema of the contracts that ship; as often as the tier says.
 */
import { lower } from "@fairlead/codegen";
import { schemaValues } from "@fairlead/codegen/proof";
import type { Contract } from "@fairlead/contracts";
import { kernel } from "@fairlead/contracts/kernel";
import rules from "@fairlead/contracts/rules";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import type * as z3 from "zod/v3";
import garden from "./fixtures/contracts/garden.contract.ts";

/** Formats go by the patterns that are emitted beside them. Compiling also checks a schema against the 2020-12 meta-schema. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

/** As it would arrive from a wire. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/**
 * Throws where the two disagree about a value; says whether it was taken. A `kinder` schema may take what is not published, like letters
 * of another case; it never refuses what is.
 */
const agreement = (schema: z.ZodType | z3.ZodTypeAny, kinder = false): ((value: unknown) => boolean) => {
  const input = lower(schema, "input");
  expect(input.unrepresentable).toEqual([]);
  const isTaken = ajv.compile(input.json);
  const isGiven = ajv.compile(lower(schema, "output").json);
  return (made) => {
    const value = sent(made);
    const parsed = schema.safeParse(value);
    const published = isTaken(value) || (kinder && parsed.success);
    expect({ value, taken: published }).toEqual({ value, taken: parsed.success });
    if (parsed.success) expect({ value, given: isGiven(sent(parsed.data)) }).toEqual({ value, given: true });
    return parsed.success;
  };
};

const key = fc.constantFrom("a", "b", "c", "two words", "ключ");

const { schema: anySchema } = fc.letrec<{ schema: z.ZodType }>((tie) => {
  const inner = tie("schema");
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
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

const shippedSchemas = [kernel, rules, garden].flatMap((contract: Contract) =>
  Object.entries(contract.procedures).flatMap(([name, { input, output, examples = [] }]) => [
    {
      name: `${contract.id}.${name} input`,
      schema: input,
      /** Sheets and intents of the rules are read as people and models write them. */
      kinder: contract.id === "rules",
      known: examples.map((example) => [example.input] as [unknown]),
    },
    { name: `${contract.id}.${name} output`, schema: output, kinder: false, known: [] },
  ]),
);

export interface Runs {
  /** Of random schemas. */
  readonly random: number;
  /** Of values for each schema that ships. */
  readonly shipped: number;
  /** Every so many-th of these. */
  readonly every: number;
}

export const testAgreement = ({ random, shipped, every }: Runs): void => {
  test("random schemas: Zod and ajv agree on what is taken and given", () => {
    const cases = anySchema.chain((schema) =>
      fc.tuple(
        fc.constant(schema),
        fc.array(schemaValues(lower(schema, "input").json), { minLength: 1, maxLength: 5 }),
      ),
    );
    fc.assert(
      fc.property(cases, ([schema, values]) => {
        const agrees = agreement(schema);
        for (const value of values) agrees(value);
      }),
      { numRuns: random },
    );
  });

  test("defaults: absent is taken, and given filled in", () => {
    const agrees = agreement(z.object({ level: z.int().default(3), names: z.array(z.string()).prefault([]) }));
    const values = [{}, { level: 1 }, { level: "1" }, { level: null }, { names: ["a"] }];
    expect(values.map(agrees)).toEqual([true, true, false, false, true]);
  });

  test.each(shippedSchemas.filter((_, at) => at % every === 0))("$name", ({ schema, kinder, known }) => {
    const agrees = agreement(schema as z.ZodType | z3.ZodTypeAny, kinder);
    let taken = 0;
    fc.assert(
      fc.property(schemaValues(lower(schema, "input").json), (value) => {
        taken += Number(agrees(value));
      }),
      { numRuns: shipped + known.length, examples: known },
    );
    expect(taken).toBeGreaterThan(0);
  });
};
