import { describe, expect, it } from "vitest";
import { promptKinds } from "../machine/prompt-kind.ts";
import { sampleProposal, stateIn } from "../testing/sample.ts";
import { valuesFor, writePrompt } from "./prompt.ts";
import { fill, namesIn, templateOf } from "./template.ts";

const surroundings = {
  guidelines: "<project-guidelines>\nBe kind.\n</project-guidelines>",
  metadata: "Written in TypeScript.",
};

const state = (() => {
  const one = stateIn(
    "EXECUTE",
    {
      lastQaFailure: {
        error: "boom",
        failureClass: "code",
        attempt: 1,
        attempts: 3,
        commands: [{ command: "npm test", success: false, tail: "tail" }],
      },
    },
    { formula: { name: "deep", description: "", prompt: "Look at the seams", riskTolerance: "high", tags: [] } },
  );
  return { ...one, scout: { ...one.scout, shownHints: ["the parser"], pending: [sampleProposal("Held")] } };
})();

describe("prompts", () => {
  it.each(promptKinds)("%s: every name in the template has a value", (kind) => {
    const given = Object.keys(valuesFor(kind, state, surroundings));
    expect(namesIn(templateOf(kind)).filter((name) => !given.includes(name))).toEqual([]);
    expect(writePrompt(kind, state, surroundings)).not.toMatch(/\{\{|\}\}/);
  });

  it("scout holds guidelines, formula, bounds and hints", () => {
    const prompt = writePrompt("scout", state, surroundings);
    for (const part of [
      "Be kind.",
      "Look at the seams",
      "`**`",
      "the parser",
      "SCOUT_OUTPUT",
      "at most 5".replace("at", "At"),
    ])
      expect(prompt).toContain(part);
  });

  it("execute after a failure holds the commands, their tail, the class and the attempt", () => {
    const prompt = writePrompt("execute", state, surroundings);
    for (const part of ["Be kind.", "npm test\ntail", "attempt 1 of 3 (code)", "src/part-1.ts", "It works"])
      expect(prompt).toContain(part);
  });

  it("qa holds one block a command and the acceptance criteria", () => {
    const prompt = writePrompt("qa", state, surroundings);
    expect(prompt).toContain("```\nnpm test\n```");
    expect(prompt).toContain("- It works");
    expect(prompt).not.toContain("Be kind.");
  });

  it("never reads a value as a template", () => {
    expect(fill("{{a}} {{b}}\n", { a: "{{b}}", b: "x" })).toBe("{{b}} x\n");
  });

  it("drops a section without a value", () => {
    expect(fill("a\n{{#s}}\n{{s}}\n{{/s}}\nb\n", {})).toBe("a\nb\n");
    expect(fill("a\n{{#s}}\n{{s}}\n{{/s}}\nb\n", { s: "x" })).toBe("a\nx\nb\n");
  });
});
