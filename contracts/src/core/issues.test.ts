import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { decoder } from "./decoder.ts";
import type { Schema } from "./schema/schema.ts";

const findIssues = (schema: Schema, input: unknown, at: readonly PropertyKey[] = []) => {
  const decoded = decoder(schema, at)(input);
  return decoded.ok ? [] : decoded.issues;
};

describe("an unknown field", () => {
  const shape = z.strictObject({ projects: z.record(z.string(), z.strictObject({ path: z.string() })) });

  test.each([
    ["at the root", { projetcs: {}, projects: {} }, { path: "projetcs", fix: "did you mean projects?" }],
    ["deep inside", { projects: { a: { path: "x", paht: "" } } }, { path: "projects.a.paht", fix: /path\?/ }],
    ["unlike any other", { projects: {}, zzz: 1 }, { path: "zzz", fix: 'remove "zzz", or check its spelling' }],
  ])("%s is named with what was meant", (_, input, { path, fix }) => {
    const words = typeof fix === "string" ? fix : expect.stringMatching(fix);
    expect(findIssues(shape, input)).toEqual([{ path, expected: "a known field", fix: words }]);
  });

  test("also in a branch of a union, and in a schema that was compiled", () => {
    const union = z.union([z.strictObject({ url: z.string() }), z.strictObject({ command: z.string() })]);
    const decode = decoder(z.strictObject({ of: union }));
    for (let use = 0; use < 20; use += 1) {
      expect(decode({ of: { comand: "x", command: "y" } })).toMatchObject({
        issues: [{ path: "of.comand", fix: "did you mean command?" }],
      });
    }
  });

  test("a misspelt field shows which branch of a union was meant", () => {
    const common = { start: z.boolean().optional() };
    const union = z.union([
      z.strictObject({ url: z.string(), ...common }),
      z.strictObject({ command: z.string(), ...common }),
    ]);
    expect(findIssues(union, { comand: "node" })).toMatchObject([
      { path: "command" },
      { path: "comand", fix: "did you mean command?" },
    ]);
  });

  test("also in Zod 3", () => {
    const issue = { path: "b", expected: "a known field", fix: "did you mean a?" };
    expect(findIssues(z3.object({ a: z3.string() }).strict(), { a: "x", b: 1 })).toEqual([issue]);
  });
});

describe("a union of unlike types", () => {
  const sheet = z.object({ name: z.string(), level: z.int() });
  const named = z.object({ party: z.array(z.union([z.string().min(2), sheet])) });

  test.each<[string, Schema, unknown, readonly (readonly [string, string])[]]>([
    [
      "is judged by the branch of the value's type",
      named,
      { party: [{ name: "A" }] },
      [["party[0].level", "a number"]],
    ],
    [
      "also where that has more to say",
      named,
      { party: [{}] },
      [
        ["party[0].name", "a string"],
        ["party[0].level", "a number"],
      ],
    ],
    ["also where it is a text", named, { party: ["A"] }, [["party[0]", "at least 2 characters"]]],
    ["names all where the value has none of them", named, { party: [5] }, [["party[0]", "a string or an object"]]],
    [
      "also where a value is missing",
      z.object({ of: z.union([z.string(), z.int()]) }),
      {},
      [["of", "a string or a number"]],
    ],
    [
      "also in a union of unions",
      z.union([z.union([z.string(), z.boolean()]), z.null()]),
      5,
      [["", "a string, a boolean or null"]],
    ],
    [
      "and a branch inside of one",
      z.union([z.union([z.string(), sheet]), z.null()]),
      { name: "A" },
      [["level", "a number"]],
    ],
    [
      "words and types together",
      z.union([z.enum(["all", "none"]), z.int()]),
      true,
      [["", 'one of "all", "none" or a number']],
    ],
    ["a list or one of it", z.union([z.string(), z.array(z.string())]), [1], [["[0]", "a string"]]],
    [
      "a pipe is what it reads",
      z.union([z.string().pipe(z.string().min(2)), sheet]),
      {},
      [
        ["name", "a string"],
        ["level", "a number"],
      ],
    ],
  ])("%s", (_, schema, input, expected) => {
    expect(findIssues(schema, input).map(({ path, expected: words }) => [path, words])).toEqual(expected);
  });
});

describe("a text of the wrong form", () => {
  test.each<[string, Schema, string]>([
    ["a message in the schema comes first", z.string().regex(/^a$/, "a letter"), "a letter"],
    ["a URL", z.url(), "a URL, like https://example.com/page"],
    ["an example of the contract's", z.url().meta({ examples: ["http://a.test"] }), 'a URL, like "http://a.test"'],
    ["a time", z.iso.datetime(), "a date and time, like 2026-01-31T12:00:00Z"],
    [
      "a pattern with a description and an example",
      z
        .string()
        .regex(/^run_\w+$/)
        .meta({ description: "Id of a run.", examples: ["run_1"] }),
      'text that matches /^run_\\w+$/, like "run_1" (Id of a run)',
    ],
    ["a pattern alone", z.string().regex(/^a$/), "text that matches /^a$/"],
    ["a URL in Zod 3", z3.string().url(), "a URL, like https://example.com/page"],
  ])("%s", (_, schema, expected) => {
    expect(findIssues(schema, "!")).toEqual([{ path: "", expected, fix: `give the input ${expected}` }]);
  });

  test("the name of an entry", () => {
    const schema = z.record(z.string().regex(/^[a-z]+$/, "small letters"), z.number());
    expect(findIssues(schema, { A1: 1 })).toEqual([{ path: "A1", expected: "small letters", fix: "rename `A1`" }]);
  });
});

