import { expect, test } from "vitest";
import { defRef, type JsonSchema, walk } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";
import { bundle } from "./bundle.ts";

const lowered = (json: JsonSchema, name?: string): LoweredSchema => ({
  json,
  ...(name !== undefined && { name }),
  anonymous: [],
  unrepresentable: [],
  problems: [],
  templates: {},
});

const Tree: JsonSchema = { items: { $ref: defRef("Tree") } };
const tree = lowered({ type: "object", properties: { kids: { $ref: defRef("Tree") } }, $defs: { Tree } });

const refs = (schemas: Readonly<Record<string, JsonSchema>>): readonly string[] =>
  walk({ $defs: schemas }).flatMap(({ schema }) => schema.$ref ?? []);

test("a bundle has no reference that leads nowhere, and says shared schemas once", () => {
  const { add, schemas } = bundle("#/components/schemas/");
  add("one.input", tree);
  add("two.input", tree);
  expect(schemas["two.input"]).toEqual({ $ref: "#/components/schemas/one.input" });
  expect(refs(schemas)).toHaveLength(3);
  for (const ref of refs(schemas)) expect(Object.keys(schemas)).toContain(ref.replace("#/components/schemas/", ""));
});

test("a schema with a name of its own stands under that name", () => {
  const { add, schemas } = bundle("#/$defs/");
  add("one.output", lowered({ type: "object", $defs: { Tree } }, "Money"));
  expect(schemas["one.output"]).toEqual({ $ref: "#/$defs/Money" });
  expect(Object.keys(schemas)).toEqual(["one.output", "Money", "Tree"]);
  expect(schemas.Money).toEqual({ type: "object" });
});
