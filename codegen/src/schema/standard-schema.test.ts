/** Schemas of other libraries, by Standard Schema: those that give their JSON Schema are read as Zod's, others are refused by name. */
import { decoder, defineContract, encoder, query, type StandardSchema } from "@fairlead/contracts";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { readModule } from "../load/read.ts";
import { lower } from "./lower.ts";

/** Zod's schema as another library would show it. */
const foreign = <I, O>(schema: z.ZodType<O, I>) => {
  const { validate, jsonSchema } = schema["~standard"];
  const own = { version: 1, vendor: "acme", validate, jsonSchema } as const;
  return { "~standard": own as typeof own & { readonly types?: { readonly input: I; readonly output: O } } };
};

const shape = z.looseObject({
  name: z.string().min(2).describe("A name."),
  tags: z.array(z.string()).max(2),
  size: z.number().optional(),
});

describe("a schema with a JSON Schema", () => {
  test("is published as it says", () => {
    for (const side of ["input", "output"] as const) {
      const { json, unrepresentable } = lower(foreign(shape), side);
      expect({ json, unrepresentable }).toEqual({ json: lower(shape, side).json, unrepresentable: [] });
    }
  });

  test("decodes and encodes, with issues in our words", () => {
    const [theirs, ours] = [foreign(shape), shape];
    for (const value of [{ name: "Ada", tags: [] }, { name: "A", tags: [] }, { tags: ["a", "b", "c"] }, null, 1]) {
      expect(decoder(theirs)(value)).toEqual(decoder(ours)(value));
      expect(encoder(theirs)(value)).toEqual(encoder(ours)(value));
    }
  });

  test("has its own rules after that, with their words and places", () => {
    const rule = foreign(shape.refine(({ name }) => name !== "Bob", { message: "anybody but Bob", path: ["name"] }));
    expect(decoder(rule)({ name: "Bob", tags: [] })).toMatchObject({
      ok: false,
      issues: [{ path: "name", expected: "anybody but Bob" }],
    });
  });

  test("may change an input, and no output", () => {
    const filled = foreign(z.object({ page: z.number().default(1) }));
    expect(decoder(filled)({})).toEqual({ ok: true, value: { page: 1 } });
    expect(lower(filled, "output").unrepresentable).toMatchObject([{ what: "transform" }]);
  });

  test("gives its types", () => {
    const page = foreign(z.object({ page: z.number().default(1) }));
    const list = query({ summary: "Lists.", input: page, output: foreign(shape) });
    expectTypeOf(list.input).toExtend<StandardSchema>();
    defineContract({ id: "shop", version: "1.0.0", summary: "Sells.", procedures: { list } });
  });
});

test("a schema without one is refused, with the library's name", () => {
  const valibot = { "~standard": { version: 1, vendor: "valibot", validate: (value: unknown) => ({ value }) } };
  const procedure = { kind: "query", retry: "safe", summary: "Lists.", input: valibot, output: z.null() };
  const contract = { id: "shop", version: "1.0.0", summary: "Sells.", procedures: { list: procedure } };
  const file = { file: import.meta.filename, source: "contracts/shop.contract.js", builtIn: false };
  const [refused] = readModule({ default: contract }, file).loaded.diagnostics;
  expect(refused?.code).toBe("contract_malformed");
  expect(JSON.stringify(refused)).toMatch(/one of valibot does not.*toStandardJsonSchema/);
});