describe("a value that is not there", () => {
  const shape = z.object({ text: z.string(), level: z.int(), list: z.array(z.string()), kind: z.enum(["a", "b"]) });
  const tagged = z.discriminatedUnion("type", [z.object({ type: z.literal("x") }), z.object({ type: z.literal("y") })]);

  test.each<[string, Schema, unknown, readonly object[]]>([
    [
      "fields",
      shape,
      {},
      [
        { path: "text", expected: "a string", fix: "`text` is missing: give it a string" },
        { path: "level", expected: "a number", fix: "`level` is missing: give it a number" },
        { path: "list", expected: "an array", fix: "`list` is missing: give it an array" },
        { path: "kind", expected: 'one of "a", "b"', fix: '`kind` is missing: give it one of "a", "b"' },
      ],
    ],
    [
      "the input",
      shape,
      undefined,
      [{ path: "", expected: "an object", fix: "the input is missing: give it an object" }],
    ],
    [
      "the field that names a branch",
      tagged,
      {},
      [{ path: "type", fix: '`type` is missing: give it one of "x", "y"' }],
    ],
    ["a branch that is wrong", tagged, { type: "z" }, [{ path: "type", fix: 'give `type` one of "x", "y"' }]],
    [
      "a value of a union",
      z.object({ of: z.union([z.string(), z.number()]) }),
      {},
      [{ path: "of", fix: "`of` is missing: give it a string or a number" }],
    ],
    ["null", shape.pick({ text: true }), { text: null }, [{ path: "text", fix: "give `text` a string" }]],
    ["a field in Zod 3", z3.object({ a: z3.string() }), {}, [{ path: "a", fix: "`a` is missing: give it a string" }]],
  ])("%s", (_, schema, input, issues) => {
    expect(findIssues(schema, input)).toMatchObject(issues);
    const decode = decoder(schema);
    for (let use = 0; use < 20; use += 1) expect(decode(input)).toMatchObject({ issues });
  });
});

describe("every code of Zod is worded plainly", () => {
  test.each<[Schema, unknown, string]>([
    [z.string().min(1), "", "at least 1 character"],
    [z.string().max(2), "abc", "at most 2 characters"],
    [z.string().length(3), "a", "exactly 3 characters"],
    [z.array(z.string()).min(2), [], "at least 2 items"],
    [z.number().min(1), 0, "a number of at least 1"],
    [z.number().gt(1), 1, "a number of more than 1"],
    [z.number().lt(1), 1, "a number of less than 1"],
    [z.int().max(20), 21, "a number of at most 20"],
    [z.number().multipleOf(5), 3, "a multiple of 5"],
    [z.string().startsWith("run_"), "x", 'text that starts with "run_"'],
    [z.string().endsWith("!"), "x", 'text that ends with "!"'],
    [z.string().includes("@"), "x", 'text that has "@" in it'],
    [z.emoji(), "x", "text of the form emoji"],
    [z.int(), 1.5, "a whole number"],
    [z.literal("a"), "b", '"a"'],
    [z.record(z.string().max(1), z.number()), { ab: 1 }, "at most 1 character"],
    [z.string().refine(() => false), "x", "what the contract describes"],
    [z.string().refine(() => false, "a word of the list"), "x", "a word of the list"],
    [z.string().min(3, "a longer name"), "x", "a longer name"],
    [z.never(), 1, "nothing"],
  ])("%# %s", (schema, input, expected) => {
    expect(findIssues(schema, input)).toMatchObject([{ expected }]);
    expect(JSON.stringify(findIssues(schema, input))).not.toMatch(/received|undefined|Too |Invalid|>=|<=/);
  });
});

test("a value that no branch of a union accepts gets each allowed one once", () => {
  const start = z.literal([true, "lazy"]);
  const union = z.union([z.object({ url: z.string(), start }), z.object({ command: z.string(), start })]);
  const expected = 'one of true, "lazy"';
  expect(findIssues(union, { command: "x", start: "lasy" })).toMatchObject([{ path: "start", expected }]);
});

test("a path begins where the input is", () => {
  const schema = z.strictObject({ ms: z.int() });
  expect(findIssues(schema, { ms: "x" }, ["services", "loop"])).toEqual([
    { path: "services.loop.ms", expected: "a number", fix: "give `services.loop.ms` a number" },
  ]);
  expect(findIssues(schema, 7, ["services", "loop"])).toMatchObject([{ path: "services.loop", expected: "an object" }]);
});
