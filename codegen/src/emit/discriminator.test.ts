import { expect, test } from "vitest";
import type { JsonSchema } from "../schema/json-schema.ts";
import { addDiscriminators } from "./discriminator.ts";

const base = "#/components/schemas/";
const kind = (...values: readonly string[]): JsonSchema => ({
  type: "object",
  properties: { size: { type: "integer" }, kind: { enum: values } },
  required: ["size", "kind"],
});
const ref = (name: string): JsonSchema => ({ $ref: `${base}${name}` });

test("each branch is a component, and the mapping leads to it", () => {
  const all = addDiscriminators(
    { "shop.buy.output": { description: "D", oneOf: [kind("paid"), kind("late", "lost")] } },
    { base, unnamed: new Set() },
  );
  expect(all).toEqual({
    "shop.buy.output": {
      description: "D",
      oneOf: [ref("shop.buy.output.paid"), ref("shop.buy.output.late")],
      discriminator: {
        propertyName: "kind",
        mapping: {
          paid: `${base}shop.buy.output.paid`,
          late: `${base}shop.buy.output.late`,
          lost: `${base}shop.buy.output.late`,
        },
      },
    },
    "shop.buy.output.paid": kind("paid"),
    "shop.buy.output.late": kind("late", "lost"),
  });
});

test("branches that are components already stay, and unions may stand in unions and in fields", () => {
  const inner = { oneOf: [kind("b"), kind("c")] };
  const all = addDiscriminators(
    {
      Paid: kind("a"),
      list: { type: "array", items: { oneOf: [ref("Paid"), inner] } },
      more: { properties: { x: inner } },
    },
    { base, unnamed: new Set() },
  );
  expect(all.list?.items).toEqual({
    oneOf: [ref("Paid"), ref("list.b2")],
    discriminator: {
      propertyName: "kind",
      mapping: { a: `${base}Paid`, b: `${base}list.b2`, c: `${base}list.b2` },
    },
  });
  expect(all["list.b2"]?.discriminator).toMatchObject({ mapping: { b: `${base}list.b`, c: `${base}list.c` } });
  expect(all["more.x.c"]).toEqual(kind("c"));
});

test.each([
  ["values that two branches have", [kind("a"), kind("a", "b")]],
  ["a branch that is not an object", [kind("a"), { type: "string" }]],
  ["values that are no text", [kind("a"), { ...kind("b"), properties: { kind: { const: 1 } } }]],
  ["a field that may be absent", [kind("a"), { ...kind("b"), required: [] }]],
  ["a union that is its own first branch", [ref("odd"), kind("a")]],
])("%s distinguish nothing", (_, oneOf) => {
  expect(addDiscriminators({ odd: { oneOf } }, { base, unnamed: new Set() })).toEqual({ odd: { oneOf } });
});
