import { expect, test } from "vitest";
import { partDocument, type SchemaDocument, standalone } from "./schema-document.ts";

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });

const shop: SchemaDocument = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  properties: {
    price: {
      type: "object",
      description: "Looks it up.",
      properties: { input: ref("price.input"), output: ref("price.output") },
    },
    count: { type: "object", properties: { input: ref("count.input"), output: ref("count.output") } },
  },
  $defs: {
    "price.input": { type: "object" },
    "price.output": ref("Money"),
    "count.input": { type: "object" },
    "count.output": { type: "integer" },
    Money: { type: "object", properties: { currency: ref("Currency") } },
    Currency: { enum: ["EUR"] },
  },
};

test("a procedure's document has its schemas and what they refer to, and nothing else", () => {
  expect(partDocument(shop, "shop", "price")).toEqual({
    $schema: shop.$schema,
    $id: "urn:fairlead:schema:shop:price",
    title: "shop.price",
    ...shop.properties?.price,
    $defs: {
      "price.input": { type: "object" },
      "price.output": ref("Money"),
      Money: shop.$defs?.Money,
      Currency: shop.$defs?.Currency,
    },
  });
});

test("a named type has a document of its own", () => {
  expect(partDocument(shop, "shop", "Money")).toEqual({
    $schema: shop.$schema,
    $id: "urn:fairlead:schema:Money",
    title: "Money",
    ...ref("Money"),
    $defs: { Money: shop.$defs?.Money, Currency: shop.$defs?.Currency },
  });
});

test.each(["nothing", "price.input", "toString", "constructor", "__proto__", "Object"])("%s is neither", (name) => {
  expect(partDocument(shop, "shop", name)).toBeUndefined();
  expect(partDocument({}, "shop", name)).toBeUndefined();
});

test("one schema stands alone", () => {
  expect(standalone(shop, "count.output")).toEqual({ type: "integer" });
  expect(standalone(shop, "price.output").$defs).toHaveProperty("Money");
  expect(standalone({}, "none.input")).toEqual({});
});
