import { expect, test } from "vitest";
import type { JsonSchema } from "../schema/json-schema.ts";
import { compileStrict } from "./strict-validator.ts";

const withPart = (part: JsonSchema): JsonSchema => ({
  type: "object",
  properties: { part: { $ref: "#/$defs/Part" } },
  required: ["part"],
  $defs: { Part: { type: "object", properties: { leaf: { $ref: "#/$defs/Leaf" } } }, Leaf: part },
});

test("definitions of one name and other content, in them or below them, are not mixed up", () => {
  const texts = compileStrict(withPart({ type: "string" }));
  const numbers = compileStrict(withPart({ type: "number" }));
  expect([texts({ part: { leaf: "a" } }), texts({ part: { leaf: 1 } })]).toEqual([true, false]);
  expect([numbers({ part: { leaf: "a" } }), numbers({ part: { leaf: 1 } })]).toEqual([false, true]);
});

test("definitions that need each other are distinguished by what both are made of", () => {
  const pair = (leaf: JsonSchema): JsonSchema => ({
    $ref: "#/$defs/A",
    $defs: {
      A: { type: "object", properties: { b: { $ref: "#/$defs/B" } } },
      B: { type: "object", properties: { a: { $ref: "#/$defs/A" }, leaf } },
    },
  });
  const [texts, numbers] = [compileStrict(pair({ type: "string" })), compileStrict(pair({ type: "number" }))];
  const value = { b: { a: { b: { leaf: "x" } } } };
  expect([texts(value), numbers(value)]).toEqual([true, false]);
});

test("a definition that a strict reader refuses is refused each time", () => {
  const bad = () => compileStrict(withPart({ type: "string", minLength: "3" }));
  expect(bad).toThrow(/minLength/);
  expect(bad).toThrow(/minLength/);
  const loose = () => compileStrict(withPart({ minLength: 3 }));
  expect(loose).toThrow(/strict mode/);
  expect(loose).toThrow(/strict mode/);
});
