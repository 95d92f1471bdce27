import { describe, expect, test } from "vitest";
import { alternatives, fieldsIn, firstValue, matchingAlternative, resolveSchema, typeText } from "./schema.ts";
import { cliSnippet, snippets } from "./snippets.ts";

const tree = {
  type: "object",
  properties: {
    name: { type: "string" },
    level: { type: "integer", minimum: 1, maximum: 20 },
    size: { enum: ["small", "large"] },
    next: { anyOf: [{ $ref: "#" }, { type: "null" }] },
    list: { type: "array", items: { $ref: "#/$defs/item" }, minItems: 1 },
    extra: { type: "object", additionalProperties: { type: "number" } },
  },
  required: ["name", "level", "list", "size"],
  $defs: {
    item: {
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, x: { type: "number" } }, required: ["kind", "x"] },
        { type: "object", properties: { kind: { const: "b" }, y: { type: "string" } }, required: ["kind"] },
      ],
    },
  },
};

describe("a schema", () => {
  test("is said in words", () => {
    const words = Object.fromEntries(fieldsIn(tree, tree).map(({ name, schema }) => [name, typeText(tree, schema)]));
    expect(words).toMatchObject({
      name: "text",
      level: "whole number 1 to 20",
      size: '"small" | "large"',
      next: "object or null",
      extra: "map to number",
    });
  });

  test("gives a first value of what is required, also where it refers to itself", () => {
    expect(firstValue(tree, tree)).toEqual({ name: "", level: 1, size: "small", list: [{ kind: "a", x: 0 }] });
    const endless = { type: "object", properties: { me: { $ref: "#" } }, required: ["me"] };
    expect(JSON.stringify(firstValue(endless, endless)).length).toBeLessThan(200);
    const ring = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
    expect(() => resolveSchema(ring, { $ref: "#/$defs/a" })).not.toThrow();
  });

  test("knows which alternative a value is", () => {
    const options = alternatives(tree, resolveSchema(tree, { $ref: "#/$defs/item" }));
    expect(matchingAlternative(tree, options, { kind: "b", y: "" })).toBe(1);
    expect(matchingAlternative(tree, options, { kind: "a", x: 1 })).toBe(0);
    expect(matchingAlternative(tree, [{ type: "string" }, { type: "null" }], null)).toBe(1);
  });
});

test("a call is quoted for the shell that it is pasted into", () => {
  const call = { procedure: "a.b", kind: "query", input: { text: "it's $(rm)" }, url: "http://127.0.0.1:1" } as const;
  expect(cliSnippet(call)).toBe(`fairlead call a.b -d '{"text":"it'\\''s $(rm)"}'`);
  expect(cliSnippet({ ...call, input: {} })).toBe("fairlead call a.b");
  for (const write of Object.values(snippets)) expect(write(call)).toContain("it");
});
