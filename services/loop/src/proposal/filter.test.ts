import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleProposal } from "../testing/sample.ts";
import { categories, defaultCategories } from "../value/category.ts";
import { type FilterRules, filterProposals } from "./filter.ts";
import { readProposal } from "./schema.ts";
import { similarity } from "./similarity.ts";

const rules: FilterRules = {
  boost: () => 1,
  minImpact: 5,
  categories: defaultCategories,
  scope: "**",
  excludeDirs: [],
  maxProposals: 5,
  knownTitles: [],
  carried: [],
};

const why = (proposal: Record<string, unknown>, change: Partial<FilterRules> = {}): string | undefined =>
  filterProposals([proposal], { ...rules, ...change }).rejected[0]?.rule;

describe("a proposal", () => {
  it("gets defaults for what is not required", () => {
    const verdict = readProposal({ category: "fix", title: "A", description: "B", files: ["a.ts"] });
    expect(verdict).toMatchObject({
      ok: true,
      proposal: {
        confidence: 50,
        impact_score: 5,
        estimated_complexity: "moderate",
        risk: "medium",
        rollback_note: "git revert",
      },
    });
  });

  it("is corrected: numbers as texts, synonyms, single values for lists", () => {
    const verdict = readProposal({
      category: "Testing",
      title: " A ",
      description: "B",
      files: "./a.ts",
      confidence: "85%",
      impact_score: "12",
      risk: "severe",
      estimated_complexity: "easy",
      severity: "Critical",
      acceptance_criteria: "one",
    });
    expect(verdict).toMatchObject({
      ok: true,
      proposal: {
        category: "test",
        title: "A",
        files: ["a.ts"],
        confidence: 85,
        impact_score: 10,
        risk: "high",
        estimated_complexity: "simple",
        severity: "blocking",
        acceptance_criteria: ["one"],
      },
    });
  });

  it("reads a share as a percentage", () => {
    expect(readProposal(sampleProposal("x", { confidence: 0.85 }))).toMatchObject({ proposal: { confidence: 85 } });
  });

  it.each([
    ["category", { category: "chaos" }],
    ["title", { title: " " }],
    ["description", { description: undefined }],
    ["files", { files: ["/etc/passwd"] }],
    ["confidence", { confidence: "high" }],
  ])("without a good %s is refused by name", (field, change) => {
    expect(readProposal(sampleProposal("x", change))).toMatchObject({ ok: false, why: expect.stringContaining(field) });
  });

  it("never throws, whatever the value", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.object({ key: fc.constantFrom(...Object.keys(sampleProposal("x")), "__proto__") })),
        (value) => {
          expect(typeof readProposal(value).ok).toBe("boolean");
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("the filters", () => {
  it("refuse in the stated order, each with its rule", () => {
    expect(why({})).toBe("schema");
    expect(why(sampleProposal("Fix typo in README", { category: "docs", confidence: 70 }))).toBe("noise");
    expect(why(sampleProposal("Fix typo in README", { category: "docs", confidence: 85 }))).toBeUndefined();
    expect(why(sampleProposal("Fix typo in parser", { category: "fix", confidence: 70 }))).toBeUndefined();
    expect(why(sampleProposal("x", { confidence: 0 }))).toBe("confidence");
    expect(why(sampleProposal("x", { impact_score: 4 }))).toBe("impact");
    expect(why(sampleProposal("x", { category: "test" }))).toBe("category");
    expect(why(sampleProposal("x"), { scope: "lib/**" })).toBe("scope");
    expect(why(sampleProposal("x"), { excludeDirs: ["src"] })).toBe("scope");
    expect(why(sampleProposal("x", { files: [".env"] }))).toBe("scope");
    expect(why(sampleProposal("Close the file handle"), { knownTitles: ["Close the file handles"] })).toBe("duplicate");
  });

  it("keep aside what is outside the scope, at most twenty", () => {
    const many = Array.from({ length: 30 }, (_, n) => sampleProposal(`${n} ${String.fromCharCode(97 + n)}`));
    const { deferred, accepted } = filterProposals(many, { ...rules, scope: "lib/**" });
    expect(accepted).toEqual([]);
    expect(deferred).toHaveLength(20);
    expect(filterProposals([], { ...rules, carried: deferred, maxProposals: 50 }).accepted.length).toBeGreaterThan(0);
  });

  it("see twins in one report: by title, and by the same three files", () => {
    const files = ["a.ts", "b.ts", "c.ts"];
    expect(
      filterProposals([sampleProposal("Close the file"), sampleProposal("Close the files")], rules).rejected,
    ).toMatchObject([{ rule: "repeated" }]);
    expect(
      filterProposals(
        [sampleProposal("Alpha", { files }), sampleProposal("Omega", { files: files.toReversed() })],
        rules,
      ).rejected,
    ).toMatchObject([{ rule: "repeated" }]);
    expect(
      filterProposals(
        [sampleProposal("Alpha", { files: ["a.ts"] }), sampleProposal("Omega", { files: ["a.ts"] })],
        rules,
      ).rejected,
    ).toEqual([]);
  });

  it("rank by impact, confidence and severity", () => {
    const proposals = [
      sampleProposal("Alpha", { severity: "speculative", impact_score: 9 }),
      sampleProposal("Beta", { severity: "blocking", impact_score: 5 }),
      sampleProposal("Gamma", { impact_score: 8 }),
    ];
    expect(filterProposals(proposals, rules).accepted.map(({ title }) => title)).toEqual(["Beta", "Gamma", "Alpha"]);
    const boostOf = (files: readonly string[]): number => (files[0] === "src/alpha.ts" ? 9 : 1);
    expect(filterProposals(proposals, { ...rules, boost: boostOf }).accepted[0]?.title).toBe("Alpha");
  });

  it("keep tests to two fifths, at least one, unless only tests were asked for", () => {
    const names = ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf", "Hotel"];
    const batch = (tests: number, others: number) =>
      names.slice(0, tests + others).map((name, n) => sampleProposal(name, { category: n < tests ? "test" : "fix" }));
    const count = (
      proposals: readonly Record<string, unknown>[],
      chosen = categories as readonly (typeof categories)[number][],
    ) =>
      filterProposals(proposals, { ...rules, categories: chosen, maxProposals: 20 }).accepted.filter(
        ({ category }) => category === "test",
      ).length;
    expect(count(batch(5, 3))).toBe(2);
    expect(count(batch(3, 0))).toBe(1);
    expect(count(batch(4, 4))).toBe(2);
    expect(count(batch(4, 0), ["test"])).toBe(4);
  });

  it("account for every proposal, and never yield more than the maximum or twins", () => {
    const proposal = fc.record({
      category: fc.constantFrom(...categories, "nonsense"),
      title: fc.string({ unit: fc.constantFrom("a", "b", "c", "d", " ", "e"), maxLength: 12 }),
      confidence: fc.integer({ min: -5, max: 105 }),
      impact_score: fc.integer({ min: 0, max: 11 }),
    });
    fc.assert(
      fc.property(fc.array(proposal, { maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (given, maxProposals) => {
        const raw = given.map((one, n) => sampleProposal(one.title, { ...one, files: [`src/${n}.ts`] }));
        const { accepted, rejected } = filterProposals(raw, { ...rules, categories, maxProposals });
        expect(accepted.length + rejected.length).toBe(raw.length);
        expect(accepted.length).toBeLessThanOrEqual(maxProposals);
        for (const [n, one] of accepted.entries())
          for (const other of accepted.slice(n + 1)) expect(similarity(one.title, other.title)).toBeLessThan(0.6);
      }),
      { numRuns: 500 },
    );
  });
});

describe("similarity", () => {
  it("is symmetric, 1 for the same, and between 0 and 1", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(similarity(a, a)).toBe(1);
        expect(similarity(a, b)).toBe(similarity(b, a));
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0);
        expect(similarity(a, b)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
