import { toolSummary } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { printType } from "../print/types.ts";
import { lower } from "./lower.ts";
import { defineMembers, splitTypes, toPublished } from "./standard-words.ts";

describe("types one by one", () => {
  test("a choice of types has its keywords where they are about something", () => {
    expect(
      splitTypes({ description: "D", type: ["string", "number", "null"], minLength: 2, minimum: 1, enum: ["ab", 2] }),
    ).toEqual({
      description: "D",
      enum: ["ab", 2],
      anyOf: [{ type: "string", minLength: 2 }, { type: "number", minimum: 1 }, { type: "null" }],
    });
  });

  test.each([{ type: "string" }, { type: ["string", "null"] }, {}])("%j stays", (schema) => {
    expect(splitTypes(schema)).toBe(schema);
  });

  test("a union of plain types is one, as Zod's converter writes it", () => {
    expect(lower(z.union([z.string(), z.number()]), "input").json).toEqual({
      anyOf: [{ type: "string" }, { type: "number" }],
    });
  });
});

describe("members of a record by name", () => {
  test.each([
    ["all of them", z.record(z.enum(["a", "b"]), z.boolean()), { required: ["a", "b"] }],
    ["some of them", z.partialRecord(z.enum(["a", "b"]), z.boolean()), {}],
  ])("%s", (_, schema, more) => {
    expect(lower(schema, "input").json).toEqual({
      type: "object",
      propertyNames: { type: "string", enum: ["a", "b"] },
      properties: { a: { type: "boolean" }, b: { type: "boolean" } },
      ...more,
    });
  });

  test("too many are counted, so that a long list stays short", () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `name${index}`);
    const { json } = lower(z.record(z.enum(names), z.boolean()), "input");
    expect(json).toEqual({
      type: "object",
      propertyNames: { type: "string", enum: names },
      additionalProperties: { type: "boolean" },
      minProperties: 2_000,
    });
    expect(printType(json, String)).toMatch(/^Record<"name0" \| "name1" .*, boolean>$/);
    expect(printType(lower(z.partialRecord(z.enum(names), z.boolean()), "input").json, String)).toMatch(
      /^Partial<Record</,
    );
  });

  test("a record by pattern stays", () => {
    const schema = { type: "object", propertyNames: { pattern: "^a" }, additionalProperties: {} };
    expect(defineMembers(schema)).toBe(schema);
  });
});

describe("what is published", () => {
  test("has no keyword of our own", () => {
    expect(toPublished({ type: "object", [toolSummary]: "A sentence" })).toEqual({ type: "object" });
  });

  test("takes any JSON value without recursion", () => {
    const { json } = lower(z.object({ it: z.json() }), "input");
    expect(toPublished({ description: "D", ...json.$defs?.json })).toEqual({ description: "D" });
    const choice = { anyOf: [{ type: "string" }, { type: "number" }] };
    expect(toPublished(choice)).toEqual(choice);
  });
});
