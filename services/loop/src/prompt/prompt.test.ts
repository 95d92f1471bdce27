import { describe, expect, it } from "vitest";
import { readProposal } from "../proposal/schema.ts";
import { promptKinds } from "../state/prompt-kind.ts";
import { samplePayloads, sampleProposal, sampleState, sampleStateIn } from "../testing/sample.ts";
import { promptValues, writePrompt } from "./prompt.ts";
import { fill, listNames, loadTemplate, parseTemplate, type TemplateValues } from "./template.ts";

const surroundings = {
  guidelines: "<project-guidelines>\nBe kind.\n</project-guidelines>",
  metadata: "Written in TypeScript.",
  facts: ["Changed lately, by commits: src/core/a.ts 3"],
  measured: true,
  tools: [],
  reader: "caller",
} as const;

const forAnswerer = { ...surroundings, reader: "answerer" } as const;

const state = (() => {
  const one = sampleStateIn(
    "EXECUTE",
    {
      plan: {
        ...samplePayloads.PLAN_SUBMITTED,
        files_to_touch: [{ path: "src/part-1.ts", reason: "it is there", action: "modify" }],
      },
      lastQaFailure: {
        error: "boom",
        failureClass: "code",
        attempt: 1,
        attempts: 3,
        commands: [{ command: "npm test", success: false, tail: "tail", by: "client" as const }],
      },
    },
    { formula: { name: "deep", description: "", prompt: "Look at the seams", riskTolerance: "high", tags: [] } },
  );
  return { ...one, scout: { ...one.scout, shownHints: ["the parser"], pending: [sampleProposal("Held")] } };
})();

const scouting = (() => {
  const learning = { id: "lrn_1", text: "it bites", category: "gotcha", source: "qa_failure" } as const;
  const one = sampleState(
    {
      sectors: [
        { path: "src/ui", files: 12, scanned: true },
        { path: "src/core", files: 30, scanned: false },
      ],
      memory: {
        remembered: [{ title: "Open the door", weight: 60, completed: false, seenAt: 0 }],
        learnings: [{ ...learning, weight: 50, tags: [], paths: [], lastUsedAt: 0 }],
      },
    },
    {
      ...state.settings,
      scope: "src/**",
      categories: ["refactor", "docs"],
      excludeDirs: ["vendor"],
    },
  );
  const scout = {
    ...one.scout,
    retries: 1,
    shownHints: ["the parser"],
    tried: ["Sweep: too petty"],
    exploredDirs: ["src/ui"],
  };
  return { ...one, scout };
})();

/** Every field that the schema knows. */
const readyProposal = (): object => {
  const verdict = readProposal(sampleProposal("Close the file"));
  return verdict.ok ? verdict.proposal : {};
};

