import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineContract } from "./contract.ts";
import { type ProcedurePlacement, placementText } from "./policy.ts";
import { mutation, paginated, query, subscription } from "./procedure.ts";

const look = { summary: "Looks.", output: z.int() };
const keyed = (field: z.ZodType) =>
  query({ ...look, input: z.object({ session: field }), placement: { keyedBy: "session" } });

describe("where a procedure may run", () => {
  test("is `here` where nothing is said, and in words", () => {
    expect(query({ ...look, input: z.object({}) })).not.toHaveProperty("placement");
    expect([undefined, "stateless", "here", { keyedBy: "id" }].map((each) => placementText(each as never))).toEqual([
      "here",
      "stateless",
      "here",
      "keyed by id",
    ]);
  });

  test.each([
    ["a string", z.string().min(1)],
    ["a number", z.int()],
    ["an enum", z.enum(["a", "b"])],
    ["a literal", z.literal(["a", 1])],
    ["a template", z.templateLiteral(["s-", z.int()])],
    ["an address", z.uuid()],
    ["a brand", z.string().brand("Id")],
  ])("is keyed by %s", (_, field) => {
    expect(keyed(field).placement).toEqual({ keyedBy: "session" });
  });

  test.each([
    ["optional", z.string().optional(), "which a caller may leave out"],
    ["has a default", z.string().default("a"), "which a caller may leave out"],
    ["may be null", z.string().nullable(), "neither a string nor a number"],
    ["is an object", z.object({}), "neither a string nor a number"],
    ["is a boolean", z.boolean(), "neither a string nor a number"],
    ["is a literal true", z.literal(true), "neither a string nor a number"],
    ["is transformed", z.string().transform(Number), "neither a string nor a number"],
  ])("is not keyed by a field that %s", (_, field, why) => {
    expect(() => keyed(field)).toThrow(why);
  });

  test("names a field of the input", () => {
    const other = { ...look, input: z.object({ id: z.string(), name: z.string() }) };
    const define = (placement: unknown) => () => subscription({ ...other, placement: placement as ProcedurePlacement });
    expect(define({ keyedBy: "idd" })).toThrow("`idd`, which is not a field of the input; it has id, name");
    expect(define({ keyedBy: "toString" })).toThrow("not a field of the input");
    for (const wrong of ["anywhere", null, 1, {}, { keyedBy: 1 }, { keyedBy: "id", or: "name" }])
      expect(define(wrong)).toThrow("`placement` is one of");
  });

  test("is checked in each kind of procedure, and in a contract that was written without them", () => {
    const wrong = { ...look, input: z.object({}), placement: { keyedBy: "id" } } as const;
    expect(() => mutation({ ...wrong, retry: "unsafe" })).toThrow("not a field of the input");
    expect(() => paginated({ ...wrong, item: z.object({}), output: undefined } as never)).toThrow("not a field");
    const procedures = { look: { ...wrong, kind: "query", retry: "safe" } } as const;
    expect(() => defineContract({ id: "shop", version: "1.0.0", summary: "Sells.", procedures })).toThrow(
      "contract shop: procedures.look: `placement.keyedBy` names `id`",
    );
  });

  test("is the same under an old name", () => {
    const contract = defineContract({
      id: "shop",
      version: "1.1.0",
      summary: "Sells.",
      procedures: {
        find: query({ ...look, input: z.object({}), placement: "stateless", renamedFrom: { get: { since: "1.1.0" } } }),
      },
    });
    expect(contract.procedures).toMatchObject({ get: { placement: "stateless" } });
  });
});
