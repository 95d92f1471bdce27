import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFormula } from "./formula.ts";

const folder = new URL("../../formulas/", import.meta.url);

describe("a formula", () => {
  it.each(readdirSync(folder))("reads the built-in %s", (file) => {
    const name = file.replace(".yaml", "");
    const verdict = readFormula(name, readFileSync(new URL(file, folder), "utf8"));
    expect(verdict).toMatchObject({ ok: true, formula: { name } });
  });

  it("reads the spec's custom formula", () => {
    const source = [
      "description: Find and fix error handling issues",
      "categories: [refactor, security]",
      "min_confidence: 75  # hint only",
      "risk_tolerance: medium",
      "prompt: |",
      "  Find functions with missing error handling.",
      "  Look for uncaught promises.",
      "tags: [quality]",
    ].join("\n");
    expect(readFormula("errors", source)).toEqual({
      ok: true,
      formula: {
        name: "errors",
        version: 1,
        description: "Find and fix error handling issues",
        scope: null,
        categories: ["refactor", "security"],
        min_confidence: 75,
        max_prs: null,
        model: null,
        risk_tolerance: "medium",
        exclude: [],
        tags: ["quality"],
        prompt: "Find functions with missing error handling.\nLook for uncaught promises.\n",
      },
    });
  });

  it.each([
    ["an unknown key", "run: rm -rf /"],
    ["a prototype key", "__proto__: { polluted: true }"],
    ["a constructor key", "constructor: { prototype: 1 }"],
    ["an alias bomb", "description: &a [x, x]\ntags: [*a, *a, *a]"],
    ["any alias", "prompt: &p hello\ndescription: *p"],
    ["a function tag", "prompt: !!js/function 'function () { }'"],
    ["an own tag", "prompt: !exec ls"],
    ["a merge key", "<<: { description: x }"],
    ["the same key twice", "prompt: a\nprompt: b"],
    ["several documents", "prompt: a\n---\nprompt: b"],
    ["an unclosed bracket", "tags: [a, b"],
    ["an unknown category", "categories: [chaos]"],
    ["deep brackets", `tags: ${"[".repeat(20_000)}`],
    ["deep lists", `tags:\n  ${"- ".repeat(20_000)}x`],
    ["deep maps", Array.from({ length: 400 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")],
    ["too much", `prompt: ${"x".repeat(70_000)}`],
    ["a list at the top", "- a\n- b"],
    ["binary", "\u0000\u0001\u0002"],
  ])("refuses %s", (_what, source) => {
    expect(readFormula("hostile", source)).toMatchObject({ ok: false });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each(["../x", "a/b", "", "a.yaml", "x".repeat(65), "a b", "é"])("refuses the name %j", (name) => {
    expect(readFormula(name, "prompt: x").ok).toBe(false);
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "grapheme" }), yamlish), (source) => {
        expect(typeof readFormula("any", source).ok).toBe("boolean");
      }),
      { numRuns: 2_000 },
    );
  });
});

const yamlish = fc
  .array(
    fc.constantFrom(
      "a",
      ": ",
      "\n",
      "  ",
      "- ",
      "[",
      "]",
      "{",
      "}",
      "&x ",
      "*x",
      "!!map ",
      "|",
      ">",
      "'",
      '"',
      "? ",
      "#",
      ",",
      "<<",
    ),
  )
  .map((parts) => parts.join(""));