describe("prompts", () => {
  it.each(promptKinds)("%s: every name in the template has a value", (kind) => {
    const names = Object.keys(promptValues(kind, state, surroundings));
    expect(listNames(loadTemplate(kind)).filter((name) => !names.includes(name))).toEqual([]);
    expect(writePrompt(kind, state, surroundings)).not.toMatch(/\{\{|\}\}/);
  });

  it("scout holds all that a scout must know", () => {
    const prompt = writePrompt("scout", scouting, surroundings);
    for (const part of [
      "Be kind.",
      "Written in TypeScript.",
      "- src/ui (12, seen)",
      "## What the repository says\n- Changed lately, by commits: src/core/a.ts 3",
      "Look at the seams",
      "up to high",
      "`src/**`",
      "refactor, docs",
      "at least 55 of 100",
      "below 5 of 10",
      "At most 5 proposals",
      "Leave out: vendor",
      "go elsewhere first: src/ui",
      "- Open the door",
      "- the parser",
      "gotcha: it bites",
      "impact_score x confidence x",
      "harshest reviewer",
      "type `SCOUT_OUTPUT`",
    ])
      expect(prompt).toContain(part);
    for (const field of Object.keys(readyProposal())) expect(prompt).toContain(field);
  });

  it("scout-retry holds the same, and what was tried and where no scout has looked", () => {
    const prompt = writePrompt("scout-retry", scouting, surroundings);
    for (const part of ["retry 1 of 3", "- Sweep: too petty", "nobody has looked at\n- src/core", "Leave out: vendor"])
      expect(prompt).toContain(part);
    for (const field of Object.keys(readyProposal())) expect(prompt).toContain(field);
  });

  it("plan holds the ticket, its bounds, the plan's fields and the last rejection", () => {
    const planning = sampleStateIn("PLAN", { planRejections: 2, lastPlanRejection: "lib/x.ts: it is outside" });
    const prompt = writePrompt("plan", planning, surroundings);
    for (const part of [
      "Mend part 1",
      "It is broken",
      "Allowed paths: src/part-1.ts",
      "```\nnpm test\n```",
      "rejected (2 of 3;",
      "lib/x.ts: it is outside",
      "files_to_touch",
      "expected_tests",
      "risk_level",
      "estimated_lines",
      "type `PLAN_SUBMITTED`",
    ])
      expect(prompt).toContain(part);
    expect(prompt).not.toContain("Be kind.");
  });

  it("execute holds guidelines, the approved plan, the bounds and the commands", () => {
    const prompt = writePrompt("execute", state, surroundings);
    for (const part of [
      "Be kind.",
      "- modify src/part-1.ts: it is there",
      "Allowed paths: src/part-1.ts",
      "npm test",
      "It works",
    ])
      expect(prompt).toContain(part);
  });

  it("execute after a failure holds the commands, their tail, the class and the attempt", () => {
    const prompt = writePrompt("execute", state, surroundings);
    for (const part of ["npm test\ntail", "attempt 1 of 3 (code)", "boom"]) expect(prompt).toContain(part);
  });

  it("says only what is true of the project", () => {
    const words = "looks at the working tree itself";
    expect(writePrompt("execute", state, surroundings)).toContain(words);
    expect(writePrompt("execute", state, { ...surroundings, measured: false })).not.toContain(words);
    expect(writePrompt("execute", state, surroundings)).not.toContain("promptwheel_git_setup");
    const apart = { ...state, settings: { ...state.settings, direct: false } };
    expect(writePrompt("execute", apart, surroundings)).toContain("promptwheel_git_setup");
  });

  it.each(promptKinds.filter((kind) => kind !== "qa"))(
    "%s: who only answers reads of no tool, and of the same event",
    (kind) => {
      const apart = { ...state, settings: { ...state.settings, direct: false, ownTree: true } };
      const prompt = writePrompt(kind, apart, forAnswerer);
      expect(prompt).not.toMatch(/promptwheel_|`advance`/);
      const [, type = ""] = /type `([A-Z_]+)`/.exec(writePrompt(kind, apart, surroundings)) ?? [];
      expect(prompt).toContain(`The event \`${type}\`, whose payload is:\n\`{`);
    },
  );

  it("plan says what becomes of one of high risk in this session", () => {
    const planning = sampleStateIn("PLAN");
    expect(writePrompt("plan", planning, surroundings)).toContain("stops the session for a person's approval");
    const waiting = { ...planning, settings: { ...planning.settings, planApproval: "hold" } } as const;
    expect(writePrompt("plan", waiting, surroundings)).toContain("waits for a person's approval");
    expect(writePrompt("plan", waiting, surroundings)).not.toContain("stops the session");
  });

  it("qa holds one block a command and the acceptance criteria", () => {
    const prompt = writePrompt("qa", state, surroundings);
    expect(prompt).toContain("```\nnpm test\n```");
    expect(prompt).toContain("- It works");
    expect(prompt).toContain("run_000000000001");
    expect(prompt).not.toContain("Be kind.");
  });

  it("pr holds the branch, the files that were changed, and the draft flag", () => {
    const closing = sampleStateIn("PR", { changedFiles: ["src/part-1.ts"] }, { createPrs: true, draftPrs: true });
    const prompt = writePrompt("pr", closing, surroundings);
    for (const part of [
      "`promptwheel/tkt_000000000001/mend-part-1`",
      "no others: src/part-1.ts",
      "git diff --cached --stat",
      "gh pr create --draft",
      "git revert",
      "type `PR_CREATED`",
    ])
      expect(prompt).toContain(part);
  });

  it("have an empty line before every heading, and never two", () => {
    for (const kind of promptKinds) {
      const prompt = writePrompt(kind, { ...scouting, current: state.current }, surroundings);
      expect(prompt).not.toMatch(/[^\n]\n#+ |\n\n\n/);
    }
  });
});

describe("templates", () => {
  const filled = (text: string, values: TemplateValues): string => fill(parseTemplate(text), values);

  it("never read a value as a template", () => {
    expect(filled("{{a}} {{b}}\n", { a: "{{b}}", b: "x" })).toBe("{{b}} x\n");
  });

  it("drop a section without a value, in a section too", () => {
    const text = "a\n{{#s}}\n{{s}}\n{{#t}}\n{{t}}\n{{/t}}\n{{/s}}\nb\n";
    expect(filled(text, { t: "y" })).toBe("a\nb\n");
    expect(filled(text, { s: "x" })).toBe("a\nx\nb\n");
    expect(filled(text, { s: "x", t: "y" })).toBe("a\nx\ny\nb\n");
  });

  it("leave what is not a name as it is", () => {
    expect(filled("{{ a }} {{a }}b}} {{{{a}} {{", { a: "x" })).toBe("{{ a }} {{a }}b}} {{x {{\n");
  });

  it.each([
    ["{{#s}}\na\n", "leaves s open"],
    ["a\n{{/s}}\n", "closes s where nothing is open"],
    ["{{#s}}\n{{#t}}\n{{/s}}\n{{/t}}\n", "closes s where t is open"],
  ])("are refused when a section is not whole: %j", (text, why) => {
    expect(() => parseTemplate(text)).toThrow(why);
  });

  it("are read in a time that grows with their length, however many marks they hold", () => {
    const depth = 20_000;
    const text = "{{#s}}\n".repeat(depth);
    expect(() => parseTemplate(text)).toThrow("leaves s open");
    expect(filled("{{".repeat(depth), {})).toHaveLength(2 * depth + 1);
  });
});

it("the scout's example is a proposal that would be taken, with every field that is asked for", () => {
  const text = writePrompt("scout", scouting, surroundings);
  const example: unknown = JSON.parse(/```json\n([\s\S]+?)\n```/.exec(text)?.[1] ?? "");
  expect(readProposal(example)).toMatchObject({ ok: true });
  const asked = text.slice(text.indexOf("## Fields of a proposal"), text.indexOf("### One of them"));
  for (const field of Object.keys(example as object)) expect(`${asked} review_note`).toContain(field);
  for (const field of ["rationale", "files"]) expect(Object.keys(example as object)).toContain(field);
});
