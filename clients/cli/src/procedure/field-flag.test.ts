import { expect, test } from "vitest";
import { fieldFlags, readField } from "./field-flag.ts";

const flag = (schema: Readonly<Record<string, unknown>>, required = false) => {
  const [only] = fieldFlags({
    type: "object",
    properties: { field: schema },
    ...(required && { required: ["field"] }),
  });
  if (only === undefined) throw new Error("no flag");
  return only;
};

test.each([
  [{ type: "string" }, "milk", "milk"],
  [{ type: "integer" }, "3", 3],
  [{ type: ["number", "null"] }, "2.5", 2.5],
  [{ type: ["number", "null"] }, "null", null],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "null", null],
  [{ type: "boolean" }, true, true],
  [{ type: "boolean" }, false, false],
  [{ type: "array", items: { type: "integer" } }, ["1", "2"], [1, 2]],
  [{ type: "array", items: { type: "object" } }, '[{"a":1}]', [{ a: 1 }]],
  [{ type: "object" }, '{"a":1}', { a: 1 }],
  [{ anyOf: [{ type: "string" }, { type: "object" }] }, '"text"', "text"],
  [{ enum: ["low", "high"] }, "high", "high"],
])("a field %j reads %j as %j", (schema, typed, value) => {
  expect(readField(flag(schema), typed)).toEqual(value);
});

test.each([
  [{ type: "number" }, "many", "--field takes a number"],
  [{ enum: ["low", "high"] }, "hihg", '--field does not take "hihg"'],
  [{ type: "object" }, "{a", "the input from --field is not valid JSON"],
])("a field %j refuses %j", (schema, typed, message) => {
  expect(() => readField(flag(schema), typed)).toThrow(message);
});

test("help says what is required, which values there are, and the default", () => {
  const described = { type: "string", description: "How loud.", enum: ["low", "high"], default: "low" };
  expect(flag(described, true).about).toBe('How loud. (required; one of low, high; default: "low")');
});

test("names are dashed, and those of other flags get a word before them", () => {
  const names = ["dueDate", "due_at", "url", "limit", "0x", "text"];
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
  expect(fieldFlags({ type: "object", properties }).map(({ name }) => name)).toEqual(
    ["due-date", "due_at", "field-url", "field-limit", "field-0x", "text"].map((name) => `--${name}`),
  );
});

test("no two fields have one flag, and none has the flag that turns another off", () => {
  const properties = Object.fromEntries(
    ["reply", "noReply", "fooBar", "fooBAR"].map((name) => [name, { type: "boolean" }]),
  );
  expect(fieldFlags({ type: "object", properties }).map(({ name }) => name)).toEqual(
    ["reply", "field-no-reply", "foo-bar", "field-foo-bar"].map((name) => `--${name}`),
  );
});

test("follows references, and an input without named fields has no flags", () => {
  const $defs = {
    Level: { type: "integer", description: "A level." },
    Input: { properties: { level: { $ref: "#/$defs/Level" } } },
  };
  expect(fieldFlags({ $ref: "#/$defs/Input", $defs })).toEqual([
    {
      field: "level",
      name: "--level",
      kind: "number",
      many: false,
      nullable: false,
      choices: [],
      required: false,
      about: "A level.",
    },
  ]);
  expect(fieldFlags({ type: "array" })).toEqual([]);
});

test("fields are found where the input is a name for another name", () => {
  const sum = { type: "object", properties: { a: { type: "number" } }, required: ["a"] };
  const document = { $ref: "#/$defs/add.input", $defs: { "add.input": { $ref: "#/$defs/Sum" }, Sum: sum } };
  expect(fieldFlags(document).map(({ field, kind }) => [field, kind])).toEqual([["a", "number"]]);
  expect(fieldFlags({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } })).toEqual([]);
});
